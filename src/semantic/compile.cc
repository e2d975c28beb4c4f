#include "semantic/compile.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "semantic/aggregates.h"
#include "semantic/rows.h"

namespace schemaward::semantic {
namespace {

using sql::ExpressionPtr;
using sql::MakeBinary;
using sql::MakeColumn;
using sql::MakeLiteral;
using sql::Select;
using sql::SelectPtr;

constexpr const char* kTime = "period";
constexpr const char* kMatched = "matched_rows";
constexpr std::size_t kAliasMax = 60;  // engines cut names at 63 bytes

std::string Key(std::size_t i) { return fmt::format("g{}", i); }
std::string Value(std::size_t i) { return fmt::format("v{}", i); }
std::string Identity(std::size_t i) { return fmt::format("id{}", i); }

SelectPtr Share(Select select) { return std::make_shared<const Select>(std::move(select)); }

ExpressionPtr And(ExpressionPtr a, ExpressionPtr b) {
  if (a == nullptr) return b;
  return MakeBinary("and", std::move(a), std::move(b));
}

class Compiler {
 public:
  Compiler(const Model& model, const Plan& plan) : model_(model), plan_(plan) {}

  Result<Compiled> Run() {
    if (plan_.nodes.empty()) return Error(ErrorKind::Internal, "a plan has no nodes");
    has_time_ = plan_.time.grain.has_value();
    for (std::size_t i = 0; i < plan_.spines.size(); ++i) AddSpine(i);
    for (const PlanNode& node : plan_.nodes)
      std::visit([&](const auto& one) { AddNode(one); }, node);
    return Finish();
  }

 private:
  // An aggregate table and its columns.
  struct Part {
    std::string name;
    std::vector<std::string> columns;
  };

  std::string Spine(std::size_t i) const { return fmt::format("periods{}", i); }

  ExpressionPtr Label(const std::string& text) const {
    const sql::CastType type = plan_.time.label_kind == sql::TimeKind::Date ? sql::CastType::Date
                               : plan_.time.label_kind == sql::TimeKind::Naive
                                   ? sql::CastType::Timestamp
                                   : sql::CastType::TimestampTz;
    return sql::Make({sql::Cast{MakeLiteral({text}), type}});
  }

  void AddSpine(std::size_t i) {
    const auto& spine = plan_.spines[i];
    sql::ValuesTable values;
    values.alias = "p";
    values.columns = {"label", "from_time", "until_time"};
    for (const auto& period : spine.periods) {
      values.rows.push_back({spine.has_label ? Label(period.label) : MakeLiteral({std::string()}),
                             sql::Make({sql::Moment{period.from, spine.bound_kind}}),
                             sql::Make({sql::Moment{period.until, spine.bound_kind}})});
    }
    Select select;
    for (const std::string& column : values.columns)
      select.columns.push_back({MakeColumn("p", column), column});
    select.from = std::move(values);
    with_.push_back({Spine(i), Share(std::move(select))});
  }

  ExpressionPtr PeriodOf(const Rows& rows) const {
    if (rows.spine) return MakeColumn("p", "label");
    const MeasureTime& time = *rows.time;
    const bool shown_in_zone = !plan_.time.zone.empty();
    return sql::Make(
        {sql::TimeBucket{time.column, time.kind, *plan_.time.grain, plan_.time.zone,
                         shown_in_zone ? time.own_zone : std::string(), plan_.time.week_start}});
  }

  // Period and groups, the columns that every table of a node has.
  void AddKeys(const Rows& rows, Select& select) const {
    if (has_time_) select.columns.push_back({PeriodOf(rows), kTime});
    for (std::size_t i = 0; i < rows.keys.size(); ++i)
      select.columns.push_back({rows.keys[i], Key(i)});
  }

  std::vector<std::string> KeyNames() const {
    std::vector<std::string> names;
    if (has_time_) names.emplace_back(kTime);
    for (std::size_t i = 0; i < plan_.groups.size(); ++i) names.push_back(Key(i));
    return names;
  }

  // SELECT keys FROM `from` GROUP BY keys, to which aggregates are added.
  Select Grouped(const std::string& from) const {
    Select select;
    select.from = sql::CteRef{from, "r"};
    for (const std::string& name : KeyNames()) {
      select.columns.push_back({MakeColumn("r", name), name});
      select.group_by.push_back(MakeColumn("r", name));
    }
    return select;
  }

  void AddIdentity(const Rows& rows, Select& select) const {
    const std::string& alias = rows.instances.front().alias;
    const auto& identity = rows.fact->definition.identity;
    for (std::size_t i = 0; i < identity.size(); ++i)
      select.columns.push_back({MakeColumn(alias, identity[i]), Identity(i)});
  }

