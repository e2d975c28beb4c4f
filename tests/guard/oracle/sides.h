#pragma once

// The two copies of the data in one engine, and how approved statements run on both.

#include <memory>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "guard/approved.h"
#include "oracle/shape.h"

namespace schemaward::oracle {

struct Answer {
  enum class What : unsigned char {
    Rows,
    Failed,
    Stopped,  ///< by a limit: how far a statement came is no answer
    Denied,   ///< the engine's own privileges refused it
    Lost      ///< the connection went away while it ran
  };
  What what = What::Rows;
  std::string text;  ///< rows in order, or the kind of the failure

  bool operator==(const Answer&) const = default;
};

/// Thread: owner.
class Sides {
 public:
  virtual ~Sides() = default;
  /// The tables as the guard sees them.  Lifetime: this.
  virtual const std::vector<catalog::Table>& tables() const = 0;
  /// Runs the statements on a copy; one answer each, in order. They end with the one that the
  /// connection was lost over. Errors: those of a connection that cannot be opened anew.
  virtual Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) = 0;
  /// Runs a text as it was written, unchecked, on copy A.
  virtual Result<Answer> RunAsWritten(const std::string& text) = 0;
  /// Connects again after that. True where the server is another: the one before died, and someone
  /// has started one in its place. Errors: SourceUnreachable where none comes.
  virtual Result<bool> Reopen() {
    return Error(ErrorKind::SourceUnreachable, "nothing starts this engine again");
  }
};

/// In memory.
Result<std::unique_ptr<Sides>> OpenSqlite(const Shape& shape, CallContext& ctx);
/// uri_a, uri_b: two empty databases of one server, of a superuser. `is_granted`: statements run as
/// a role with grants on the columns that are not blocked, and on the guard's functions alone.
Result<std::unique_ptr<Sides>> OpenPostgres(const std::string& uri_a, const std::string& uri_b,
                                            bool is_granted, const Shape& shape, CallContext& ctx);
/// The same for MySQL; the URIs name the databases, which hold the copies already (Script): the
/// session that the oracle uses cannot write.
Result<std::unique_ptr<Sides>> OpenMySql(const std::string& uri_a, const std::string& uri_b,
                                         const Shape& shape, CallContext& ctx);
/// In memory, on one thread. `library`: DuckDB's.
Result<std::unique_ptr<Sides>> OpenDuckDb(const std::string& library, const Shape& shape,
                                          CallContext& ctx);

/// An answer that an error is.
Answer AnswerOf(const Error& error);

}  // namespace schemaward::oracle
