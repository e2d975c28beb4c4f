#include "semantic/check.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/ascii.h"
#include "semantic/columns.h"
#include "semantic/time_range.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"
#include "text/nearest.h"
#include "time/time_zone.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kNear = 3;
constexpr std::size_t kChainMax = 16;  // metrics made of metrics

using Problems = std::vector<Problem>;

void Add(Problems& problems, ErrorKind kind, std::string_view member, std::string_view object,
         std::string message, std::vector<std::string> near = {}) {
  problems.push_back(
      {kind, std::string(object), std::move(message), std::move(near), std::string(member)});
}

std::vector<std::string> ColumnsOf(const catalog::Table& table) {
  std::vector<std::string> names;
  for (const catalog::Column& column : table.columns) names.push_back(column.name);
  return names;
}

bool CheckColumn(const catalog::Table& table, const std::string& column, std::string_view member,
                 Problems& problems) {
  if (catalog::FindColumn(table, column) != std::string_view::npos) return true;
  Add(problems, ErrorKind::SchemaDrift, member, column,
      fmt::format("table \"{}\" has no column \"{}\"", catalog::QualifiedName(table), column),
      text::FindNearestNames(column, ColumnsOf(table), kNear));
  return false;
}

void CheckName(const std::string& name, std::string_view member, Problems& problems) {
  if (IsDefinitionName(name)) return;
  Add(problems, ErrorKind::MalformedName, member, name,
      fmt::format("\"{}\" is not a name: letters, digits and _, at most 64, no digit first", name));
}

// Every column of an entity's own expression.
void CheckOwnExpression(const ModelEntity& entity, const std::string& text, std::string_view member,
                        Problems& problems) {
  const auto expression = sql::ReadExpression(text);
  if (!expression) {
    Add(problems, ErrorKind::SqlSyntax, member, text, expression.error().message());
    return;
  }
  (void)sql::VisitColumns(*expression, [&](const sql::ColumnRef& ref) -> Status {
    if (ref.qualifier.empty() &&
        catalog::FindColumn(entity.table, ref.column) != std::string_view::npos)
      return Ok();
    Add(problems, ErrorKind::SchemaDrift, member, ref.column,
        fmt::format("table \"{}\" has no column \"{}\"", entity.source_table, ref.column),
        text::FindNearestNames(ref.column, ColumnsOf(entity.table), kNear));
    return Ok();
  });
}

bool IsText(std::string_view type) {
  const std::string lower = LowerAscii(type);
  return lower.find("char") != std::string::npos || lower.find("text") != std::string::npos;
}

// Texts and numbers never meet in a key; engines refuse or convert them, each in its own way.
void CheckPair(const catalog::Table& from, const std::string& from_column, const catalog::Table& to,
               const std::string& to_column, std::string_view member, Problems& problems) {
  // Both are checked, so that both are named.
  const bool from_found = CheckColumn(from, from_column, fmt::format("{}.from", member), problems);
  const bool to_found = CheckColumn(to, to_column, fmt::format("{}.to", member), problems);
  if (!from_found || !to_found) return;
  const std::string& left = from.columns[catalog::FindColumn(from, from_column)].type;
  const std::string& right = to.columns[catalog::FindColumn(to, to_column)].type;
  if ((IsText(left) && IsNumericType(right)) || (IsNumericType(left) && IsText(right)))
    Add(problems, ErrorKind::InvalidArgument, member, from_column,
        fmt::format("\"{}\" is {} and \"{}\" is {}: they cannot be compared", from_column, left,
                    to_column, right));
}

void CheckSpan(const std::string& text, std::string_view member, Problems& problems) {
  if (text.empty() || ParseSpan(text)) return;
  Add(problems, ErrorKind::MalformedName, member, text,
      fmt::format("\"{}\" is not a length of time such as 28 days", text));
}

class MetricChecker {
 public:
  MetricChecker(const Model& model, ModelMetric& metric)
      : model_(model), metric_(metric.definition), problems_(metric.problems) {}

