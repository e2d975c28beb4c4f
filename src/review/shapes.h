#pragma once

// What rules ask of trees.

#include <string>
#include <string_view>
#include <vector>

#include "review/rule.h"

namespace schemaward::review {

using query::Expression;
using query::ExpressionKind;

/// The operator of "a = b", upper case, without blanks; empty where it is no such node.
std::string_view OperatorOf(const Expression& e);
/// The i-th operand of an operator, of LIKE, BETWEEN or IN; null where there is none.
const Expression* Operand(const Expression& e, std::size_t i);
bool IsComparison(const Expression& e);  ///< = <> < <= > >=
bool IsColumn(const Expression* e);
bool IsLiteral(const Expression* e);
bool IsText(const Expression* e);
bool IsInteger(const Expression* e);
bool IsNull(const Expression* e);
/// A literal, a parameter, or a cast of one.
bool IsConstant(const Expression* e);
bool IsForm(const Expression& e, std::string_view form);
/// True where the text in front of the i-th operand holds `word` as a whole: " NOT IN (".
bool Says(const Expression& e, std::string_view word);
/// The function's name in lower case; empty where it is no call.
std::string CallName(const Expression& e);
bool IsCallOf(const Expression* e, std::initializer_list<std::string_view> names);
/// A call's own arguments, without its ORDER BY, FILTER and OVER.
std::vector<const Expression*> Arguments(const Expression& call);
bool IsAggregate(const Site& site, const Expression& e);
/// True where a node of the expression, without queries in it, is an aggregate.
bool HasAggregate(const Site& site, const Expression& e);
/// True where the query's WHERE leaves NULLs out.
bool ExcludesNull(const query::Query& query);
/// What AND joins, flat.
std::vector<const Expression*> Conjuncts(const Expression& e);
/// True for two columns or literals that are written alike, but for case.
bool SameValue(const Expression* a, const Expression* b);
/// True where every comparison in it is between constants: 1 = 1.
bool IsConstantTrue(const Expression& e);
/// Lower-case last part of a column's or a table's name.
std::string LastName(const std::vector<query::Name>& names);
/// The name by which columns call a table: its alias, or its own.
std::string CalledBy(const query::TableExpression& table);
/// True where one of `words` is a word of the name, which underscores divide.
bool HasWord(std::string_view name, std::initializer_list<std::string_view> words);
bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> list);

}  // namespace schemaward::review
