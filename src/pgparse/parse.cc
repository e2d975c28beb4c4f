#include "pgparse/parse.h"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>
#include <pthread.h>

namespace schemaward::pgparse {
namespace {

constexpr std::size_t kBlockBytes = 256u << 10;

void* RunWork(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

void* AllocateFrom(void* arena, std::size_t bytes) {
  return static_cast<Arena*>(arena)->Allocate(bytes);
}
void KeepAllocated(void*, void*) {}

}  // namespace

Status RunOnDeepStack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return Error(ErrorKind::Internal, "the parser's thread cannot be prepared");
  pthread_t thread;
  const bool started =
      pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
      pthread_create(&thread, &attributes, RunWork,
                     const_cast<std::function<void()>*>(&work)) == 0;  // RunWork only calls it
  pthread_attr_destroy(&attributes);
  if (!started) return Error(ErrorKind::Internal, "the parser's thread cannot be started");
  pthread_join(thread, nullptr);
  return Ok();
}

Status CheckBounds(std::size_t tokens, int depth) {
  if (tokens > kParseTokensMax)
    return Error(ErrorKind::ByteCap, fmt::format("more than {} words", kParseTokensMax));
  if (depth > kParseDepthMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("parentheses nested more than {} deep", kParseDepthMax));
  return Ok();
}

void* Arena::Allocate(std::size_t bytes) {
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  bytes = (std::max<std::size_t>(bytes, 1) + kAlign - 1) / kAlign * kAlign;
  if (size_ - used_ < bytes) {
    size_ = std::max(bytes, kBlockBytes);
    blocks_.push_back(std::make_unique<char[]>(size_));
    used_ = 0;
  }
  used_ += bytes;
  return blocks_.back().get() + used_ - bytes;
}

void Arena::Reset() {
  if (blocks_.size() > 1 || size_ > kBlockBytes) {
    blocks_.clear();
    size_ = 0;
  }
  used_ = 0;
}

Result<const Node*> Parser::Parse(const std::string& sql, std::size_t tokens, int depth) {
  WARD_CHECK(CheckBounds(tokens, depth));
  PgQueryProtobufParseResult result = pg_query_parse_protobuf(sql.c_str());
  const std::unique_ptr<PgQueryProtobufParseResult, void (*)(PgQueryProtobufParseResult*)> parsed(
      &result,
      [](PgQueryProtobufParseResult* owned) { pg_query_free_protobuf_parse_result(*owned); });
  if (parsed->error != nullptr)
    return Error(ErrorKind::SqlSyntax, "not PostgreSQL").Private(parsed->error->message);
  arena_.Reset();
  ProtobufCAllocator allocator{AllocateFrom, KeepAllocated, &arena_};
  const PgQuery__ParseResult* tree = pg_query__parse_result__unpack(
      &allocator, parsed->parse_tree.len,
      reinterpret_cast<const std::uint8_t*>(parsed->parse_tree.data));
  if (tree == nullptr) return Error(ErrorKind::Internal, "the parser's tree cannot be read");
  if (tree->n_stmts != 1 || tree->stmts[0]->stmt == nullptr)
    return Error(ErrorKind::SqlSyntax, "not one statement");
  return tree->stmts[0]->stmt;
}

Result<int> RefusedAt(const std::string& sql, std::size_t tokens, int depth) {
  WARD_CHECK(CheckBounds(tokens, depth));
  const PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(sql.c_str());
  const int at = parsed.error == nullptr ? 0 : std::max(parsed.error->cursorpos, 1);
  pg_query_free_protobuf_parse_result(parsed);
  return at;
}

namespace {

// Prints a statement; empty where it cannot be.
std::string Deparse(Node* statement_node) {
  PgQuery__RawStmt statement = PG_QUERY__RAW_STMT__INIT;
  statement.stmt = statement_node;
  PgQuery__RawStmt* statements[] = {&statement};
  PgQuery__ParseResult tree = PG_QUERY__PARSE_RESULT__INIT;
  tree.version = PG_VERSION_NUM;
  tree.n_stmts = 1;
  tree.stmts = statements;

  std::string packed(pg_query__parse_result__get_packed_size(&tree), '\0');
  pg_query__parse_result__pack(&tree, reinterpret_cast<std::uint8_t*>(packed.data()));
  const PgQueryDeparseResult printed = pg_query_deparse_protobuf({packed.size(), packed.data()});
  std::string text;
  if (printed.error == nullptr) text = View(printed.query);
  pg_query_free_deparse_result(printed);
  return text;
}

}  // namespace

std::string ExpressionText(const Node* expression) {
  if (expression == nullptr) return {};
  PgQuery__ResTarget target = PG_QUERY__RES_TARGET__INIT;
  target.val = const_cast<Node*>(expression);  // packing reads only
  PgQuery__Node target_node = PG_QUERY__NODE__INIT;
  target_node.node_case = PG_QUERY__NODE__NODE_RES_TARGET;
  target_node.res_target = &target;
  PgQuery__Node* targets[] = {&target_node};
  PgQuery__SelectStmt select = PG_QUERY__SELECT_STMT__INIT;
  select.n_target_list = 1;
  select.target_list = targets;
  select.limit_option = PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_DEFAULT;
  select.op = PG_QUERY__SET_OPERATION__SETOP_NONE;
  PgQuery__Node select_node = PG_QUERY__NODE__INIT;
  select_node.node_case = PG_QUERY__NODE__NODE_SELECT_STMT;
  select_node.select_stmt = &select;
  const std::string printed = Deparse(&select_node);
  constexpr std::string_view kSelect = "SELECT ";
  return printed.starts_with(kSelect) ? printed.substr(kSelect.size()) : std::string();
}

std::string QueryText(const Node* query) {
  if (query == nullptr) return {};
  return Deparse(const_cast<Node*>(query));  // packing reads only
}

std::string_view View(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

std::string_view StringOf(const Node* node) {
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_STRING) return {};
  return View(node->string->sval);
}

std::vector<std::string> StringsOf(const Node* const* nodes, std::size_t count) {
  std::vector<std::string> strings;
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) strings.emplace_back(StringOf(nodes[i]));
  return strings;
}

std::vector<std::string> NamesOf(const Node* node) {
  if (node == nullptr) return {};
  if (node->node_case == PG_QUERY__NODE__NODE_LIST)
    return StringsOf(node->list->items, node->list->n_items);
  if (node->node_case == PG_QUERY__NODE__NODE_TYPE_NAME)
    return StringsOf(node->type_name->names, node->type_name->n_names);
  if (node->node_case == PG_QUERY__NODE__NODE_STRING) return {std::string(StringOf(node))};
  return {};
}

}  // namespace schemaward::pgparse
