#pragma once

// Approved: a statement that may reach an engine. Only the guard can make one, so a query that was
// not checked does not compile.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sql/dialect.h"
#include "sql/statement.h"

namespace schemaward::guard {

class Guard;

/// A table that an approved statement reads.
struct TableRead {
  std::string schema;
  std::string table;
  std::vector<std::string> columns;
  bool operator==(const TableRead&) const = default;
};

/// What is set in the transaction before the statement, so that the engine's own row security
/// decides. Values are bound, never written into a statement's text.
struct DatabaseSession {
  std::string role;                                           ///< empty: none
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value, by name
  bool IsEmpty() const { return role.empty() && settings.empty(); }
  bool operator==(const DatabaseSession&) const = default;
};

/// What answers show of a statement over tables that have columns of hidden names.
struct Shown {
  std::string text;                      ///< as it runs, or as the caller wrote it
  std::vector<sql::Literal> parameters;  ///< in the text's order
  std::vector<TableRead> reads;          ///< hidden columns under their placeholders
};

/// Thread: immutable.
class Approved {
 public:
  const std::string& text() const { return text_; }
  const std::vector<sql::Literal>& parameters() const { return parameters_; }
  const sql::Dialect& dialect() const { return *dialect_; }
  const std::vector<TableRead>& reads() const { return reads_; }
  /// What the texts of views read that stand in the statement in the views' place; not the
  /// caller's reads.
  const std::vector<TableRead>& inside() const { return inside_; }
  /// What answers may show of it: as above, unless names are hidden. A statement on which the
  /// server put such a name (by an index or the text of a view, a star, a filter, a least group) is
  /// shown as it came.
  const std::string& shown_text() const { return shown_ ? shown_->text : text_; }
  const std::vector<sql::Literal>& shown_parameters() const {
    return shown_ ? shown_->parameters : parameters_;
  }
  const std::vector<TableRead>& shown_reads() const { return shown_ ? shown_->reads : reads_; }
  /// Ids of the rules that were passed, for the audit record.
  const std::vector<std::string>& rules() const { return rules_; }
  /// True when the plan is asked for, not the rows: text() is the query to explain.
  bool is_explain() const { return is_explain_; }
  /// Columns of the answer whose values are masked by the statement, as they are named in it.
  const std::vector<std::string>& masked() const { return masked_; }
  /// What a connector must set before the statement runs or is explained; a connector that cannot
  /// must refuse.
  const DatabaseSession& session() const { return session_; }

 private:
  friend class Guard;
  Approved() = default;
  std::string text_;
  std::vector<sql::Literal> parameters_;
  const sql::Dialect* dialect_ = nullptr;
  std::vector<TableRead> reads_;
  std::vector<TableRead> inside_;
  std::optional<Shown> shown_;
  std::vector<std::string> rules_;
  bool is_explain_ = false;
  std::vector<std::string> masked_;
  DatabaseSession session_;
};

}  // namespace schemaward::guard
