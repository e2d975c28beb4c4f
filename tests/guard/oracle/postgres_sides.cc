// Two databases of a PostgreSQL server. A batch is one flight: a statement is a segment of its own.
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "connect/postgres/postgres.h"
#include "connect/postgres/session.h"
#include "guard/function_list.h"
#include "oracle/sides.h"

namespace schemaward::oracle {
namespace {

namespace pg = connect::postgres;

constexpr std::chrono::seconds kTimeMax{120};
constexpr const char* kSearchPath = "SET search_path = pg_catalog, pg_temp";
constexpr const char* kRole = "ward_oracle_reader";

Result<std::vector<pg::Answer>> Fly(pg::Session& session, const std::vector<std::string>& texts,
                                    CallContext& ctx) {
  std::vector<pg::Statement> flight;
  flight.reserve(texts.size());
  for (const std::string& text : texts) flight.push_back({text, {}, true, nullptr});
  return session.Fly(std::move(flight), kTimeMax, ctx);
}

Status Do(pg::Session& session, const std::vector<std::string>& texts, CallContext& ctx) {
  WARD_TRY(const auto answers, Fly(session, texts, ctx));
  for (const pg::Answer& answer : answers)
    if (answer.error) return *answer.error;
  return Ok();
}

// What the role may do: read the columns that are not blocked, and call the guard's functions, the
// operators' and those of casts: a cast by way of text calls the types' input and output, and where
// the planner has folded its first half into a constant, also cstring's. Types that look names up
// in the catalog (regclass) stay out.
Result<std::vector<std::string>> Grants(pg::Session& session, CallContext& ctx) {
  std::vector<std::string> grants = {
      "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog, information_schema, public FROM "
      "PUBLIC",
      fmt::format("GRANT USAGE ON SCHEMA public TO {}", kRole)};
  for (const Relation& relation : Relations(Engine::Postgres, false)) {
    std::string columns;
    for (const Column& column : relation.columns)
      if (!column.is_blocked) columns += (columns.empty() ? "" : ", ") + column.name;
    grants.push_back(fmt::format("GRANT SELECT ({}) ON {} TO {}", columns, relation.name, kRole));
  }
  WARD_TRY(const auto names,
           Fly(session,
               {"SELECT DISTINCT p.oid::regprocedure, p.proname, p.prokind FROM "
                "pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND "
                "p.prokind IN ('f', 'a', 'w')",
                "SELECT DISTINCT o.oprcode::oid::regprocedure FROM pg_operator o "
                "WHERE o.oprcode <> 0 UNION SELECT castfunc::regprocedure FROM "
                "pg_cast WHERE castfunc <> 0 UNION SELECT unnest(ARRAY[typinput, "
                "typoutput])::oid::regprocedure FROM pg_type WHERE typnamespace = "
                "'pg_catalog'::regnamespace AND (typtype = 'b' OR typname = 'cstring') AND "
                "typname NOT LIKE 'reg%'"},
               ctx));
  for (const pg::Answer& answer : names)
    if (answer.error) return *answer.error;
  std::string all;
  const pg::Reply& listed = names[0].reply;
  for (std::size_t row = 0; row < listed.RowCount(); ++row)
    if (guard::FindFunction(sql::Postgres(), listed.Text(row, 1)) != nullptr)
      all += (all.empty() ? "" : ", ") + listed.String(row, 0);
  const pg::Reply& operators = names[1].reply;
  for (std::size_t row = 0; row < operators.RowCount(); ++row)
    all += ", " + operators.String(row, 0);
  grants.push_back(fmt::format("GRANT EXECUTE ON FUNCTION {} TO {}", all, kRole));
  return grants;
}

Status Fill(pg::Session& session, Copy copy, bool is_granted, const Shape& shape,
            CallContext& ctx) {
  std::vector<std::string> script = {"DROP SCHEMA public CASCADE", "CREATE SCHEMA public"};
  for (std::string& statement : Script(Engine::Postgres, copy, shape))
    script.push_back(std::move(statement));
  WARD_CHECK(Do(session, script, ctx));
  if (!is_granted) return Ok();
  // Views with a blocked column among theirs are denied as a whole by security_invoker.
  WARD_CHECK(Do(session, {fmt::format("DROP VIEW {}", fmt::join(BlockedViews(), ", "))}, ctx));
  WARD_TRY(const auto grants, Grants(session, ctx));
  return Do(session, grants, ctx);
}

class PostgresSides final : public Sides {
 public:
  PostgresSides(std::unique_ptr<pg::Session> a, std::unique_ptr<pg::Session> b,
                std::vector<catalog::Table> tables, std::vector<std::string> plans,
                CallContext& ctx)
      : sessions_{std::move(a), std::move(b)},
        tables_(std::move(tables)),
        plans_(std::move(plans)),
        ctx_(ctx) {}