  void AddNode(const MeasureNode& node) {
    const std::string name = fmt::format("a{}", parts_.size());
    Select rows;
    rows.distinct = node.rows.repeats();
    AddKeys(node.rows, rows);
    if (rows.distinct) AddIdentity(node.rows, rows);
    for (std::size_t i = 0; i < node.aggregates.size(); ++i)
      if (node.aggregates[i].operand != nullptr)
        rows.columns.push_back({node.aggregates[i].operand, Value(i)});
    if (node.semi_additive) AddSemiColumns(node, rows);
    // A count of rows alone has no column yet.
    if (rows.columns.empty()) rows.columns.push_back({MakeLiteral({std::int64_t{1}}), "one"});
    AddRows(model_, node.rows, rows);
    with_.push_back({name + "_rows", Share(std::move(rows))});
    if (node.semi_additive) AddRanked(node, name);
    Select select = Grouped(name + "_rows");
    if (node.semi_additive) {
      select.from = sql::CteRef{name + "_ranked", "r"};
      select.where = MakeBinary("=", MakeColumn("r", "place"), MakeLiteral({std::int64_t{1}}));
    }
    Part part{name, {}};
    for (std::size_t i = 0; i < node.aggregates.size(); ++i) {
      const Aggregate& aggregate = node.aggregates[i];
      ExpressionPtr value = aggregate.operand == nullptr ? nullptr : MakeColumn("r", Value(i));
      select.columns.push_back(
          {AggregateExpression(aggregate, std::move(value)), aggregate.column});
      part.columns.push_back(aggregate.column);
    }
    select.columns.push_back({CountRows(), kMatched});
    with_.push_back({name, Share(std::move(select))});
    parts_.push_back(std::move(part));
  }

  static void AddSemiColumns(const MeasureNode& node, Select& rows) {
    rows.columns.push_back(
        {sql::Make({sql::Comparable{node.rows.time->column, node.rows.time->kind}}), "moment"});
    for (std::size_t i = 0; i < node.semi_by.size(); ++i)
      rows.columns.push_back({node.semi_by[i], fmt::format("by{}", i)});
  }

  // The rows of the first or last moment of each period come to be place 1.
  void AddRanked(const MeasureNode& node, const std::string& name) {
    Select ranked;
    ranked.from = sql::CteRef{name + "_rows", "r"};
    for (const std::string& key : KeyNames()) ranked.columns.push_back({MakeColumn("r", key), key});
    for (std::size_t i = 0; i < node.aggregates.size(); ++i)
      if (node.aggregates[i].operand != nullptr)
        ranked.columns.push_back({MakeColumn("r", Value(i)), Value(i)});
    sql::Window window;
    window.call = {.function = "rank", .arguments = {}};
    if (has_time_) window.partition_by.push_back(MakeColumn("r", kTime));
    for (std::size_t i = 0; i < node.semi_by.size(); ++i)
      window.partition_by.push_back(MakeColumn("r", fmt::format("by{}", i)));
    window.order_by.push_back(
        {MakeColumn("r", "moment"), node.semi_additive->take == "last", false});
    ranked.columns.push_back({sql::Make({std::move(window)}), "place"});
    ranked.where = sql::MakeUnary("is not null", MakeColumn("r", "moment"));
    with_.push_back({name + "_ranked", Share(std::move(ranked))});
  }

  void AddNode(const ConversionNode& node) {
    const std::string name = fmt::format("a{}", parts_.size());
    AddEvents(node, name);
    AddMatches(node, name);
    Select converted = Grouped(name + "_matches");
    converted.where = MakeBinary("=", MakeColumn("r", "place"), MakeLiteral({std::int64_t{1}}));
    converted.columns.push_back({CountRows(), node.column});
    converted.columns.push_back({CountRows(), kMatched});
    with_.push_back({name, Share(std::move(converted))});
    parts_.push_back({name, {node.column}});
    const std::string base = fmt::format("a{}", parts_.size());
    Select events = Grouped(name + "_base");
    events.columns.push_back({CountRows(), node.base_column});
    events.columns.push_back({CountRows(), kMatched});
    with_.push_back({base, Share(std::move(events))});
    parts_.push_back({base, {node.base_column}});
  }

