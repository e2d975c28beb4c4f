#include "querylog/read.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "pgparse/encoding.h"
#include "pgparse/normalize.h"
#include "pgparse/parse.h"
#include "pgparse/script.h"
#include "querylog/names.h"
#include "querylog/search_path.h"
#include "querylog/select_reader.h"

namespace schemaward::querylog {
namespace {

using pgparse::Statement;

constexpr std::size_t kStatementsPerCheck = 256;

/// A statement without constants and comments, however often it stands in the log.
struct Different {
  std::string replaced;  ///< the text with placeholders
  std::int64_t calls = 0;
  std::int64_t statements = 0;
  std::size_t tokens = 0;
  int depth = 0;
  std::size_t path = 0;  ///< position in the list of search paths
  bool has_constants = false;
  std::string place;
};

enum class Kind : std::uint8_t { Query, SearchPath, Other };

/// What a statement is, by its first words; only what may hold a query is parsed.
Kind KindOf(const Statement& statement) {
  const auto& head = statement.head;
  if (head.empty()) return Kind::Other;
  const std::string& first = head.front();
  if (first == "set")
    return std::find(head.begin(), head.end(), "search_path") == head.end() ? Kind::Other
                                                                            : Kind::SearchPath;
  if (first == "create") {
    const bool makes = std::any_of(head.begin(), head.end(), [](const std::string& word) {
      return word == "view" || word == "table";
    });
    return makes ? Kind::Query : Kind::Other;
  }
  return first == "select" || first == "with" || first == "insert" ? Kind::Query : Kind::Other;
}

class LogReader {
 public:
  LogReader(const std::vector<catalog::Table>& tables, const ReadOptions& options, CallContext& ctx)
      : names_(tables), ctx_(ctx), paths_{options.search_path} {}

  Status Run(const std::vector<Entry>& log) {
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (i % kStatementsPerCheck == 0) WARD_CHECK(ctx_.Check());
      WARD_CHECK(Take(log[i]));
    }
    std::size_t done = 0;
    for (const auto& [key, different] : different_) {
      if (done++ % kStatementsPerCheck == 0) WARD_CHECK(ctx_.Check());
      Interpret(key.second, different);
    }
    Finish();
    return Ok();
  }

  Evidence TakeEvidence() { return std::move(evidence_); }

 private:
  struct Seen {
    std::int64_t observations = 0, calls = 0;
  };

  Status Take(const Entry& entry) {
    pgparse::ScriptReader script(entry.sql);
    Statement statement;
    while (script.Next(statement)) {
      if (++evidence_.counts.statements > static_cast<std::int64_t>(kStatementsMax))
        return Error(ErrorKind::ByteCap,
                     fmt::format("the query log has more than {} statements", kStatementsMax));
      switch (statement.origin == pgparse::StatementOrigin::Sql ? KindOf(statement) : Kind::Other) {
        case Kind::Query:
          if (const Status added = Add(statement, entry); !added)
            NoteUnread(entry.place, added.error());
          break;
        case Kind::SearchPath:
          FollowSearchPath(statement);
          ++evidence_.counts.other;
          break;
        case Kind::Other:
          ++evidence_.counts.other;
      }
    }
    return Ok();
  }

  /// Keeps the statement beside those that are the same but for constants and comments.
  Status Add(const Statement& statement, const Entry& entry) {
    if (statement.truncated || statement.text.size() > kStatementBytesMax)
      return Error(ErrorKind::ByteCap, fmt::format("longer than {} bytes", kStatementBytesMax));
    if (!pgparse::IsUtf8(statement.text)) return Error(ErrorKind::InputUnreadable, "not UTF-8");
    const auto tokens = static_cast<std::size_t>(statement.tokens);
    WARD_TRY(std::string replaced,
             pgparse::ReplaceConstants(statement.text, tokens, statement.depth));
    WARD_TRY(pgparse::PlainText plain, pgparse::MakePlain(replaced));
    Different& different = different_[{path_, std::move(plain.text)}];
    if (different.statements++ == 0) {
      different.replaced = std::move(replaced);
      different.tokens = tokens;
      different.depth = statement.depth;
      different.path = path_;
      different.has_constants = plain.has_constants;
      different.place = entry.place;
    }
    different.calls += std::max<std::int64_t>(entry.calls, 0);
    return Ok();
  }

  void FollowSearchPath(const Statement& statement) {
    auto path = SearchPathOf(statement);
    if (!path) return;
    const auto known = std::find(paths_.begin(), paths_.end(), *path);
    path_ = static_cast<std::size_t>(known - paths_.begin());
    if (known == paths_.end()) paths_.push_back(*std::move(path));
  }

