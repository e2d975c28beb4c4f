#include "querylog/evidence.h"

namespace schemaward::querylog {

void ObservedJoin::Bind(json::Fields& f) {
  f("table", table, "one side");
  f("target", target, "the other side");
  f("columns", columns, "of the one side");
  f("target_columns", target_columns, "of the other side, pair by pair");
  f("observations", observations, "different statements that join so");
  f("calls", calls, "how often those ran");
}

void Unread::Bind(json::Fields& f) {
  f("place", place, "where the statement stands");
  f("reason", reason, "why it could not be read");
}

void Counts::Bind(json::Fields& f) {
  f("statements", statements, "statements there were");
  f("read", read, "statements that read tables of the index");
  f("elsewhere", elsewhere, "queries that read no table of the index");
  f("other", other, "statements that are no queries");
  f("unread", unread, "statements that could not be read");
  f("unread_first", unread_first, "the first of those");
  f("different", different, "different ones among those read");
  f("queries", queries, "queries kept as examples");
  f("queries_cut", queries_cut, "queries past the bounds, not kept");
}

}  // namespace schemaward::querylog