  void AddEvents(const ConversionNode& node, const std::string& name) {
    Select base;
    AddKeys(node.base, base);
    AddIdentity(node.base, base);
    base.columns.push_back(
        {sql::Make({sql::Comparable{node.base.time->column, node.base.time->kind}}), "moment"});
    Select conversion;
    AddIdentity(node.conversion, conversion);
    conversion.columns.push_back(
        {sql::Make({sql::Comparable{node.conversion.time->column, node.conversion.time->kind}}),
         "moment"});
    for (std::size_t i = 0; i < node.match.size(); ++i) {
      base.columns.push_back({node.match[i].first, fmt::format("match{}", i)});
      conversion.columns.push_back({node.match[i].second, fmt::format("match{}", i)});
    }
    AddRows(model_, node.base, base);
    AddRows(model_, node.conversion, conversion);
    with_.push_back({name + "_base", Share(std::move(base))});
    with_.push_back({name + "_events", Share(std::move(conversion))});
  }

  // Each conversion with every base event that it may come from, the latest at place 1.
  void AddMatches(const ConversionNode& node, const std::string& name) {
    Select matches;
    matches.from = sql::CteRef{name + "_base", "b"};
    for (const std::string& key : KeyNames())
      matches.columns.push_back({MakeColumn("b", key), key});
    sql::Window window;
    window.call = {.function = "row_number", .arguments = {}};
    for (std::size_t i = 0; i < node.conversion.fact->definition.identity.size(); ++i)
      window.partition_by.push_back(MakeColumn("c", Identity(i)));
    window.order_by.push_back({MakeColumn("b", "moment"), true, false});
    for (std::size_t i = 0; i < node.base.fact->definition.identity.size(); ++i)
      window.order_by.push_back({MakeColumn("b", Identity(i)), true, false});
    matches.columns.push_back({sql::Make({std::move(window)}), "place"});
    ExpressionPtr on = MakeBinary("<=", MakeColumn("b", "moment"), MakeColumn("c", "moment"));
    if (node.window_micros)
      on = And(std::move(on),
               MakeBinary("<", MakeColumn("c", "moment"),
                          sql::Make({sql::Shifted{MakeColumn("b", "moment"), *node.window_micros,
                                                  node.base.time->kind}})));
    for (std::size_t i = 0; i < node.match.size(); ++i) {
      const std::string column = fmt::format("match{}", i);
      on = And(std::move(on), MakeBinary("=", MakeColumn("b", column), MakeColumn("c", column)));
    }
    matches.joins.push_back(
        {sql::JoinKind::Inner, sql::CteRef{name + "_events", "c"}, std::move(on)});
    with_.push_back({name + "_matches", Share(std::move(matches))});
  }

  // One part stands for itself. Several meet: each row of each part once, the other parts' columns
  // null by a join that finds nothing, which gives them their types.
  std::string Combine() {
    if (parts_.size() == 1 && !plan_.gap_spine) return parts_.front().name;
    std::vector<SelectPtr> branches;
    for (std::size_t i = 0; i < parts_.size(); ++i) branches.push_back(Share(Branch(i)));
    if (plan_.gap_spine) branches.push_back(Share(GapBranch()));
    Select all = *branches.front();
    all.union_all.assign(branches.begin() + 1, branches.end());
    with_.push_back({"all_parts", Share(std::move(all))});
    Select combined = Grouped("all_parts");
    for (const Part& part : parts_)
      for (const std::string& column : part.columns)
        combined.columns.push_back({Call1("max", MakeColumn("r", column)), column});
    combined.columns.push_back({Call1("sum", MakeColumn("r", kMatched)), kMatched});
    with_.push_back({"combined", Share(std::move(combined))});
    return "combined";
  }

  ExpressionPtr Never() const {
    return MakeBinary("=", MakeLiteral({std::int64_t{1}}), MakeLiteral({std::int64_t{0}}));
  }

  Select Branch(std::size_t own) const {
    Select branch;
    branch.from = sql::CteRef{parts_[own].name, parts_[own].name};
    for (const std::string& key : KeyNames())
      branch.columns.push_back({MakeColumn(parts_[own].name, key), key});
    AddPartColumns(branch);
    branch.columns.push_back({MakeColumn(parts_[own].name, kMatched), kMatched});
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (i != own)
        branch.joins.push_back(
            {sql::JoinKind::Left, sql::CteRef{parts_[i].name, parts_[i].name}, Never()});
    return branch;
  }

  void AddPartColumns(Select& branch) const {
    for (const Part& part : parts_)
      for (const std::string& column : part.columns)
        branch.columns.push_back({MakeColumn(part.name, column), column});
  }

