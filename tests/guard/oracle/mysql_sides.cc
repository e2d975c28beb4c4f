// Two databases of one MySQL or MariaDB server, asked in one session: a statement names its
// database. Two sessions would not do: how MariaDB orders equal rows depends on where its memory
// is.
#include <array>
#include <chrono>

#include "connect/mysql/mysql.h"
#include "connect/mysql/session.h"
#include "oracle/sides.h"

namespace schemaward::oracle {
namespace {

namespace my = connect::mysql;

constexpr std::chrono::milliseconds kTimeMax{5'000};

std::string NameOf(const std::string& uri) {
  const std::size_t slash = uri.rfind('/');
  return uri.substr(slash + 1, uri.find('?', slash) - slash - 1);
}

std::string Renamed(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

class MySqlSides final : public Sides {
 public:
  MySqlSides(std::unique_ptr<my::Session> session, std::array<std::string, 2> names,
             std::vector<catalog::Table> tables, CallContext& ctx)
      : session_(std::move(session)),
        names_(std::move(names)),
        tables_(std::move(tables)),
        ctx_(ctx) {}

  const std::vector<catalog::Table>& tables() const override { return tables_; }

  Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) override {
    std::vector<Answer> answers;
    for (const guard::Approved& approved : batch) {
      const std::string text =
          copy == Copy::A ? approved.text()
                          : Renamed(approved.text(), "`" + names_[0] + "`", "`" + names_[1] + "`");
      const auto reply = session_->Ask({text, {}}, kTimeMax, ctx_);
      // A statement that ends the server is the one to be named.
      if (session_->IsBroken()) return Error(ErrorKind::SourceUnreachable, "broken").Private(text);
      answers.push_back(reply ? TextOf(*reply) : AnswerOf(reply.error()));
    }
    return answers;
  }

 private:
  static Answer TextOf(const my::Reply& reply) {
    std::string text;
    for (const my::Row& row : reply.rows) {
      for (const auto& cell : row) text += cell.value_or("\1") + '\2';
      text += '\n';
    }
    return {Answer::What::Rows, text};
  }

  const std::unique_ptr<my::Session> session_;
  const std::array<std::string, 2> names_;
  const std::vector<catalog::Table> tables_;
  CallContext& ctx_;
};

}  // namespace

Result<std::unique_ptr<Sides>> OpenMySql(const std::string& uri_a, const std::string& uri_b,
                                         CallContext& ctx) {
  const connect::Target target{"mysql", uri_a, {}};
  WARD_TRY(auto session, my::Session::Open(target, ctx));
  WARD_TRY(const auto connector, my::MakeEngine()->Open(target, ctx));
  WARD_TRY(catalog::Database database, connector->Introspect({}, ctx));
  return std::make_unique<MySqlSides>(std::move(session), std::array{NameOf(uri_a), NameOf(uri_b)},
                                      std::move(database.tables), ctx);
}

}  // namespace schemaward::oracle
