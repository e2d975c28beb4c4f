#include "interchange/cube.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "catalog/catalog.h"
#include "interchange/carried.h"
#include "interchange/expressions.h"
#include "json/access.h"
#include "sql/read/expression.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::Value;
using semantic::Aggregation;
using semantic::Metric;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

/// Replaces each {name} of `text`, and ${name}, by what `replace` returns for the name.
template <class Replace>
Result<std::string> Filled(std::string_view text, const Replace& replace) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = text.find('{', at);
    out += text.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) return out;
    if (!out.empty() && out.back() == '$') out.pop_back();
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return Cannot("{ is not closed");
    std::string name(text.substr(open + 1, close - open - 1));
    std::erase_if(name, [](unsigned char c) { return std::isspace(c) != 0; });
    WARD_TRY(const std::string by, replace(name));
    out += by;
    at = close + 1;
  }
}

struct Cube {
  std::string name;
  const Value* node = nullptr;
  std::map<std::string, std::string, std::less<>> columns;  ///< of dimensions that are columns
  std::set<std::string, std::less<>> expressions;           ///< dimensions that are expressions
};

/// Members of a cube that a note on the cube leaves to others.
constexpr std::array<std::string_view, 2> kApart = {"joins", "measures"};

const Value& NoteOfNode(const Value& node) { return Member(node, {"meta", kNote}); }

constexpr std::array<std::pair<std::string_view, Aggregation>, 7> kTypes = {
    {{"count", Aggregation::Count},
     {"sum", Aggregation::Sum},
     {"avg", Aggregation::Avg},
     {"min", Aggregation::Min},
     {"max", Aggregation::Max},
     {"count_distinct", Aggregation::CountDistinct},
     {"count_distinct_approx", Aggregation::CountDistinct}}};

