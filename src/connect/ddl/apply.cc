// Dispatch, and what is too small for a file of its own: schemas, comments, settings.
#include "connect/ddl/apply.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/names.h"

namespace schemaward::connect::ddl {
namespace {

/// Elements of CREATE SCHEMA stand in the schema that it makes.
Status ApplyCreateSchema(const PgQuery__CreateSchemaStmt& create, SchemaState& state) {
  std::string schema(View(create.schemaname));
  if (schema.empty() && create.authrole != nullptr) schema = View(create.authrole->rolename);
  Status status = Ok();
  // References between the elements find each other, since the schema comes first meanwhile.
  const std::vector<std::string> path = state.search_path();
  std::vector<std::string> inner = path;
  inner.insert(inner.begin(), schema);
  state.SetSearchPath(inner);
  for (std::size_t i = 0; i < create.n_schema_elts; ++i) {
    const Node* element = create.schema_elts[i];
    Status applied = Ok();
    if (element->node_case == PG_QUERY__NODE__NODE_CREATE_STMT) {
      applied = ApplyCreateTable(*element->create_stmt, nullptr, schema, state);
    } else if (element->node_case == PG_QUERY__NODE__NODE_INDEX_STMT) {
      applied = ApplyIndex(*element->index_stmt, schema, state);
    } else if (element->node_case == PG_QUERY__NODE__NODE_VIEW_STMT) {
      applied = ApplyView(element, schema, state);
    }
    if (!applied && status) status = std::move(applied);
  }
  state.SetSearchPath(path);
  return status;
}

/// SELECT set_config('search_path', '...', ...), as pg_dump writes it.
void ApplySetConfig(const PgQuery__SelectStmt& select, SchemaState& state) {
  for (std::size_t i = 0; i < select.n_target_list; ++i) {
    const Node* target = select.target_list[i];
    if (target->node_case != PG_QUERY__NODE__NODE_RES_TARGET) continue;
    const Node* value = target->res_target->val;
    if (value == nullptr || value->node_case != PG_QUERY__NODE__NODE_FUNC_CALL) continue;
    const PgQuery__FuncCall& call = *value->func_call;
    if (call.n_funcname == 0 || StringOf(call.funcname[call.n_funcname - 1]) != "set_config" ||
        call.n_args < 2)
      continue;
    std::vector<std::string> arguments;
    for (std::size_t k = 0; k < 2; ++k) {
      const Node* argument = call.args[k];
      if (argument->node_case != PG_QUERY__NODE__NODE_A_CONST ||
          argument->a_const->val_case != PG_QUERY__A__CONST__VAL_SVAL)
        break;
      arguments.emplace_back(View(argument->a_const->sval->sval));
    }
    if (arguments.size() != 2 || arguments[0] != "search_path") continue;
    state.SetSearchPath(SplitSearchPath(arguments[1]));
  }
}

bool In(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What CREATE, ALTER or DROP is about, past the words that may stand between.
std::string_view ObjectWord(const std::vector<std::string>& head) {
  for (std::size_t i = 1; i < head.size(); ++i) {
    if (!In(head[i], {"or", "replace", "global", "local", "temporary", "temp", "unlogged", "unique",
                      "recursive", "materialized", "foreign"}))
      return head[i];
    // FOREIGN DATA WRAPPER is no table.
    if (head[i] == "foreign" && i + 1 < head.size() && head[i + 1] == "data") return "server";
  }
  return {};
}

/// Statements that create, change or use anything but tables, views, indexes, types and schemas.
bool IsOtherObject(std::string_view word) {
  return In(word,
            {"access",    "aggregate",   "cast",         "collation", "constraint", "conversion",
             "database",  "default",     "event",        "extension", "function",   "group",
             "language",  "large",       "operator",     "owned",     "policy",     "procedural",
             "procedure", "publication", "role",         "routine",   "rule",       "sequence",
             "server",    "statistics",  "subscription", "system",    "tablespace", "text",
             "transform", "trigger",     "trusted",      "user"});
}

bool IsOtherVerb(std::string_view verb) {
  return In(verb,
            {"abort",    "analyze", "begin",      "call",    "checkpoint", "close",    "cluster",
             "commit",   "copy",    "deallocate", "declare", "delete",     "discard",  "do",
             "end",      "execute", "explain",    "fetch",   "grant",      "insert",   "listen",
             "load",     "lock",    "merge",      "move",    "notify",     "prepare",  "reassign",
             "refresh",  "reindex", "release",    "reset",   "revoke",     "rollback", "savepoint",
             "security", "show",    "start",      "table",   "truncate",   "unlisten", "update",
             "vacuum",   "values",  "with"});
}

}  // namespace

Relevance Classify(const std::vector<std::string>& head, std::string_view text) {
  if (head.empty()) return Relevance::Structure;  // starts like no statement; the parser says so
  const std::string& verb = head[0];
  if (IsOtherVerb(verb)) return Relevance::Ignored;
  if (verb == "set") {
    return std::find(head.begin(), head.end(), "search_path") != head.end() ||
                   std::find(head.begin(), head.end(), "schema") != head.end()
               ? Relevance::Structure
               : Relevance::Ignored;
  }
  if (verb == "select") {
    constexpr std::size_t kSearched = 4096;
    const std::string_view start = text.substr(0, kSearched);
    return start.find("search_path") != std::string_view::npos ||
                   start.find("into") != std::string_view::npos ||
                   start.find("INTO") != std::string_view::npos
               ? Relevance::Structure
               : Relevance::Ignored;
  }
  if (verb == "import") return Relevance::Foreign;
  if (verb == "comment")
    return head.size() > 2 && In(head[2], {"table", "column", "view", "materialized", "foreign"}) &&
                   !(head[2] == "foreign" && head.size() > 3 && head[3] == "data")
               ? Relevance::Structure
               : Relevance::Ignored;
  if (In(verb, {"create", "alter", "drop"}) && IsOtherObject(ObjectWord(head)))
    return Relevance::Ignored;
  return Relevance::Structure;
}

std::vector<std::string> SplitSearchPath(std::string_view text) {
  std::vector<std::string> schemas;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == ' ' || c == ',') {
      ++i;
    } else if (c == '"') {
      const std::size_t end = std::min(text.find('"', i + 1), text.size());
      schemas.emplace_back(text.substr(i + 1, end - i - 1));
      i = end + 1;
    } else {
      const std::size_t end = std::min(text.find_first_of(", ", i), text.size());
      schemas.emplace_back(text.substr(i, end - i));
      i = end;
    }
  }
  return schemas;
}

