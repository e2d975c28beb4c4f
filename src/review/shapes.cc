#include "review/shapes.h"

#include <algorithm>

#include "base/ascii.h"
#include "guard/function_list.h"

namespace schemaward::review {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string_view OperatorOf(const Expression& e) {
  if (e.form != "operator" || e.parts.size() != 2) return {};
  return Trimmed(e.parts[1].text);
}

const Expression* Operand(const Expression& e, std::size_t i) {
  for (const query::Part& part : e.parts)
    if (part.expression && i-- == 0) return part.expression.get();
  return nullptr;
}

bool IsComparison(const Expression& e) {
  return IsOneOf(OperatorOf(e), {"=", "<>", "<", "<=", ">", ">="});
}

bool IsColumn(const Expression* e) { return e != nullptr && e->kind == ExpressionKind::Column; }
bool IsLiteral(const Expression* e) { return e != nullptr && e->kind == ExpressionKind::Literal; }
bool IsText(const Expression* e) { return IsLiteral(e) && e->form == "text"; }
bool IsInteger(const Expression* e) { return IsLiteral(e) && e->form == "integer"; }
bool IsNull(const Expression* e) { return IsLiteral(e) && e->form == "word" && e->text == "NULL"; }

bool IsConstant(const Expression* e) {
  if (e == nullptr) return false;
  if (e->kind == ExpressionKind::Literal || e->kind == ExpressionKind::Parameter) return true;
  return IsForm(*e, "cast") && IsConstant(Operand(*e, 0));
}

bool IsForm(const Expression& e, std::string_view form) {
  return e.kind == ExpressionKind::Syntax && e.form == form;
}

bool Says(const Expression& e, std::string_view word) {
  return std::any_of(e.parts.begin(), e.parts.end(), [&](const query::Part& part) {
    return part.text.find(word) != std::string::npos;
  });
}

std::string CallName(const Expression& e) {
  return e.kind == ExpressionKind::Call && !e.names.empty() ? LastName(e.names) : std::string();
}

bool IsCallOf(const Expression* e, std::initializer_list<std::string_view> names) {
  return e != nullptr && e->kind == ExpressionKind::Call && IsOneOf(CallName(*e), names);
}

std::vector<const Expression*> Arguments(const Expression& call) {
  std::vector<const Expression*> arguments;
  for (const query::Part& part : call.parts)
    if (part.expression) {
      if (!part.text.empty() && part.text != ", ") break;
      arguments.push_back(part.expression.get());
    }
  return arguments;
}

bool IsAggregate(const Site& site, const Expression& e) {
  if (e.kind != ExpressionKind::Call || e.has_window) return false;
  const guard::Function* function = guard::FindFunction(site.dialect, CallName(e));
  if (function == nullptr) return false;
  // max(a, b) of SQLite is no aggregate.
  if (site.dialect.name == sql::Sqlite().name && IsOneOf(CallName(e), {"min", "max"}) &&
      Arguments(e).size() > 1)
    return false;
  return function->kind == guard::FunctionKind::Aggregate ||
         function->kind == guard::FunctionKind::Statistic;
}

bool HasAggregate(const Site& site, const Expression& e) {
  if (IsAggregate(site, e)) return true;
  return std::any_of(e.parts.begin(), e.parts.end(), [&](const query::Part& part) {
    return part.expression && HasAggregate(site, *part.expression);
  });
}

std::vector<const Expression*> Conjuncts(const Expression& e) {
  if (OperatorOf(e) != "AND") return {&e};
  std::vector<const Expression*> all;
  for (std::size_t i = 0; i < 2; ++i)
    for (const Expression* one : Conjuncts(*Operand(e, i))) all.push_back(one);
  return all;
}

bool ExcludesNull(const query::Query& query) {
  const query::Core& core = query.terms.front().core;
  if (core.where == nullptr) return false;
  const auto filters = Conjuncts(*core.where);
  return std::any_of(filters.begin(), filters.end(),
                     [](const Expression* one) { return Says(*one, "IS NOT NULL"); });
}

bool SameValue(const Expression* a, const Expression* b) {
  if (a == nullptr || b == nullptr || a->kind != b->kind) return false;
  if (a->kind == ExpressionKind::Literal)
    return a->form == b->form && a->text == b->text && a->value == b->value;
  if (a->kind != ExpressionKind::Column || a->names.size() != b->names.size()) return false;
  for (std::size_t i = 0; i < a->names.size(); ++i)
    if (!EqualsIgnoringAsciiCase(a->names[i].text, b->names[i].text)) return false;
  return true;
}

bool IsConstantTrue(const Expression& e) {
  if (IsLiteral(&e)) return e.text == "TRUE" || (e.form == "integer" && e.text != "0");
  if (OperatorOf(e) == "AND")
    return IsConstantTrue(*Operand(e, 0)) && IsConstantTrue(*Operand(e, 1));
  if (OperatorOf(e) == "OR")
    return IsConstantTrue(*Operand(e, 0)) || IsConstantTrue(*Operand(e, 1));
  return OperatorOf(e) == "=" && IsLiteral(Operand(e, 0)) && !IsNull(Operand(e, 0)) &&
         SameValue(Operand(e, 0), Operand(e, 1));
}

std::string LastName(const std::vector<query::Name>& names) {
  return names.empty() ? std::string() : LowerAscii(names.back().text);
}

std::string CalledBy(const query::TableExpression& table) {
  return table.alias.text.empty() ? LastName(table.names) : LowerAscii(table.alias.text);
}

bool HasWord(std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string lowered = LowerAscii(name);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    for (std::size_t at = lowered.find(word); at != std::string::npos;
         at = lowered.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      const bool begins = at == 0 || lowered[at - 1] == '_';
      if (begins && (end == lowered.size() || lowered[end] == '_')) return true;
    }
    return false;
  });
}

}  // namespace schemaward::review