  const std::vector<catalog::Table>& tables() const override { return tables_; }

  Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) override {
    std::vector<std::string> texts;
    std::vector<std::size_t> places;  // of the statements, among what they need set and reset
    for (const guard::Approved& approved : batch) {
      const auto& settings = approved.session().settings;
      for (const auto& [name, value] : settings)
        texts.push_back(fmt::format("SET {} = {}", name, value));
      places.push_back(texts.size());
      texts.push_back(approved.text());
      for (const auto& setting : settings) texts.push_back("RESET " + setting.first);
      if (!settings.empty()) texts.insert(texts.end(), plans_.begin(), plans_.end());
    }
    WARD_TRY(const auto answers, Fly(*sessions_[static_cast<std::size_t>(copy)], texts, ctx_));
    std::vector<Answer> out;
    std::size_t statement = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const pg::Answer& answer = answers[i];
      if (statement < places.size() && places[statement] == i) {
        out.push_back(answer.error ? AnswerOf(*answer.error) : TextOf(answer.reply));
        ++statement;
      } else if (answer.error) {
        return *answer.error;
      }
    }
    return out;
  }

  Result<Answer> RunAsWritten(const std::string& text) override {
    WARD_TRY(const auto answers,
             Fly(*sessions_.front(), {"SET search_path = public", text, kSearchPath}, ctx_));
    const pg::Answer& answer = answers[1];
    return answer.error ? AnswerOf(*answer.error) : TextOf(answer.reply);
  }

 private:
  static Answer TextOf(const pg::Reply& reply) {
    std::string text;
    for (std::size_t row = 0; row < reply.RowCount(); ++row) {
      for (std::size_t i = 0; i < reply.ColumnCount(); ++i) {
        if (reply.IsNull(row, i)) text += '\1';
        text += reply.Text(row, i);
        text += '\2';
      }
      text += '\n';
    }
    return {Answer::What::Rows, text};
  }

  const std::array<std::unique_ptr<pg::Session>, 2> sessions_;
  const std::vector<catalog::Table> tables_;
  const std::vector<std::string> plans_;  // of the shape
  CallContext& ctx_;
};

}  // namespace

Result<std::unique_ptr<Sides>> OpenPostgres(const std::string& uri_a, const std::string& uri_b,
                                            bool is_granted, const Shape& shape, CallContext& ctx) {
  std::array<std::unique_ptr<pg::Session>, 2> sessions;
  std::vector<catalog::Table> tables;
  for (const Copy copy : {Copy::A, Copy::B}) {
    const connect::Target target{"postgres", copy == Copy::A ? uri_a : uri_b, {}};
    auto& session = sessions[static_cast<std::size_t>(copy)];
    WARD_TRY(session, pg::Session::Open(target, ctx));
    WARD_CHECK(Fill(*session, copy, is_granted, shape, ctx));
    if (copy == Copy::A) {
      WARD_TRY(const auto connector, pg::MakeEngine()->Open(target, ctx));
      WARD_TRY(catalog::Database database, connector->Introspect({}, ctx));
      tables = std::move(database.tables);
    }
    std::vector<std::string> settings = {kSearchPath, "SET statement_timeout = 5000",
                                         "SET jit = off", "SET timezone = 'UTC'",
                                         "SET default_transaction_read_only = on"};
    for (std::string& plan : shape.Plans(Engine::Postgres)) settings.push_back(std::move(plan));
    if (is_granted) settings.insert(settings.begin(), fmt::format("SET ROLE {}", kRole));
    WARD_CHECK(Do(*session, settings, ctx));
  }
  return std::make_unique<PostgresSides>(std::move(sessions[0]), std::move(sessions[1]),
                                         std::move(tables), shape.Plans(Engine::Postgres), ctx);
}

}  // namespace schemaward::oracle
