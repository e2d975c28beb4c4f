#pragma once

// Enums, domains, and arrays of both: what a column's type means.

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "connect/postgres/rows.h"

namespace schemaward::connect::postgres {

/// Thread: immutable.
class TypeTable {
 public:
  /// types, constraints: answers to the catalog queries of these names.
  TypeTable(const Reply& types, const Reply& constraints);

  /// Follows domains to their base and arrays to their element, and sets what follows of it:
  /// labels, domain and base type, is_array, that a domain forbids nulls, and as tags what routines
  /// its values run.
  void Apply(catalog::Column& column, ObjectId type) const;

 private:
  struct Type {
    char kind = 'b';
    std::string name, base_name;
    ObjectId element = 0, base = 0;
    bool not_null = false;
    bool is_converted = false;  // a cast from or to it runs a routine of the database
    bool is_checked = false;    // so does a check of the domain
    std::vector<std::string> labels;
    std::vector<std::pair<std::string, ObjectId>> fields;  // of a row, with their types
  };
  void AddFields(catalog::Column& column, const Type& type, const std::string& holder,
                 int depth) const;

  std::unordered_map<ObjectId, Type> types_;
};

}  // namespace schemaward::connect::postgres
