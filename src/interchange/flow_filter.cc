// Filters of MetricFlow: SQL with {{ Dimension('order__status') }} and its kin.
#include <cctype>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/ascii.h"
#include "interchange/expressions.h"
#include "interchange/flow_project.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {
namespace {

/// Dimension('order__status').grain('day') taken apart.
struct Reference {
  std::string function;
  std::vector<std::string> arguments;  ///< the texts, lists spread out
  std::string grain;                   ///< of .grain()
  std::string other;                   ///< a method or keyword that has no translation
};

Error Untranslatable(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

/// Reads what stands between {{ and }}.
class ReferenceReader {
 public:
  explicit ReferenceReader(std::string_view text) : text_(text) {}

  Result<Reference> Read() {
    Reference reference;
    reference.function = Word();
    WARD_TRY(reference.arguments, Arguments(reference));
    for (Skip(); Take('.'); Skip()) {
      const std::string method = Word();
      WARD_TRY(const std::vector<std::string> given, Arguments(reference));
      if (method == "grain" && given.size() == 1)
        reference.grain = given[0];
      else
        reference.other = "." + method + "()";
    }
    if (at_ != text_.size() || reference.function.empty())
      return Untranslatable("{{" + std::string(text_) + "}} is no reference that can be read");
    return reference;
  }

 private:
  void Skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool Take(char c) {
    Skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string Word() {
    Skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  /// (, quoted texts, lists and name=value up to ).
  Result<std::vector<std::string>> Arguments(Reference& reference) {
    std::vector<std::string> arguments;
    if (!Take('(')) return Untranslatable("a reference in {{ }} has no arguments");
    while (!Take(')')) {
      Skip();
      if (at_ >= text_.size()) return Untranslatable("a reference in {{ }} is not closed");
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        const std::size_t end = text_.find(c, at_ + 1);
        if (end == std::string_view::npos) return Untranslatable("a quote is not closed");
        arguments.emplace_back(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
      } else if (c == ',') {
        ++at_;
      } else if (c == '[' || c == ']') {
        if (c == '[' && text_.find_first_not_of(" \t", at_ + 1) != text_.find(']', at_))
          reference.other = "a list of entities";
        ++at_;
      } else if (const std::string word = Word(); !word.empty() && Take('=')) {
        if (word != "time_granularity_name" && word != "time_dimension_name" &&
            word != "entity_path")
          reference.other = word;
      } else {
        return Untranslatable("an argument in {{ }} is no text");
      }
    }
    return arguments;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// a__b__c split at the double underscores.
std::vector<std::string> SplitPath(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t at; (at = path.find("__")) != std::string_view::npos; path.remove_prefix(at + 2))
    parts.emplace_back(path.substr(0, at));
  parts.emplace_back(path);
  return parts;
}

class Translator {
 public:
  Translator(const FlowProject& project, const FlowModel& fact, const FlowDimension* metric_time)
      : project_(project), fact_(fact), metric_time_(metric_time) {}

  Result<std::string> Translate(std::string_view filter) {
    std::string sql;
    for (std::size_t at = 0;;) {
      const std::size_t open = filter.find("{{", at);
      sql += filter.substr(at, open == std::string_view::npos ? open : open - at);
      if (open == std::string_view::npos) break;
      const std::size_t close = filter.find("}}", open);
      if (close == std::string_view::npos) return Untranslatable("{{ is not closed");
      WARD_TRY(const Reference reference,
               ReferenceReader(filter.substr(open + 2, close - open - 2)).Read());
      WARD_TRY(const std::string column, Resolve(reference));
      sql += column;
      at = close + 2;
    }
    return Checked(sql);
  }

 private:
  /// Only what the references named may stand in it: "x" is a text in some warehouses.
  Result<std::string> Checked(const std::string& sql) {
    WARD_TRY(const sql::ExpressionPtr tree, sql::ReadExpression(sql));
    WARD_CHECK(sql::VisitColumns(tree, [&](const sql::ColumnRef& column) -> Status {
      if (columns_.contains({column.qualifier, column.column})) return Ok();
      return Untranslatable("\"" + column.column + "\" stands in it outside of a reference");
    }));
    return sql::PrintExpression(tree);
  }

  std::string Use(const std::string& qualifier, const std::string& column) {
    columns_.insert({qualifier, column});
    return Spelled(qualifier, column);
  }

  Result<std::string> Resolve(const Reference& reference) {
    const std::string& function = reference.function;
    if (!reference.other.empty())
      return Untranslatable(reference.other + " in {{ }} has no translation");
    if (reference.arguments.empty()) return Untranslatable("a reference in {{ }} names nothing");
    if (function == "Entity") return ResolveEntity(reference.arguments[0]);
    if (function != "Dimension" && function != "TimeDimension")
      return Untranslatable(function + "() has no translation");
    const std::string grain =
        reference.arguments.size() > 1 ? reference.arguments[1] : reference.grain;
    return ResolveDimension(reference.arguments[0], grain);
  }

  Result<std::string> ResolveDimension(const std::string& path, const std::string& grain) {
    if (path == "metric_time") {
      if (metric_time_ == nullptr) return Untranslatable("the metric has no time of its own");
      return AtGrain(*metric_time_, Use(fact_.entity, metric_time_->Spelling()), grain);
    }
    const std::vector<std::string> parts = SplitPath(path);
    if (parts.size() < 2) {
      const FlowDimension* own = fact_.Dimension(path);
      if (own == nullptr) return Untranslatable("\"" + path + "\" is no dimension of its model");
      return AtGrain(*own, Use(fact_.entity, own->Spelling()), grain);
    }
    const std::string& link = parts[parts.size() - 2];
    WARD_TRY(const FlowModel* model,
             ModelOf(
                 link, [&](const FlowModel& one) { return one.Dimension(parts.back()) != nullptr; },
                 path));
    const FlowDimension& dimension = *model->Dimension(parts.back());
    return AtGrain(dimension, Use(QualifierOf(*model, link), dimension.Spelling()), grain);
  }

  Result<std::string> ResolveEntity(const std::string& path) {
    const std::vector<std::string> parts = SplitPath(path);
    const FlowModel* model = &fact_;
    std::string qualifier = fact_.entity;
    if (parts.size() > 1) {
      const std::string& link = parts[parts.size() - 2];
      WARD_TRY(
          model,
          ModelOf(
              link, [&](const FlowModel& one) { return one.Link(parts.back()) != nullptr; }, path));
      qualifier = QualifierOf(*model, link);
    }
    const FlowLink* link = model->Link(parts.back());
    if (link == nullptr || !link->column)
      return Untranslatable("entity \"" + path + "\" is no column");
    return Use(qualifier, *link->column);
  }

  /// The model that `link` leads to and that fits: of the fact itself, else one for which it is the
  /// primary link, else a unique one; each only where there is one.
  template <class Fits>
  Result<const FlowModel*> ModelOf(const std::string& link, const Fits& fits,
                                   const std::string& path) const {
    if (fact_.primary == link && fits(fact_)) return &fact_;
    std::vector<const FlowModel*> primary, unique;
    for (const FlowModel& model : project_.models) {
      if (model.entity.empty() || !fits(model)) continue;
      const FlowLink* own = model.Link(link);
      if (model.primary == link)
        primary.push_back(&model);
      else if (own != nullptr && own->kind == LinkKind::Unique)
        unique.push_back(&model);
    }
    const auto& found = primary.empty() ? unique : primary;
    if (found.size() == 1) return found.front();
    return Untranslatable(fmt::format("\"{}\" is found in {} models", path, found.size()));
  }

  /// What our names call the model where it is reached by that link: a role where the link is not
  /// the entity's own name.
  std::string QualifierOf(const FlowModel& model, const std::string& link) const {
    if (&model == &fact_ && fact_.primary == link) return model.entity;
    if (model.primary == link) return model.entity;
    return link;
  }

  /// A time dimension is cut to its grain before it is compared.
  static Result<std::string> AtGrain(const FlowDimension& dimension, std::string column,
                                     std::string grain) {
    if (!dimension.problem.empty())
      return Untranslatable("dimension \"" + dimension.name +
                            "\" is not imported: " + dimension.problem);
    if (!dimension.is_time) {
      if (grain.empty()) return column;
      return Untranslatable("\"" + dimension.name + "\" is no time");
    }
    grain = LowerAscii(grain);
    const std::string own = dimension.grain.empty() ? "day" : dimension.grain;
    if (grain.empty()) grain = own;
    if (grain == "day") return "CAST(" + column + " AS date)";
    if (grain == own) return column;
    return Untranslatable("time cut to the " + grain + " has no translation");
  }

  const FlowProject& project_;
  const FlowModel& fact_;
  const FlowDimension* metric_time_;
  std::set<std::pair<std::string, std::string>> columns_;
};

}  // namespace

Result<std::string> TranslateFilter(const FlowProject& project, const FlowModel& fact,
                                    const FlowDimension* metric_time, std::string_view filter) {
  return Translator(project, fact, metric_time).Translate(filter);
}

}  // namespace schemaward::interchange
