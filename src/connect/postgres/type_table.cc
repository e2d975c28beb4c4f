#include "connect/postgres/type_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "catalog/type_tags.h"
#include "connect/postgres/catalog_queries.h"
#include "connect/postgres/check_labels.h"

namespace schemaward::connect::postgres {
namespace {

constexpr int kDomainDepthMax = 32;
constexpr int kRowDepthMax = 8;  // rows in rows

void AddTag(catalog::Column& column, std::string_view tag) {
  if (std::find(column.tags.begin(), column.tags.end(), tag) == column.tags.end())
    column.tags.emplace_back(tag);
}

}  // namespace

TypeTable::TypeTable(const Reply& types, const Reply& constraints) {
  const Rows<TypeField> rows(types);
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    Type& type = types_[rows.Id(i, TypeField::Oid)];
    const std::string_view kind = rows.Text(i, TypeField::Kind);
    type.kind = kind.empty() ? 'b' : kind[0];
    type.name = rows.Text(i, TypeField::Name);
    type.base_name = rows.Text(i, TypeField::BaseName);
    type.element = rows.Id(i, TypeField::Element);
    type.base = rows.Id(i, TypeField::Base);
    type.not_null = rows.Bool(i, TypeField::NotNull);
    type.is_converted = rows.Bool(i, TypeField::IsConverted);
    type.is_checked = rows.Bool(i, TypeField::IsChecked);
    if (type.kind == 'c' && type.fields.empty()) {
      auto names = ParseArray(rows.Text(i, TypeField::FieldNames));
      const auto oids = ParseArray(rows.Text(i, TypeField::FieldTypes));
      for (std::size_t n = 0; n < names.size() && n < oids.size(); ++n)
        type.fields.emplace_back(std::move(names[n]), ToNumber<ObjectId>(oids[n]));
    }
    if (!rows.IsNull(i, TypeField::Label)) type.labels.push_back(rows.String(i, TypeField::Label));
  }
  const Rows<ConstraintField> checks(constraints);
  for (std::size_t i = 0; i < checks.Count(); ++i) {
    const auto domain = types_.find(checks.Id(i, ConstraintField::Domain));
    if (domain == types_.end() || !domain->second.labels.empty()) continue;
    domain->second.labels = LabelsOfCheck(checks.Text(i, ConstraintField::Expression));
  }
}

// At most kFieldsMax, those of outer rows first where a row is in a row.
void TypeTable::AddFields(catalog::Column& column, const Type& type, const std::string& holder,
                          int depth) const {
  constexpr std::size_t kFieldsMax = 256;
  for (const auto& [name, oid] : type.fields) {
    if (column.tags.size() >= kFieldsMax) return;
    AddTag(column, std::string(catalog::kFieldTag) + catalog::QualifiedName(holder, name));
  }
  for (const auto& field : type.fields) {
    auto inner = types_.find(field.second);
    for (int step = 0; step < kDomainDepthMax && inner != types_.end(); ++step) {
      const Type& one = inner->second;
      if (one.kind == 'c') break;
      inner = types_.find(one.kind == 'd' ? one.base : one.element);
    }
    if (inner != types_.end() && depth < kRowDepthMax)
      AddFields(column, inner->second, field.first, depth + 1);
  }
}

void TypeTable::Apply(catalog::Column& column, ObjectId oid) const {
  for (int depth = 0; depth < kDomainDepthMax; ++depth) {
    const auto found = types_.find(oid);
    if (found == types_.end()) break;
    const Type& type = found->second;
    if (type.is_converted) AddTag(column, catalog::kConvertedTag);
    if (type.kind == 'c') AddFields(column, type, column.name, 0);
    if (type.is_checked) AddTag(column, catalog::kCheckedTag);
    if (column.labels.empty()) column.labels = type.labels;
    if (type.kind == 'd') {
      if (!column.is_array) {
        if (!column.domain) column.domain = type.name;
        column.type = type.base_name;
        if (type.not_null) column.nullable = false;
      }
      oid = type.base;
    } else if (type.element != 0) {
      column.is_array = true;
      oid = type.element;
    } else {
      break;
    }
  }
  if (column.type.ends_with("[]")) column.is_array = true;
}

}  // namespace schemaward::connect::postgres
