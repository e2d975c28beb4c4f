// MERGE of a script, in the forms of PostgreSQL and DuckDB.
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {

Status Parser::Merge(Change& change) {
  change.kind = ChangeKind::Merge;
  Skip();
  WARD_CHECK(NeedWord("INTO"));
  WARD_TRY(change.target, Joined());
  WARD_CHECK(NeedWord("USING"));
  WARD_TRY(auto source, Joined());
  change.from.push_back(std::move(source));
  if (is_duckdb_ && TakeWord("USING")) {
    WARD_TRY(change.using_columns, NameList());
  } else {
    WARD_CHECK(NeedWord("ON"));
    WARD_TRY(change.on, Value());
  }
  if (!IsWord("WHEN")) return Expected("WHEN");
  while (TakeWord("WHEN")) {
    WARD_TRY(auto branch, ReadMergeBranch(change));
    change.branches.push_back(std::move(branch));
  }
  return ChangeTail(change);
}

// [NOT] MATCHED [BY SOURCE | BY TARGET] [AND condition] THEN action
Result<Change> Parser::ReadMergeBranch(const Change& merge) {
  Change branch;
  branch.is_of_merge = true;
  if (TakeWord("NOT")) branch.sees_target = false;
  WARD_CHECK(NeedWord("MATCHED"));
  if (!branch.sees_target && TakeWord("BY")) {
    branch.sees_target = TakeWord("SOURCE");
    branch.sees_source = !branch.sees_target;
    if (!branch.sees_target) WARD_CHECK(NeedWord("TARGET"));
  }
  if (TakeWord("AND")) {
    WARD_TRY(branch.on, Value());
  }
  WARD_CHECK(NeedWord("THEN"));
  // What is said of the action stands where the action does.
  branch.target = std::make_unique<TableExpression>();
  branch.target->names = merge.target->names;
  branch.target->begin = Now().begin;
  branch.words.push_back(Now().upper);
  WARD_CHECK(MergeAction(branch));
  branch.target->end = tokens_[at_ - 1].end;
  return branch;
}

Status Parser::MergeAction(Change& branch) {
  if (TakeWords({"DO", "NOTHING"})) return Ok();
  if (is_duckdb_ && TakeWord("ERROR")) {
    if (IsWord("WHEN") || IsWord("RETURNING") || Now().kind == TokenKind::End) return Ok();
    WARD_TRY(const auto message, Value());
    (void)message;
    return Ok();
  }
  if (TakeWord("DELETE")) {
    branch.kind = ChangeKind::Delete;
    return Ok();
  }
  if (TakeWord("UPDATE")) return MergeUpdate(branch);
  if (TakeWord("INSERT")) return MergeInsert(branch);
  return Expected("INSERT, UPDATE, DELETE or DO NOTHING");
}

Status Parser::MergeUpdate(Change& branch) {
  branch.kind = ChangeKind::Update;
  if (is_duckdb_ && TakeWord("BY")) {  // NAME, POSITION
    Skip();
    return Ok();
  }
  if (is_duckdb_ && !IsWord("SET")) return Ok();
  WARD_CHECK(NeedWord("SET"));
  if (is_duckdb_ && TakeSymbol("*")) return Ok();
  return Assignments(branch.assignments);
}

Status Parser::MergeInsert(Change& branch) {
  branch.kind = ChangeKind::Insert;
  if (is_duckdb_ && TakeWord("BY")) Skip();  // NAME, POSITION
  if (is_duckdb_ && TakeSymbol("*")) {
    branch.is_by_name = true;
    return Ok();
  }
  if (IsSymbol("(")) WARD_CHECK(InsertColumns(branch));
  if (TakeWord("OVERRIDING")) Skip(2);  // SYSTEM VALUE
  if (TakeWords({"DEFAULT", "VALUES"})) {
    branch.has_default_values = true;
    return Ok();
  }
  if (is_duckdb_ && !IsWord("VALUES")) {  // the source's columns, whatever they are called
    branch.is_by_name = true;
    return Ok();
  }
  WARD_CHECK(NeedWord("VALUES"));
  return Rows(branch);
}

}  // namespace schemaward::sql::query
