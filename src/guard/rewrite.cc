#include "guard/rewrite.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace schemaward::guard {
namespace {

namespace query = sql::query;

using Positions = std::set<std::size_t>;  ///< of outputs, from 0

std::size_t NumberOf(const query::ExpressionPtr& expression) {
  if (expression->kind != query::ExpressionKind::Literal || expression->form != "integer") return 0;
  std::size_t number = 0;
  const std::string& text = expression->text;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

query::ExpressionPtr CountOfRows() {
  auto star = std::make_unique<query::Expression>();
  star->kind = query::ExpressionKind::Star;
  auto count = std::make_unique<query::Expression>();
  count->kind = query::ExpressionKind::Call;
  count->names = {query::Name{"count", false, false}};
  count->parts.push_back(query::Part{"(", std::move(star), nullptr});
  count->parts.push_back(query::Part{")", nullptr, nullptr});
  return count;
}

query::ExpressionPtr One() {
  auto one = std::make_unique<query::Expression>();
  one->form = "integer";
  one->text = "1";
  return one;
}

template <class Item>
void Erase(std::vector<Item>& items, const Positions& gone) {
  std::vector<Item> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!gone.contains(i)) kept.push_back(std::move(items[i]));
  items = std::move(kept);
}

class Rewriter {
 public:
  bool Run(query::Statement& statement, const std::vector<Use>& refused) {
    for (const Use& use : refused) {
      if (use.output != nullptr)
        outputs_.insert(use.output);
      else if (use.key > 0 && use.where == Position::Order && use.query != nullptr)
        orders_[use.query].insert(use.key - 1);
      else if (use.key > 0 && use.key_core != nullptr)
        groups_[use.key_core].insert(use.key - 1);
      else
        return false;
    }
    Query(*statement.query, true);
    return !failed_;
  }

 private:
  // Returns the positions that are gone from what the select offers.
  Positions Query(query::Query& query, bool is_outermost) {
    for (query::CommonTable& common : query.with) {
      const Positions gone = Query(*common.query, false);
      Erase(common.columns, gone);
    }
    Positions gone;
    for (query::SetTerm& term : query.terms) {
      if (term.nested != nullptr) {
        const Positions inner = Query(*term.nested, is_outermost && query.terms.size() == 1);
        failed_ |= !inner.empty() && query.terms.size() > 1;
        gone.insert(inner.begin(), inner.end());
        continue;
      }
      for (query::TableExpressionPtr& table : term.core.from) Table(*table);
      for (std::size_t i = 0; i < term.core.outputs.size(); ++i)
        if (outputs_.contains(&term.core.outputs[i])) gone.insert(i);
    }
    for (query::SetTerm& term : query.terms) {
      failed_ |= !gone.empty() && term.op.find("BY NAME") != std::string::npos;
      if (term.nested == nullptr) Core(term.core, gone, is_outermost);
    }
    const bool counts = is_outermost && is_counted_;
    Positions keys = orders_[&query];
    for (std::size_t i = 0; i < query.order_by.size(); ++i)
      if (counts || !Renumber(query.order_by[i].expression, gone)) keys.insert(i);
    Erase(query.order_by, keys);
    query.orders_all = query.orders_all && !counts;
    // Rows without an order have no ties.
    query.has_ties = query.has_ties && !query.order_by.empty();
    return gone;
  }

  void Core(query::Core& core, const Positions& gone, bool is_outermost) {
    failed_ |= !gone.empty() && !core.values.empty();
    Positions keys = groups_[&core];
    for (std::size_t i = 0; i < core.group_by.size(); ++i)
      if (!Renumber(core.group_by[i], gone)) keys.insert(i);
    Erase(core.group_by, keys);
    if (core.group_by.empty()) core.group_suffix = keys.empty() ? core.group_suffix : "";
    Erase(core.outputs, gone);
    if (!core.outputs.empty() || gone.empty()) return;
    is_counted_ |= is_outermost;
    core.is_distinct = false;
    core.groups_all = false;
    query::Output only;
    only.expression = is_outermost ? CountOfRows() : One();
    if (!is_outermost) only.alias = {"one", true, false};
    core.outputs.push_back(std::move(only));
  }

  void Table(query::TableExpression& table) {
    if (table.left != nullptr) Table(*table.left);
    if (table.right != nullptr) Table(*table.right);
    if (table.query == nullptr) return;
    const Positions gone = Query(*table.query, false);
    Erase(table.columns, gone);
    failed_ |= !gone.empty() && table.call != nullptr;  // PIVOT names its columns itself
  }

  // Where a number names an output: the number it has now. False where that output is gone.
  static bool Renumber(query::ExpressionPtr& key, const Positions& gone) {
    const std::size_t number = NumberOf(key);
    if (number == 0 || gone.empty()) return true;
    if (gone.contains(number - 1)) return false;
    const auto before = std::distance(gone.begin(), gone.lower_bound(number - 1));
    key->text = fmt::format("{}", number - static_cast<std::size_t>(before));
    return true;
  }

  std::set<const query::Output*> outputs_;
  std::map<const query::Query*, Positions> orders_;
  std::map<const query::Core*, Positions> groups_;
  bool is_counted_ = false;  ///< nothing was left of the answer: it is a count
  bool failed_ = false;
};

}  // namespace

bool LeaveOut(query::Statement& statement, const std::vector<Use>& refused) {
  return statement.query != nullptr && Rewriter().Run(statement, refused);
}

}  // namespace schemaward::guard
