// Two databases of one MySQL or MariaDB server, asked in one session: a statement names its
// database. Two sessions would not do: how MariaDB orders equal rows depends on where its memory
// is.
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connect/mysql/mysql.h"
#include "connect/mysql/session.h"
#include "oracle/sides.h"

namespace schemaward::oracle {
namespace {

namespace my = connect::mysql;

constexpr std::chrono::milliseconds kTimeMax{5'000};
// A server that died writes down where, and is started again by oracle.sh.
constexpr int kReopensMax = 60;
constexpr std::chrono::seconds kBetween{1};

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
  MySqlSides(std::unique_ptr<my::Session> session, connect::Target target,
             std::array<std::string, 2> names, std::vector<catalog::Table> tables, std::string plan,
             CallContext& ctx)
      : session_(std::move(session)),
        target_(std::move(target)),
        names_(std::move(names)),
        tables_(std::move(tables)),
        plan_(std::move(plan)),
        ctx_(ctx) {}

  const std::vector<catalog::Table>& tables() const override { return tables_; }

  Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) override {
    std::vector<Answer> answers;
    for (const guard::Approved& approved : batch) {
      const std::string text =
          copy == Copy::A ? approved.text()
                          : Renamed(approved.text(), "`" + names_[0] + "`", "`" + names_[1] + "`");
      const auto reply = session_->Ask({plan_ + text, {}}, kTimeMax, ctx_);
      if (session_->IsBroken()) {
        answers.push_back({Answer::What::Lost, text});
        break;
      }
      answers.push_back(reply ? TextOf(*reply) : AnswerOf(reply.error()));
    }
    return answers;
  }

  Result<Answer> RunAsWritten(const std::string& text) override {
    const auto reply = session_->Ask({text, {}}, kTimeMax, ctx_);
    if (session_->IsBroken()) return Answer{Answer::What::Lost, text};
    return reply ? TextOf(*reply) : AnswerOf(reply.error());
  }

  Result<bool> Reopen() override {
    for (int tries = 0; tries < kReopensMax; ++tries) {
      std::this_thread::sleep_for(kBetween);
      auto session = my::Session::Open(target_, ctx_);
      if (!session) continue;
      session_ = *std::move(session);
      WARD_TRY(const std::chrono::seconds up, UpOf(*session_));
      const auto before = std::exchange(opened_at_, std::chrono::steady_clock::now());
      return opened_at_ - before > up;
    }
    return Error(ErrorKind::SourceUnreachable, "the server did not come back");
  }

 private:
  // For how long the server has run, in whole seconds.
  Result<std::chrono::seconds> UpOf(my::Session& session) {
    WARD_TRY(const my::Reply reply,
             session.Ask({"SHOW GLOBAL STATUS LIKE 'Uptime'", {}}, kTimeMax, ctx_));
    if (reply.rows.empty()) return Error(ErrorKind::Internal, "no uptime");
    return std::chrono::seconds(std::atoll(reply.rows.front().back().value_or("0").c_str()));
  }

  static Answer TextOf(const my::Reply& reply) {
    std::string text;
    for (const my::Row& row : reply.rows) {
      for (const auto& cell : row) text += cell.value_or("\1") + '\2';
      text += '\n';
    }
    return {Answer::What::Rows, text};
  }

  std::unique_ptr<my::Session> session_;
  std::chrono::steady_clock::time_point opened_at_ = std::chrono::steady_clock::now();
  const connect::Target target_;
  const std::array<std::string, 2> names_;
  const std::vector<catalog::Table> tables_;
  const std::string plan_;  // before each statement
  CallContext& ctx_;
};

}  // namespace

Result<std::unique_ptr<Sides>> OpenMySql(const std::string& uri_a, const std::string& uri_b,
                                         const Shape& shape, CallContext& ctx) {
  const connect::Target target{"mysql", uri_a, {}};
  WARD_TRY(auto session, my::Session::Open(target, ctx));
  WARD_TRY(const auto connector, my::MakeEngine()->Open(target, ctx));
  WARD_TRY(catalog::Database database, connector->Introspect({}, ctx));
  const std::vector<std::string> plans = shape.Plans(Engine::MySql);
  return std::make_unique<MySqlSides>(
      std::move(session), target, std::array{NameOf(uri_a), NameOf(uri_b)},
      std::move(database.tables),
      plans.empty() ? "" : fmt::format("SET STATEMENT {} FOR ", fmt::join(plans, ", ")), ctx);
}

}  // namespace schemaward::oracle
