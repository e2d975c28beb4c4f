#include "connect/ddl/read_script.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/finish.h"
#include "connect/ddl/flavour.h"
#include "connect/ddl/parse.h"
#include "connect/ddl/state.h"

namespace schemaward::connect::ddl {
namespace {

/// Statements between two looks at the deadline and two reports of progress.
constexpr std::int64_t kStatementsPerCheck = 256;
/// Characters of a statement that name it.
constexpr std::size_t kShownBytesMax = 60;

/// The list of what could not be read: the first kMissingMax, and how many more.
class MissingList {
 public:
  void Add(std::string object, std::string reason) {
    if (list_.size() < kMissingMax) {
      list_.push_back({std::move(object), std::move(reason)});
    } else {
      ++more_;
    }
  }
  std::vector<catalog::Missing> Take() {
    if (more_ > 0) list_.push_back({"script", fmt::format("... and {} more", more_)});
    return std::move(list_);
  }

 private:
  std::vector<catalog::Missing> list_;
  std::int64_t more_ = 0;
};

/// The first words of a statement on one line; literals are blanked, since they may hold data.
std::string FirstWords(std::string_view text) {
  std::string shown;
  bool in_literal = false;
  for (char c : text) {
    if (shown.size() >= kShownBytesMax) break;
    if (c == '\'') {
      if (!in_literal) shown += "'...'";
      in_literal = !in_literal;
    } else if (!in_literal) {
      const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
      if (blank && shown.ends_with(' ')) continue;
      shown += blank ? ' ' : c;
    }
  }
  while (!shown.empty() && !IsUtf8(shown)) shown.pop_back();  // a character cut apart
  return shown;
}

/// Reads one script, statement by statement.
class Reader {
 public:
  Reader(std::string_view script, CallContext& ctx) : script_(script), reader_(script), ctx_(ctx) {}

  void Run() {
    Statement statement;
    for (std::int64_t n = 0; reader_.Next(statement); ++n) {
      if (n % kStatementsPerCheck == 0) {
        status_ = ctx_.Check();
        if (!status_) return;
        if (ctx_.progress)
          ctx_.progress({static_cast<std::int64_t>(reader_.position()),
                         static_cast<std::int64_t>(script_.size()), "reading the script"});
      }
      Take(statement);
    }
    std::vector<catalog::Missing> lacking;
    tables_ = Finish(state_, lacking);
    for (catalog::Missing& one : lacking)
      missing_.Add(std::move(one.object), std::move(one.reason));
  }

  Result<catalog::Database> Answer(const std::vector<std::string>& schemas) {
    WARD_CHECK(status_);
    if (failed_ > read_)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("the script is not PostgreSQL: {} of {} statements cannot be read",
                               failed_, failed_ + read_))
          .Hint(FlavourHint(script_));
    catalog::Database database;
    database.engine = "ddl";
    database.engine_version = DumpedVersion(script_);
    database.tables = std::move(tables_);
    if (!schemas.empty())
      std::erase_if(database.tables, [&](const catalog::Table& table) {
        return std::find(schemas.begin(), schemas.end(), table.schema) == schemas.end();
      });
    database.missing = missing_.Take();
    return database;
  }

 private:
  void Take(Statement& statement) {
    if (statement.origin == StatementOrigin::Include) {
      missing_.Add(LineName(statement), "another file is included there, which is not read");
      return;
    }
    switch (Classify(statement.head, statement.text)) {
      case Relevance::Ignored:
        NoteEncoding(statement);
        return;
      case Relevance::Foreign:
        missing_.Add(LineName(statement),
                     "the tables of IMPORT FOREIGN SCHEMA are known to the server alone");
        return;
      case Relevance::Structure:
        if (Status status = Use(statement); !status) {
          missing_.Add(LineName(statement),
                       fmt::format("{}: {}", status.error().message(), FirstWords(statement.text)));
        }
    }
  }

  static std::string LineName(const Statement& statement) {
    return fmt::format("line {}", statement.line);
  }

  /// SET client_encoding = 'LATIN1' tells what bytes past ASCII mean.
  void NoteEncoding(const Statement& statement) {
    if (statement.head.size() > 1 && statement.head[0] == "set" &&
        std::find(statement.head.begin(), statement.head.end(), "client_encoding") !=
            statement.head.end())
      latin1_ = NamesLatin1(statement.text);
  }

  Status Use(Statement& statement) {
    ++failed_;
    if (statement.truncated)
      return Error(ErrorKind::ByteCap, fmt::format("longer than {} bytes", kStatementBytesMax));
    if (latin1_) statement.text = Latin1ToUtf8(statement.text);
    if (!IsUtf8(statement.text)) return Error(ErrorKind::InputUnreadable, "not UTF-8");
    WARD_TRY(
        const Node* tree,
        parser_.Parse(statement.text, static_cast<std::size_t>(statement.tokens), statement.depth));
    --failed_;
    ++read_;
    return Apply(tree, state_);
  }

  std::string_view script_;
  ScriptReader reader_;
  CallContext& ctx_;
  Parser parser_;
  SchemaState state_;
  MissingList missing_;
  std::vector<catalog::Table> tables_;
  Status status_ = Ok();
  bool latin1_ = false;
  std::int64_t read_ = 0;    ///< statements of structure that the parser took
  std::int64_t failed_ = 0;  ///< and that it did not
};

}  // namespace

Result<catalog::Database> ReadScript(std::string_view script,
                                     const std::vector<std::string>& schemas, CallContext& ctx) {
  WARD_CHECK(RefuseNoScript(script));
  Reader reader(script, ctx);
  WARD_CHECK(RunOnDeepStack([&] { reader.Run(); }));
  return reader.Answer(schemas);
}

}  // namespace schemaward::connect::ddl