  void NoteUnread(const std::string& place, const Error& error) {
    ++evidence_.counts.unread;
    if (evidence_.counts.unread_first.size() < kUnreadShownMax)
      evidence_.counts.unread_first.push_back({place, error.message()});
  }

  void Interpret(const std::string& text, const Different& different) {
    Counts& counts = evidence_.counts;
    const auto tree = parser_.Parse(different.replaced, different.tokens, different.depth);
    if (!tree) {
      NoteUnread(different.place, tree.error());
      counts.unread += different.statements - 1;
      return;
    }
    SelectReader reader(names_, paths_[different.path]);
    const Reading reading = reader.Read(**tree);
    if (!reading.is_query) {
      counts.other += different.statements;
      return;
    }
    if (!reading.is_whole) {
      NoteUnread(different.place, Error(ErrorKind::ByteCap, "nested too deep"));
      counts.unread += different.statements - 1;
      return;
    }
    if (reading.touched.empty()) {
      counts.elsewhere += different.statements;
      return;
    }
    counts.read += different.statements;
    ++counts.different;
    for (const TablePair& join : reading.joins) {
      Seen& seen = joins_[join];
      ++seen.observations;
      seen.calls += different.calls;
    }
    if (reading.is_read && reading.resolved && !different.has_constants)
      AddQuery(text, different.calls, reading);
  }

  void AddQuery(const std::string& text, std::int64_t calls, const Reading& reading) {
    if (text.size() > kQueryBytesMax) {
      ++evidence_.counts.queries_cut;
      return;
    }
    Query query{text, calls, {}};
    for (const auto& [table, columns] : reading.touched) {
      TouchedTable& touched = query.tables.emplace_back();
      touched.table = table;
      for (const std::size_t column : columns)
        touched.columns.push_back(names_.tables()[table].columns[column].name);
    }
    queries_.push_back(std::move(query));
  }

  void Finish() {
    for (const auto& [join, seen] : joins_) {
      ObservedJoin& made = evidence_.joins.emplace_back();
      const catalog::Table& table = names_.tables()[join.table];
      const catalog::Table& target = names_.tables()[join.target];
      made.table = catalog::QualifiedName(table);
      made.target = catalog::QualifiedName(target);
      for (const auto& [column, target_column] : join.columns) {
        made.columns.push_back(table.columns[column].name);
        made.target_columns.push_back(target.columns[target_column].name);
      }
      made.observations = seen.observations;
      made.calls = seen.calls;
    }
    std::stable_sort(evidence_.joins.begin(), evidence_.joins.end(),
                     [](const ObservedJoin& a, const ObservedJoin& b) {
                       return std::tie(b.observations, a.table, a.target, a.columns) <
                              std::tie(a.observations, b.table, b.target, b.columns);
                     });
    evidence_.joins.resize(std::min(evidence_.joins.size(), kJoinsMax));
    KeepQueries();
  }

  /// A query is kept while it is one of the most called of a table.
  void KeepQueries() {
    std::sort(queries_.begin(), queries_.end(), [](const Query& a, const Query& b) {
      return std::tie(b.calls, a.sql) < std::tie(a.calls, b.sql);
    });
    std::map<std::size_t, std::size_t> kept_of;
    for (Query& query : queries_) {
      const bool wanted = std::any_of(
          query.tables.begin(), query.tables.end(),
          [&](const TouchedTable& one) { return kept_of[one.table] < kQueriesPerTableMax; });
      if (!wanted || evidence_.queries.size() >= kQueriesMax) {
        ++evidence_.counts.queries_cut;
        continue;
      }
      for (const TouchedTable& one : query.tables) ++kept_of[one.table];
      evidence_.queries.push_back(std::move(query));
    }
    evidence_.counts.queries = static_cast<std::int64_t>(evidence_.queries.size());
  }

  const Names names_;
  CallContext& ctx_;
  pgparse::Parser parser_;
  std::vector<std::vector<std::string>> paths_;
  std::size_t path_ = 0;
  std::map<std::pair<std::size_t, std::string>, Different> different_;  // by path and plain text
  std::map<TablePair, Seen> joins_;
  std::vector<Query> queries_;
  Evidence evidence_;
};

}  // namespace

Result<Evidence> Read(const std::vector<Entry>& log, const std::vector<catalog::Table>& tables,
                      const ReadOptions& options, CallContext& ctx) {
  LogReader reader(tables, options, ctx);
  Status done = Ok();
  WARD_CHECK(pgparse::RunOnDeepStack([&] { done = reader.Run(log); }));
  WARD_CHECK(done);
  return reader.TakeEvidence();
}

}  // namespace schemaward::querylog