class Importer {
 public:
  Imported Run(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files) ReadFile(file);
    CountMeasures();
    for (auto& [name, cube] : cubes_) AddEntity(cube);
    for (const auto& [name, cube] : cubes_) AddJoins(cube);
    for (const auto& [name, cube] : cubes_) AddMeasures(cube);
    for (const auto& [name, cube] : cubes_) AddHidden(cube);
    Sort(imported_.definitions);
    DropWhatHangs(imported_.definitions, losses_);
    imported_.losses = losses_.Take();
    return std::move(imported_);
  }

 private:
  void ReadFile(const SourceFile& file) {
    const Value& content = file.content.value();
    for (const Value* node : ItemsOf(Member(content, "cubes"))) {
      const std::string name = TextOf(*node, "name");
      if (!semantic::IsDefinitionName(name))
        losses_.Drop("cube " + name, "name", "it is no name that definitions may have");
      else if (!cubes_.emplace(name, Cube{name, node, {}, {}}).second)
        losses_.Drop("cube " + name, {}, "it is there twice; the first is read");
    }
    for (const Value* view : ItemsOf(Member(content, "views")))
      losses_.Drop("view " + TextOf(*view, "name"), {}, "definitions have no views over entities");
  }

  void CountMeasures() {
    for (const auto& [name, cube] : cubes_)
      for (const Value* measure : ItemsOf(Member(*cube.node, "measures"))) {
        const std::string own = TextOf(*measure, "name");
        ++measures_[own];
        if (auto noted = Noted<Metric>(NoteOfNode(*measure), NotedPart(*measure, {})))
          noted_.emplace(name + "." + own, std::move(*noted));
      }
  }

  /// Measures are named within their cube: one whose name others have too gets the cube's before
  /// it.
  std::string MetricName(const Cube& cube, const std::string& measure) const {
    if (const auto noted = noted_.find(cube.name + "." + measure); noted != noted_.end())
      return noted->second.name;
    const auto found = measures_.find(measure);
    const bool is_alone = found != measures_.end() && found->second == 1 && measure != "count";
    return is_alone ? measure : cube.name + "_" + measure;
  }

  /// SQL of a cube with its references resolved: columns as cube.column.
  Result<std::string> Resolved(const Cube& cube, std::string_view sql) const {
    WARD_TRY(const std::string text,
             Filled(sql, [&](const std::string& name) { return ResolveName(cube, name); }));
    return Renamed(text, [&](const sql::ColumnRef& column) {
      const std::string& owner = column.qualifier.empty() ? cube.name : column.qualifier;
      return cubes_.contains(owner) ? Spelled(owner, column.column) : std::string();
    });
  }

  Result<std::string> ResolveName(const Cube& cube, const std::string& name) const {
    if (name == "CUBE" || name == "TABLE") return Spelled(cube.name);
    if (cubes_.contains(name)) return Spelled(name);
    const std::size_t dot = name.rfind('.');
    std::string owner = dot == std::string::npos ? cube.name : name.substr(0, dot);
    if (owner == "CUBE") owner = cube.name;
    const std::string member = dot == std::string::npos ? name : name.substr(dot + 1);
    const auto found = cubes_.find(owner);
    if (found == cubes_.end()) return Cannot("{" + name + "} is not there");
    if (const auto column = found->second.columns.find(member);
        column != found->second.columns.end())
      return Spelled(owner, column->second);
    if (found->second.expressions.contains(member)) return Spelled(owner, member);
    return Cannot("{" + name + "} is no dimension that is imported");
  }

  /// The same over columns of the cube alone, without qualifiers.
  Result<std::string> Own(const Cube& cube, std::string_view sql) const {
    WARD_TRY(const std::string text, Resolved(cube, sql));
    return Renamed(text, [&](const sql::ColumnRef& column) {
      return column.qualifier == cube.name ? Spelled(column.column) : std::string();
    });
  }

  static std::string TableOf(const Value& node) {
    std::string table = TextOf(node, "sql_table");
    constexpr std::string_view kAll = "select * from ";
    std::string sql = TextOf(node, "sql");
    if (table.empty() && LowerAscii(sql).rfind(kAll, 0) == 0) table = sql.substr(kAll.size());
    while (!table.empty() &&
           (std::isspace(static_cast<unsigned char>(table.back())) != 0 || table.back() == ';'))
      table.pop_back();
    if (table.find_first_of(" \n\t(){}") != std::string::npos) return {};
    const std::vector<std::string> parts = catalog::SplitName(table);
    if (parts.empty() || parts.size() > 3) return {};
    return parts.size() == 1 ? catalog::QuoteName(parts[0])
                             : catalog::QualifiedName(parts[parts.size() - 2], parts.back());
  }

  void NoteParts(const Cube& cube) {
    const std::string object = "cube " + cube.name;
    for (const Value* segment : ItemsOf(Member(*cube.node, "segments")))
      losses_.Drop("segment " + cube.name + "." + TextOf(*segment, "name"), {},
                   "definitions have no named filters");
    for (const auto& [member, reason] :
         {std::pair{"access_policy", "who may see what is not carried: say it in the policy"},
          {"pre_aggregations", "nothing is aggregated beforehand"},
          {"hierarchies", "definitions have none"}})
      if (!Member(*cube.node, member).is_null()) losses_.Add(object, member, reason);
    const Value& is_public = Member(*cube.node, "public");
    if (is_public.is_boolean() && !json::IsTrue(is_public))
      losses_.Add(object, "public", "definitions are not hidden: say it in the policy");
  }

  void AddEntity(Cube& cube) {
    const std::string object = "cube " + cube.name;
    semantic::Entity entity;
    entity.name = cube.name;
    entity.table = TableOf(*cube.node);
    entity.description = TextOf(*cube.node, "description");
    if (const std::string title = TextOf(*cube.node, "title"); !title.empty())
      entity.synonyms.push_back(title);
    if (!Member(*cube.node, "extends").is_null())
      return losses_.Drop(object, "extends", "cubes that extend others are not read");
    if (entity.table.empty())
      return losses_.Drop(object, "sql", "it is over a query, not a table or view");
    std::vector<std::string> times;
    for (const Value* node : ItemsOf(Member(*cube.node, "dimensions")))
      AddDimension(*node, cube, entity, times);
    if (entity.identity.empty())
      return losses_.Drop(object, "primary_key", "no dimension that is a column is its key");
    if (times.size() == 1) entity.default_time_dimension = times.front();
    NoteParts(cube);
    const Value& note = NoteOfNode(*cube.node);
    if (auto noted = Noted<semantic::Entity>(note, NotedPart(*cube.node, kApart)))
      entity = std::move(*noted);
    else
      TakeWordless(note, entity);
    imported_.definitions.entities.push_back(std::move(entity));
  }

  void AddDimension(const Value& node, Cube& cube, semantic::Entity& entity,
                    std::vector<std::string>& times) {
    semantic::Dimension dimension;
    dimension.name = TextOf(node, "name");
    const std::string object = "dimension " + cube.name + "." + dimension.name;
    if (!Member(node, "case").is_null() || json::IsTrue(Member(node, "sub_query")) ||
        TextOf(node, "type") == "geo")
      return losses_.Drop(object, {}, "case, sub_query and geo dimensions are not read");
    std::string sql = TextOf(node, "sql");
    if (sql.empty()) sql = dimension.name;
    const auto own = Own(cube, sql);
    if (!own) return losses_.Drop(object, "sql", ReasonOf(own.error()));
    const bool is_time = TextOf(node, "type") == "time";
    const auto column = PlainColumn(*own);
    if (column) cube.columns[dimension.name] = *column;
    if (json::IsTrue(Member(node, "primary_key"))) {
      if (column)
        entity.identity.push_back(*column);
      else
        losses_.Add(object, "primary_key", "it is an expression, not a column");
    }
    if (is_time) times.push_back(column ? *column : dimension.name);
    if (column && *column == dimension.name) return;
    if (!semantic::IsDefinitionName(dimension.name)) {
      if (!column) losses_.Drop(object, "name", "it is no name that definitions may have");
      return;
    }
    if (!column) cube.expressions.insert(dimension.name);
    dimension.expression = *own;
    dimension.description = TextOf(node, "description");
    if (const std::string title = TextOf(node, "title"); !title.empty())
      dimension.synonyms.push_back(title);
    if (is_time && !column) dimension.type = "timestamp";
    entity.dimensions.push_back(std::move(dimension));
  }

  /// a.x = b.y AND ... as pairs from `from` to `to`; nothing where it says anything else.
  static bool Pairs(const sql::ExpressionPtr& tree, const std::string& from, const std::string& to,
                    int depth, std::vector<semantic::ColumnPair>& pairs) {
    const auto* binary = std::get_if<sql::Binary>(&tree->node);
    constexpr int kDepthMax = 20;
    if (binary == nullptr || depth > kDepthMax) return false;
    if (binary->op == "and")
      return Pairs(binary->left, from, to, depth + 1, pairs) &&
             Pairs(binary->right, from, to, depth + 1, pairs);
    const auto* left = std::get_if<sql::ColumnRef>(&binary->left->node);
    const auto* right = std::get_if<sql::ColumnRef>(&binary->right->node);
    if (binary->op != "=" || left == nullptr || right == nullptr) return false;
    if (left->qualifier == to && right->qualifier == from) std::swap(left, right);
    if (left->qualifier != from || right->qualifier != to) return false;
    pairs.push_back({left->column, right->column});
    return true;
  }

  /// The join that a note of ours is on.
  static std::optional<semantic::Join> NotedJoin(const Cube& cube, const Value& node) {
    for (const Value* note : ItemsOf(Member(NoteOfNode(*cube.node), "joins")))
      if (auto join = Noted<semantic::Join>(*note, node)) return join;
    return std::nullopt;
  }

  void AddHidden(const Cube& cube) {
    const Value& hidden = Member(NoteOfNode(*cube.node), "hidden");
    ReadHidden(Member(hidden, "joins"), imported_.definitions.joins);
    ReadHidden(Member(hidden, "metrics"), imported_.definitions.metrics);
  }

  void AddJoins(const Cube& cube) {
    for (const Value* node : ItemsOf(Member(*cube.node, "joins"))) {
      if (auto noted = NotedJoin(cube, *node)) {
        imported_.definitions.joins.push_back(std::move(*noted));
        continue;
      }
      semantic::Join join;
      join.from = cube.name;
      join.to = TextOf(*node, "name");
      join.name = cube.name + "_" + join.to;
      const std::string object = "join " + join.name;
      std::string kind = TextOf(*node, "relationship");
      if (kind == "belongsTo" || kind == "belongs_to") kind = "many_to_one";
      if (kind == "hasMany" || kind == "has_many") kind = "one_to_many";
      if (kind == "hasOne" || kind == "has_one") kind = "one_to_one";
      join.cardinality = kind == "one_to_one"    ? semantic::Cardinality::OneToOne
                         : kind == "one_to_many" ? semantic::Cardinality::OneToMany
                                                 : semantic::Cardinality::ManyToOne;
      const auto sql = Resolved(cube, TextOf(*node, "sql"));
      const auto tree = sql ? sql::ReadExpression(*sql) : Result<sql::ExpressionPtr>(sql.error());
      if (!tree)
        losses_.Drop(object, "sql", ReasonOf(tree.error()));
      else if (!Pairs(*tree, join.from, join.to, 0, join.on))
        losses_.Drop(object, "sql", "it is not equal columns alone");
      else if (!semantic::IsDefinitionName(join.name))
        losses_.Drop(object, "name", "it is too long");
      else
        imported_.definitions.joins.push_back(std::move(join));
    }
  }

  void AddMeasures(const Cube& cube) {
    for (const Value* node : ItemsOf(Member(*cube.node, "measures"))) {
      const std::string own = TextOf(*node, "name"), name = MetricName(cube, own);
      if (const auto noted = noted_.find(cube.name + "." + own); noted != noted_.end()) {
        imported_.definitions.metrics.push_back(noted->second);
        continue;
      }
      auto metric = MetricOf(cube, *node);
      if (!metric || !semantic::IsDefinitionName(name)) {
        losses_.Drop("metric " + name, {},
                     metric ? "it is no name that definitions may have" : ReasonOf(metric.error()));
        continue;
      }
      metric->name = name;
      metric->description = TextOf(*node, "description");
      if (const std::string title = TextOf(*node, "title"); !title.empty())
        metric->synonyms.push_back(title);
      if (TextOf(*node, "type") == "count_distinct_approx")
        losses_.Add("metric " + name, "type", "the count is exact");
      if (TextOf(*node, "format") == "percent") metric->unit = "percent";
      TakeWordless(NoteOfNode(*node), *metric);
      imported_.definitions.metrics.push_back(std::move(*metric));
    }
  }

  Result<Metric> MetricOf(const Cube& cube, const Value& node) const {
    const std::string type = TextOf(node, "type"), sql = TextOf(node, "sql");
    for (const char* member : {"rolling_window", "multi_stage", "time_shift", "case", "group_by",
                               "reduce_by", "order_by"})
      if (!Member(node, member).is_null()) return Cannot(std::string(member) + " is not read");
    Metric metric;
    if (type == "number") return NumberOf(cube, sql, Member(node, "filters"));
    for (const auto& [word, aggregation] : kTypes)
      if (word == type) metric.aggregation = aggregation;
    if (metric.aggregation == Aggregation::None) return Cannot("type \"" + type + "\" is not read");
    metric.entity = cube.name;
    if (!sql.empty()) {
      WARD_TRY(const std::string own, Own(cube, sql));
      if (auto column = PlainColumn(own))
        metric.column = *std::move(column);
      else
        metric.expression = own;
    } else if (metric.aggregation != Aggregation::Count) {
      return Cannot("it does not say what it aggregates");
    }
    for (const Value* filter : ItemsOf(Member(node, "filters"))) {
      WARD_TRY(std::string condition, Resolved(cube, TextOf(*filter, "sql")));
      metric.filters.push_back(std::move(condition));
    }
    return metric;
  }

  /// {completed_count} / {count}: arithmetic over measures.
  Result<Metric> NumberOf(const Cube& cube, const std::string& sql, const Value& filters) const {
    if (!ItemsOf(filters).empty()) return Cannot("filters on a number are not read");
    Metric metric;
    metric.type = semantic::MetricType::Derived;
    WARD_TRY(
        const std::string text, Filled(sql, [&](const std::string& name) -> Result<std::string> {
          WARD_TRY(const std::string input, MeasureOf(cube, name));
          const auto known =
              std::find_if(metric.inputs.begin(), metric.inputs.end(),
                           [&](const semantic::MetricInput& one) { return one.metric == input; });
          if (known == metric.inputs.end()) metric.inputs.emplace_back().metric = input;
          return Spelled(input);
        }));
    if (metric.inputs.empty()) return Cannot("it uses no measure");
    WARD_TRY(metric.expression, Renamed(text, [&](const sql::ColumnRef& column) {
               const bool is_input = std::any_of(
                   metric.inputs.begin(), metric.inputs.end(),
                   [&](const semantic::MetricInput& one) { return one.metric == column.column; });
               return is_input && column.qualifier.empty() ? Spelled(column.column) : std::string();
             }));
    return metric;
  }

  Result<std::string> MeasureOf(const Cube& cube, const std::string& name) const {
    const std::size_t dot = name.rfind('.');
    std::string owner = dot == std::string::npos ? cube.name : name.substr(0, dot);
    if (owner == "CUBE") owner = cube.name;
    const std::string measure = dot == std::string::npos ? name : name.substr(dot + 1);
    const auto found = cubes_.find(owner);
    if (found != cubes_.end())
      for (const Value* one : ItemsOf(Member(*found->second.node, "measures")))
        if (TextOf(*one, "name") == measure) return MetricName(found->second, measure);
    return Cannot("{" + name + "} is no measure");
  }

  std::map<std::string, Cube, std::less<>> cubes_;
  std::map<std::string, int, std::less<>> measures_;  ///< how many cubes have one of that name
  std::map<std::string, Metric, std::less<>> noted_;  ///< by cube.measure: ours, as they were
  Imported imported_;
  Losses losses_;
};

}  // namespace

Imported ImportCube(const std::vector<SourceFile>& files) { return Importer().Run(files); }

}  // namespace schemaward::interchange