  void Run() {
    CheckName(metric_.name, "name", problems_);
    switch (metric_.type) {
      case MetricType::Simple:
        CheckSimple();
        break;
      case MetricType::Ratio:
        CheckInput(metric_.numerator, "numerator");
        CheckInput(metric_.denominator, "denominator");
        break;
      case MetricType::Derived:
        CheckDerived();
        break;
      case MetricType::Cumulative:
        CheckInput(metric_.input, "input");
        CheckSpan(metric_.window, "window", problems_);
        CheckToDate();
        break;
      case MetricType::PeriodOverPeriod:
        CheckInput(metric_.input, "input");
        CheckPeriods();
        break;
      case MetricType::Conversion:
        CheckConversion();
        break;
    }
    for (std::size_t i = 0; i < metric_.time_grains.size(); ++i)
      if (!GrainOf(metric_.time_grains[i]) ||
          WordOf(*GrainOf(metric_.time_grains[i])) != metric_.time_grains[i])
        Add(problems_, ErrorKind::InvalidTimeGrain, fmt::format("time_grains[{}]", i),
            metric_.time_grains[i],
            fmt::format("\"{}\" is not a grain of time", metric_.time_grains[i]),
            {std::string(NearestGrain(metric_.time_grains[i]))});
    CheckCycle();
  }

 private:
  const ModelEntity* FindFact() {
    if (metric_.entity.empty()) {
      Add(problems_, ErrorKind::InvalidArgument, "entity", "", "a simple metric needs an entity");
      return nullptr;
    }
    const ModelEntity* fact = model_.FindEntity(metric_.entity);
    if (fact == nullptr)
      Add(problems_, ErrorKind::UnknownEntity, "entity", metric_.entity,
          fmt::format("no entity is named \"{}\"", metric_.entity),
          model_.NearEntities(metric_.entity));
    else if (!fact->problems.empty())
      Add(problems_, ErrorKind::SchemaDrift, "entity", fact->problems.front().object,
          fmt::format("entity \"{}\": {}", metric_.entity, fact->problems.front().message),
          fact->problems.front().near);
    return fact != nullptr && fact->problems.empty() ? fact : nullptr;
  }

  void CheckTarget(const ModelEntity& fact, const std::string& name, std::string_view member,
                   ErrorKind kind) {
    const auto target = FindColumnTarget(model_, model_.NodeOf(fact), name, kind);
    if (target) return;
    Add(problems_, target.error().kind(), member, name, target.error().message(),
        target.error().recovery().fuzzy_matches);
  }

  void CheckExpression(const ModelEntity& fact, const std::string& text, std::string_view member,
                       ErrorKind kind) {
    const auto expression = sql::ReadExpression(text);
    if (!expression) {
      Add(problems_, ErrorKind::SqlSyntax, member, text, expression.error().message());
      return;
    }
    (void)sql::VisitColumns(*expression, [&](const sql::ColumnRef& ref) -> Status {
      const std::string column = catalog::QuoteName(ref.column);
      CheckTarget(fact, ref.qualifier.empty() ? column : ref.qualifier + "." + column, member,
                  kind);
      return Ok();
    });
  }

  void CheckSimple() {
    const ModelEntity* fact = FindFact();
    if (metric_.aggregation == Aggregation::None)
      Add(problems_, ErrorKind::InvalidArgument, "aggregation", "",
          "a simple metric needs an aggregation");
    const bool has_operand = !metric_.column.empty() || !metric_.expression.empty();
    if (!metric_.column.empty() && !metric_.expression.empty())
      Add(problems_, ErrorKind::InvalidArgument, "expression", metric_.expression,
          "a metric has a column or an expression, not both");
    if (!has_operand && metric_.aggregation != Aggregation::Count &&
        metric_.aggregation != Aggregation::None)
      Add(problems_, ErrorKind::InvalidArgument, "column", "",
          "this aggregation needs a column or an expression");
    const bool is_percentile = metric_.aggregation == Aggregation::Percentile;
    if (is_percentile &&
        !(metric_.percentile && *metric_.percentile > 0 && *metric_.percentile < 1))
      Add(problems_, ErrorKind::InvalidArgument, "percentile", "",
          "percentile must be more than 0 and less than 1");
    if (metric_.semi_additive && metric_.semi_additive->take != "first" &&
        metric_.semi_additive->take != "last")
      Add(problems_, ErrorKind::InvalidArgument, "semi_additive.take", metric_.semi_additive->take,
          "semi_additive.take must be first or last", {"last", "first"});
    if (fact == nullptr) return;
    if (!metric_.column.empty())
      CheckTarget(*fact, metric_.column, "column", ErrorKind::UnknownMeasure);
    if (!metric_.expression.empty())
      CheckExpression(*fact, metric_.expression, "expression", ErrorKind::UnknownMeasure);
    for (std::size_t i = 0; i < metric_.filters.size(); ++i)
      CheckExpression(*fact, metric_.filters[i], fmt::format("filters[{}]", i),
                      ErrorKind::UnknownFilter);
    if (!metric_.time_dimension.empty())
      CheckTarget(*fact, metric_.time_dimension, "time_dimension", ErrorKind::SchemaDrift);
    if (metric_.semi_additive)
      for (const std::string& column : metric_.semi_additive->by)
        CheckTarget(*fact, column, "semi_additive.by", ErrorKind::UnknownMeasure);
  }