Status ApplySetting(const Node* statement, SchemaState& state) {
  const PgQuery__VariableSetStmt& set = *statement->variable_set_stmt;
  if (View(set.name) != "search_path") return Ok();
  if (set.kind != PG_QUERY__VARIABLE_SET_KIND__VAR_SET_VALUE) {
    state.SetSearchPath({"public"});
    return Ok();
  }
  std::vector<std::string> schemas;
  for (std::size_t i = 0; i < set.n_args; ++i) {
    const Node* argument = set.args[i];
    if (argument->node_case == PG_QUERY__NODE__NODE_A_CONST &&
        argument->a_const->val_case == PG_QUERY__A__CONST__VAL_SVAL)
      schemas.emplace_back(View(argument->a_const->sval->sval));
  }
  state.SetSearchPath(schemas);
  return Ok();
}

Status ApplyComment(const Node* statement, SchemaState& state) {
  const PgQuery__CommentStmt& comment = *statement->comment_stmt;
  std::vector<std::string> names = NamesOf(comment.object);
  const bool on_column = comment.objtype == PG_QUERY__OBJECT_TYPE__OBJECT_COLUMN;
  std::string column;
  if (on_column && names.size() > 1) {
    column = names.back();
    names.pop_back();
  }
  if (names.empty()) return Ok();
  Relation* relation = state.FindRelation(
      names.size() > 1 ? std::string_view(names[names.size() - 2]) : std::string_view(),
      names.back());
  if (relation == nullptr) return Ok();  // an extension's, or a composite type's
  if (!on_column) {
    relation->comment = View(comment.comment);
    return Ok();
  }
  const std::size_t at = relation->Find(column);
  if (at != kNoColumn) {
    relation->columns[at].column.comment = View(comment.comment);
  } else if (relation->columns_known) {
    return NoSuchColumn(*relation, column);
  }
  return Ok();
}

