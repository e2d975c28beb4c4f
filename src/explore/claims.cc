#include "explore/claims.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/cut.h"
#include "json/access.h"
#include "json/value.h"

namespace schemaward::explore {
namespace {

constexpr std::size_t kTextBytesMax = 2'000;
constexpr std::size_t kMatchesMax = 10;
constexpr std::array<std::pair<FigureKind, std::string_view>, 5> kKinds = {{
    {FigureKind::OneCell, "cell"},
    {FigureKind::Sum, "sum"},
    {FigureKind::Count, "count"},
    {FigureKind::Ratio, "ratio"},
    {FigureKind::Difference, "difference"},
}};
constexpr std::array<std::pair<Verdict, std::string_view>, 5> kVerdicts = {{
    {Verdict::Confirmed, "confirmed"},
    {Verdict::Adjusted, "adjusted"},
    {Verdict::Rejected, "rejected"},
    {Verdict::Unverifiable, "unverifiable"},
    {Verdict::Error, "error"},
}};

Error Unreadable(const std::string& why) { return {ErrorKind::InputUnreadable, why}; }

std::string_view WordOf(Verdict verdict) {
  for (const auto& [value, word] : kVerdicts)
    if (value == verdict) return word;
  return {};
}

Result<FigureKind> KindOf(const json::Value& object) {
  const std::string word = json::TextOf(object, "kind");
  for (const auto& [kind, name] : kKinds)
    if (name == word) return kind;
  return Unreadable("a figure's \"kind\" must be cell, sum, count, ratio or difference");
}

Result<Part> PartOf(const json::Value& object) {
  if (!object.is_object()) return Unreadable("a figure has no \"of\" or \"base\" object");
  Part part;
  if (object.contains("kind")) {
    WARD_TRY(part.kind, KindOf(object));
  }
  const auto step = json::IntegerOf(json::Member(object, "step"));
  if (!step) return Unreadable("a figure cites no \"step\" by its number");
  part.step = *step;
  part.column = json::TextOf(object, "column");
  const json::Value& where = json::Member(object, "where");
  if (!where.is_null() && (!where.is_array() || where.size() > kMatchesMax))
    return Unreadable(fmt::format("\"where\" is no list of at most {}", kMatchesMax));
  for (const json::Value* match : json::ItemsOf(where))
    part.where.push_back({json::TextOf(*match, "column"), json::TextOf(*match, "value")});
  return part;
}

Result<Figure> FigureOf(const json::Value& object) {
  Figure figure;
  figure.label = CutText(json::TextOf(object, "label"), kTextBytesMax);
  figure.value = CutText(json::TextOf(object, "value"), kTextBytesMax);
  WARD_TRY(figure.kind, KindOf(object));
  WARD_TRY(figure.of, PartOf(json::Member(object, "of")));
  const json::Value& base = json::Member(object, "base");
  if (!base.is_null()) {
    WARD_TRY(figure.base, PartOf(base));
  }
  return figure;
}

Result<Claim> ClaimOf(const json::Value& object) {
  Claim claim;
  claim.text = CutText(json::TextOf(object, "claim"), kTextBytesMax);
  if (claim.text.empty()) return Unreadable("it has no \"claim\"");
  const json::Value& figures = json::Member(object, "figures");
  if (!figures.is_array() || figures.empty() || figures.size() > kFiguresMax)
    return Unreadable(fmt::format("\"figures\" must be a list of 1 to {}", kFiguresMax));
  for (const json::Value& one : figures) {
    WARD_TRY(Figure figure, FigureOf(one));
    claim.figures.push_back(std::move(figure));
  }
  return claim;
}

}  // namespace

Result<std::vector<Claim>> ReadClaims(std::string_view json) {
  const auto document = json::Parse(json);
  if (!document || !document->value().is_array()) return Unreadable("the claims are no list");
  const json::Value& list = document->value();
  if (list.size() > kClaimsOfModelMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("there are more than {} claims", kClaimsOfModelMax));
  std::vector<Claim> claims;
  for (const json::Value& one : list) {
    auto claim = ClaimOf(one);
    if (!claim)
      return Unreadable(fmt::format("claim {}: {}", claims.size(), claim.error().message()));
    claims.push_back(*std::move(claim));
  }
  return claims;
}

std::string ToJson(const VerifiedClaim& verified) {
  json::Value figures = json::Value::array();
  for (std::size_t i = 0; i < verified.checked.size(); ++i) {
    const Figure& figure = verified.claim.figures[i];
    const Checked& checked = verified.checked[i];
    json::Value row = {
        {"label", figure.label},  {"claimed", figure.value},  {"verdict", WordOf(checked.verdict)},
        {"right", checked.right}, {"reason", checked.reason}, {"step", figure.of.step}};
    if (figure.base) row["base_step"] = figure.base->step;
    figures.push_back(std::move(row));
  }
  return json::Canonical({{"claim", verified.claim.text},
                          {"verdict", WordOf(verified.verdict)},
                          {"figures", figures}});
}

std::vector<std::string> TellClaim(std::string_view json) {
  const auto document = json::Parse(json);
  if (!document) return {};
  const json::Value& claim = document->value();
  std::vector<std::string> lines = {
      fmt::format("{}: {}", json::TextOf(claim, "verdict"), json::TextOf(claim, "claim"))};
  for (const json::Value* figure : json::ItemsOf(json::Member(claim, "figures")))
    lines.push_back(fmt::format("{}: {} ({}, step {})", json::TextOf(*figure, "claimed"),
                                json::TextOf(*figure, "reason"), json::TextOf(*figure, "verdict"),
                                json::TextOf(*figure, "step")));
  return lines;
}

}  // namespace schemaward::explore