  void CheckInput(const std::optional<MetricInput>& input, std::string_view member) {
    if (!input || input->metric.empty()) {
      Add(problems_, ErrorKind::InvalidArgument, member, "",
          fmt::format("this type of metric needs \"{}\"", member));
      return;
    }
    CheckMetricName(input->metric, member);
    CheckSpan(input->offset, fmt::format("{}.offset", member), problems_);
    for (const std::string& filter : input->filters)
      if (const auto read = sql::ReadExpression(filter); !read)
        Add(problems_, ErrorKind::SqlSyntax, fmt::format("{}.filters", member), filter,
            read.error().message());
  }

  void CheckMetricName(const std::string& name, std::string_view member) {
    if (model_.FindMetric(name) != nullptr) return;
    Add(problems_, ErrorKind::UnknownMetric, member, name,
        fmt::format("no metric is named \"{}\"", name), model_.NearMetrics(name));
  }

  void CheckDerived() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < metric_.inputs.size(); ++i) {
      const MetricInput& input = metric_.inputs[i];
      CheckInput(input, fmt::format("inputs[{}]", i));
      names.insert(input.alias.empty() ? input.metric : input.alias);
    }
    const auto expression = sql::ReadExpression(metric_.expression);
    if (!expression) {
      Add(problems_, ErrorKind::SqlSyntax, "expression", metric_.expression,
          expression.error().message());
      return;
    }
    const std::vector<std::string> known(names.begin(), names.end());
    (void)sql::VisitColumns(*expression, [&](const sql::ColumnRef& ref) -> Status {
      if (!ref.qualifier.empty() || !names.contains(ref.column))
        Add(problems_, ErrorKind::UnknownMetric, "expression", ref.column,
            fmt::format("the expression names \"{}\", which is none of the inputs", ref.column),
            text::FindNearestNames(ref.column, known, kNear));
      return Ok();
    });
  }

  void CheckToDate() {
    const std::string& grain = metric_.grain_to_date;
    if (grain.empty() || (GrainOf(grain) && WordOf(*GrainOf(grain)) == grain && grain != "hour"))
      return;
    Add(problems_, ErrorKind::InvalidTimeGrain, "grain_to_date", grain,
        fmt::format("\"{}\" is not a grain of time", grain), {std::string(NearestGrain(grain))});
  }

  void CheckPeriods() {
    if (metric_.offset.empty())
      Add(problems_, ErrorKind::InvalidArgument, "offset", "",
          "a period over period metric needs an offset");
    CheckSpan(metric_.offset, "offset", problems_);
    static const std::vector<std::string> words = {"difference", "ratio", "percent_change",
                                                   "previous"};
    const std::string& word = metric_.calculation;
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
      Add(problems_, ErrorKind::InvalidArgument, "calculation", word,
          fmt::format("\"{}\" is not a calculation", word),
          text::FindNearestNames(word, words, kNear));
  }

  void CheckConversion() {
    for (const auto& [name, member] :
         {std::pair<const std::string&, const char*>(metric_.base, "base"),
          {metric_.conversion, "conversion"}}) {
      CheckMetricName(name, member);
      const ModelMetric* event = model_.FindMetric(name);
      if (event != nullptr && event->definition.type != MetricType::Simple)
        Add(problems_, ErrorKind::InvalidArgument, member, name,
            fmt::format("\"{}\" is not a simple metric, whose rows are events", name));
    }
    if (metric_.match.empty())
      Add(problems_, ErrorKind::InvalidArgument, "match", "",
          "a conversion needs the columns that tell who did both");
    CheckSpan(metric_.window, "window", problems_);
    const auto span = ParseSpan(metric_.window);
    if (span && span->unit != "hour" && span->unit != "day" && span->unit != "week")
      Add(problems_, ErrorKind::InvalidArgument, "window", metric_.window,
          "the window of a conversion is in hours, days or weeks");
    const std::string& word = metric_.calculation;
    if (!word.empty() && word != "rate" && word != "count")
      Add(problems_, ErrorKind::InvalidArgument, "calculation", word,
          "calculation must be rate or count", {"rate", "count"});
    CheckEvent(metric_.base, true);
    CheckEvent(metric_.conversion, false);
  }

  void CheckEvent(const std::string& name, bool is_base) {
    const ModelMetric* event = model_.FindMetric(name);
    const ModelEntity* fact =
        event == nullptr ? nullptr : model_.FindEntity(event->definition.entity);
    if (fact == nullptr || !fact->problems.empty()) return;
    for (std::size_t i = 0; i < metric_.match.size(); ++i)
      CheckTarget(*fact, is_base ? metric_.match[i].from : metric_.match[i].to,
                  fmt::format("match[{}]", i), ErrorKind::UnknownMeasure);
    for (const ConstantProperty& one : metric_.constant_properties)
      CheckTarget(*fact, is_base ? one.base : one.conversion, "constant_properties",
                  ErrorKind::UnknownMeasure);
  }

  std::vector<std::string> InputsOf(const Metric& metric) const {
    std::vector<std::string> names;
    for (const auto* input : {&metric.numerator, &metric.denominator, &metric.input})
      if (*input) names.push_back((*input)->metric);
    for (const MetricInput& input : metric.inputs) names.push_back(input.metric);
    for (const std::string* name : {&metric.base, &metric.conversion})
      if (!name->empty()) names.push_back(*name);
    return names;
  }

  void CheckCycle() {
    std::vector<std::string> ring = InputsOf(metric_);
    std::set<std::string> seen(ring.begin(), ring.end());
    for (std::size_t step = 0; step < kChainMax && !ring.empty(); ++step) {
      if (seen.contains(metric_.name)) {
        Add(problems_, ErrorKind::InvalidArgument, "name", metric_.name,
            "the metric is made of itself");
        return;
      }
      std::vector<std::string> next;
      for (const std::string& name : ring)
        if (const ModelMetric* used = model_.FindMetric(name))
          for (std::string& deeper : InputsOf(used->definition))
            if (seen.insert(deeper).second) next.push_back(std::move(deeper));
      ring = std::move(next);
    }
    if (!ring.empty())
      Add(problems_, ErrorKind::InvalidArgument, "name", metric_.name,
          "the metric is made of too many others");
  }

  const Model& model_;
  const Metric& metric_;
  Problems& problems_;
};

}  // namespace