  // Every period for every group that any part has.
  Select GapBranch() const {
    Select branch;
    branch.from = sql::CteRef{Spine(*plan_.gap_spine), "p"};
    branch.columns.push_back({MakeColumn("p", "label"), kTime});
    if (!plan_.groups.empty()) {
      for (std::size_t i = 0; i < plan_.groups.size(); ++i)
        branch.columns.push_back({MakeColumn("k", Key(i)), Key(i)});
      std::vector<SelectPtr> keys;
      for (const Part& part : parts_) {
        Select one;
        one.distinct = true;
        one.from = sql::CteRef{part.name, "r"};
        for (std::size_t i = 0; i < plan_.groups.size(); ++i)
          one.columns.push_back({MakeColumn("r", Key(i)), Key(i)});
        keys.push_back(Share(std::move(one)));
      }
      Select first = *keys.front();
      first.union_all.assign(keys.begin() + 1, keys.end());
      branch.joins.push_back(
          {sql::JoinKind::Cross, sql::DerivedTable{Share(std::move(first)), "k"}, nullptr});
    }
    AddPartColumns(branch);
    branch.columns.push_back({MakeLiteral({std::int64_t{0}}), kMatched});
    for (const Part& part : parts_)
      branch.joins.push_back({sql::JoinKind::Left, sql::CteRef{part.name, part.name}, Never()});
    return branch;
  }

  std::string Alias(const std::string& wanted) {
    std::string alias;
    for (const char c : wanted) alias += c == '.' || c == '"' ? '_' : c;
    alias.resize(std::min(alias.size(), kAliasMax));
    std::string unique = alias;
    for (int n = 2; !aliases_.insert(unique).second; ++n) unique = fmt::format("{}_{}", alias, n);
    return unique;
  }

  Result<Compiled> Finish() {
    Compiled compiled;
    const std::string from = Combine();
    Select& select = compiled.select;
    select.from = sql::CteRef{from, "c"};
    if (has_time_) select.columns.push_back({MakeColumn("c", kTime), Alias(kTime)});
    for (std::size_t i = 0; i < plan_.groups.size(); ++i)
      select.columns.push_back({MakeColumn("c", Key(i)), Alias(plan_.groups[i].name)});
    for (const MetricValue& value : plan_.values)
      select.columns.push_back({value.expression, Alias(value.name)});
    select.columns.push_back({MakeColumn("c", kMatched), Alias(kMatched)});
    for (const PlanHaving& having : plan_.having)
      select.where = And(std::move(select.where), having.condition);
    AddOrder(select);
    select.limit = plan_.limit + 1;
    select.with = std::move(with_);
    compiled.has_time = has_time_;
    compiled.groups = plan_.groups.size();
    compiled.values = plan_.values.size();
    return compiled;
  }

  // As asked, then by what tells the rows apart, so that the same question has the same rows.
  void AddOrder(Select& select) const {
    std::set<std::size_t> used;
    const auto add = [&](std::size_t column, bool descending) {
      if (column >= select.columns.size() || !used.insert(column).second) return;
      select.order_by.push_back({select.columns[column].expression, descending, true});
    };
    for (const PlanOrder& order : plan_.order_by) add(order.column, order.descending);
    const std::size_t keys = (has_time_ ? 1 : 0) + plan_.groups.size();
    for (std::size_t i = 0; i < keys; ++i) add(i, false);
  }

  const Model& model_;
  const Plan& plan_;
  bool has_time_ = false;
  std::vector<sql::CommonTable> with_;
  std::vector<Part> parts_;
  std::set<std::string> aliases_;
};

}  // namespace

Result<Compiled> Compile(const Model& model, const Plan& plan) {
  return Compiler(model, plan).Run();
}

void AddRows(const Model& model, const Rows& rows, Select& select) {
  const auto table = [&](const Instance& instance) -> sql::Relation {
    const catalog::Table& found = model.nodes()[instance.node].table;
    return sql::TableRef{found.schema, found.name, instance.alias};
  };
  select.from = table(rows.instances.front());
  for (std::size_t i = 1; i < rows.instances.size(); ++i) {
    const Instance& instance = rows.instances[i];
    select.joins.push_back(
        {sql::JoinKind::Left, table(instance),
         OnOf(*instance.leg, rows.instances[instance.parent].alias, instance.alias)});
  }
  if (rows.spine) {
    const auto time = sql::Make({sql::Comparable{rows.time->column, rows.time->kind}});
    select.joins.push_back({sql::JoinKind::Inner,
                            sql::CteRef{fmt::format("periods{}", *rows.spine), "p"},
                            And(MakeBinary(">=", time, MakeColumn("p", "from_time")),
                                MakeBinary("<", time, MakeColumn("p", "until_time")))});
  }
  for (const ExpressionPtr& condition : rows.conditions)
    select.where = And(std::move(select.where), condition);
}

}  // namespace schemaward::semantic