Relation* FindRelation(const PgQuery__RangeVar& name, const SchemaState& state) {
  return state.FindRelation(View(name.schemaname), View(name.relname));
}

Error NotCreated(std::string_view kind, std::string_view schema, std::string_view name) {
  const std::string shown =
      schema.empty() ? catalog::QuoteName(name) : catalog::QualifiedName(schema, name);
  return {ErrorKind::InputUnreadable, fmt::format("the script does not create {} {}", kind, shown)};
}

Error NoSuchColumn(const Relation& relation, std::string_view column) {
  return {ErrorKind::InputUnreadable,
          fmt::format("{} has no column {}", catalog::QualifiedName(relation.schema, relation.name),
                      catalog::QuoteName(column))};
}

Error CreatedTwice(std::string_view schema, std::string_view name) {
  return {ErrorKind::InputUnreadable,
          fmt::format("{} is created twice", catalog::QualifiedName(schema, name))};
}

Error TwoColumns(const Relation& relation, std::string_view column) {
  return {
      ErrorKind::InputUnreadable,
      fmt::format("{} has two columns {}", catalog::QualifiedName(relation.schema, relation.name),
                  catalog::QuoteName(column))};
}

Status Apply(const Node* statement, SchemaState& state) {
  switch (statement->node_case) {
    case PG_QUERY__NODE__NODE_CREATE_STMT:
      return ApplyCreateTable(*statement->create_stmt, nullptr, {}, state);
    case PG_QUERY__NODE__NODE_CREATE_FOREIGN_TABLE_STMT:
      return ApplyCreateTable(*statement->create_foreign_table_stmt->base_stmt,
                              statement->create_foreign_table_stmt, {}, state);
    case PG_QUERY__NODE__NODE_CREATE_SCHEMA_STMT:
      return ApplyCreateSchema(*statement->create_schema_stmt, state);
    case PG_QUERY__NODE__NODE_ALTER_TABLE_STMT:
      return ApplyAlterTable(*statement->alter_table_stmt, state);
    case PG_QUERY__NODE__NODE_INDEX_STMT:
      return ApplyIndex(*statement->index_stmt, {}, state);
    case PG_QUERY__NODE__NODE_CREATE_ENUM_STMT:
    case PG_QUERY__NODE__NODE_CREATE_DOMAIN_STMT:
    case PG_QUERY__NODE__NODE_COMPOSITE_TYPE_STMT:
    case PG_QUERY__NODE__NODE_CREATE_RANGE_STMT:
    case PG_QUERY__NODE__NODE_DEFINE_STMT:
    case PG_QUERY__NODE__NODE_ALTER_ENUM_STMT:
    case PG_QUERY__NODE__NODE_ALTER_DOMAIN_STMT:
      return ApplyType(statement, state);
    case PG_QUERY__NODE__NODE_VIEW_STMT:
    case PG_QUERY__NODE__NODE_CREATE_TABLE_AS_STMT:
      return ApplyView(statement, {}, state);
    case PG_QUERY__NODE__NODE_COMMENT_STMT:
      return ApplyComment(statement, state);
    case PG_QUERY__NODE__NODE_DROP_STMT:
      return ApplyDrop(statement, state);
    case PG_QUERY__NODE__NODE_RENAME_STMT:
      return ApplyRename(statement, state);
    case PG_QUERY__NODE__NODE_ALTER_OBJECT_SCHEMA_STMT:
      return ApplySetSchema(statement, state);
    case PG_QUERY__NODE__NODE_VARIABLE_SET_STMT:
      return ApplySetting(statement, state);
    case PG_QUERY__NODE__NODE_SELECT_STMT:
      if (statement->select_stmt->into_clause != nullptr) return ApplyView(statement, {}, state);
      ApplySetConfig(*statement->select_stmt, state);
      return Ok();
    default:
      return Ok();
  }
}

}  // namespace schemaward::connect::ddl