TableFinder::TableFinder(const std::vector<catalog::Table>& tables) : tables_(tables) {
  for (const catalog::Table& table : tables) {
    by_name_.emplace(LowerAscii(table.name), &table);
    by_name_.emplace(LowerAscii(table.schema + "." + table.name), &table);
  }
}

const catalog::Table* TableFinder::Find(std::string_view name) const {
  const std::vector<std::string> parts = catalog::SplitName(name);
  if (parts.empty() || parts.size() > 2) return nullptr;
  const bool qualified = parts.size() == 2;
  const std::string key = qualified ? LowerAscii(parts[0] + "." + parts[1]) : LowerAscii(parts[0]);
  const auto [begin, end] = by_name_.equal_range(key);
  const catalog::Table* found = nullptr;
  for (auto at = begin; at != end; ++at) {
    const catalog::Table& table = *at->second;
    if (table.name == parts.back() && (!qualified || table.schema == parts.front())) return &table;
    if (found != nullptr) return nullptr;
    found = &table;
  }
  return found;
}

std::vector<std::string> TableFinder::Near(std::string_view name) const {
  text::NearestNames nearest(name, kNear);
  for (const catalog::Table& table : tables_) nearest.Offer(catalog::QualifiedName(table));
  return nearest.Take();
}

void CheckEntity(ModelEntity& entity, const TableFinder& tables) {
  const Entity& definition = entity.definition;
  Problems& problems = entity.problems;
  CheckName(definition.name, "name", problems);
  if (entity.source_table.empty()) {
    Add(problems, ErrorKind::SchemaDrift, "table", definition.table,
        fmt::format("the index has no table \"{}\"", definition.table),
        tables.Near(definition.table));
    return;
  }
  if (definition.identity.empty())
    Add(problems, ErrorKind::InvalidArgument, "identity", "", "an entity needs an identity");
  for (std::size_t i = 0; i < definition.identity.size(); ++i)
    CheckColumn(entity.table, definition.identity[i], fmt::format("identity[{}]", i), problems);
  for (std::size_t i = 0; i < definition.columns.size(); ++i)
    CheckColumn(entity.table, definition.columns[i], fmt::format("columns[{}]", i), problems);
  for (std::size_t i = 0; i < definition.dimensions.size(); ++i) {
    const Dimension& dimension = definition.dimensions[i];
    const std::string member = fmt::format("dimensions[{}]", i);
    CheckName(dimension.name, member + ".name", problems);
    CheckOwnExpression(entity, dimension.expression, member + ".expression", problems);
  }
  const std::string& time = definition.default_time_dimension;
  if (!time.empty() && entity.FindDimension(time) == nullptr)
    CheckColumn(entity.table, time, "default_time_dimension", problems);
  if (!definition.time_zone.empty() && !time::ZoneExists(definition.time_zone))
    Add(problems, ErrorKind::InvalidArgument, "time_zone", definition.time_zone,
        fmt::format("no time zone is named \"{}\"", definition.time_zone),
        time::NearestZones(definition.time_zone));
}

void CheckJoin(const Model& model, const TableFinder& tables, ModelJoin& join) {
  const Join& definition = join.definition;
  Problems& problems = join.problems;
  CheckName(definition.name, "name", problems);
  for (const std::string* role : {&definition.role, &definition.from_role})
    if (!role->empty()) CheckName(*role, "role", problems);
  const auto find = [&](const std::string& name, std::string_view member) -> const ModelEntity* {
    const ModelEntity* entity = model.FindEntity(name);
    if (entity == nullptr || entity->definition.name != name) {
      Add(problems, ErrorKind::UnknownEntity, member, name,
          fmt::format("no entity is named \"{}\"", name), model.NearEntities(name));
      return nullptr;
    }
    if (entity->source_table.empty())
      Add(problems, ErrorKind::SchemaDrift, member, entity->definition.table,
          fmt::format("the index has no table \"{}\"", entity->definition.table),
          tables.Near(entity->definition.table));
    return entity->source_table.empty() ? nullptr : entity;
  };
  const ModelEntity* from = find(definition.from, "from");
  const ModelEntity* to = find(definition.to, "to");
  if (definition.from == definition.to && definition.role.empty())
    Add(problems, ErrorKind::InvalidArgument, "role", "",
        "a join of an entity with itself needs a role");
  if (from == nullptr || to == nullptr) return;
  if (!definition.through) {
    if (definition.on.empty())
      Add(problems, ErrorKind::InvalidArgument, "on", "", "a join needs column pairs");
    for (std::size_t i = 0; i < definition.on.size(); ++i)
      CheckPair(from->table, definition.on[i].from, to->table, definition.on[i].to,
                fmt::format("on[{}]", i), problems);
    return;
  }
  const Bridge& bridge = *definition.through;
  const catalog::Table* table = tables.Find(bridge.table);
  if (table == nullptr) {
    Add(problems, ErrorKind::SchemaDrift, "through.table", bridge.table,
        fmt::format("the index has no table \"{}\"", bridge.table), tables.Near(bridge.table));
    return;
  }
  if (bridge.from.empty() || bridge.to.empty())
    Add(problems, ErrorKind::InvalidArgument, "through", "",
        "a bridge needs column pairs on both sides");
  for (std::size_t i = 0; i < bridge.from.size(); ++i)
    CheckPair(from->table, bridge.from[i].from, *table, bridge.from[i].to,
              fmt::format("through.from[{}]", i), problems);
  for (std::size_t i = 0; i < bridge.to.size(); ++i)
    CheckPair(*table, bridge.to[i].from, to->table, bridge.to[i].to,
              fmt::format("through.to[{}]", i), problems);
}

void CheckMetric(const Model& model, ModelMetric& metric) { MetricChecker(model, metric).Run(); }

}  // namespace schemaward::semantic
