#pragma once

// The catalog while a script is applied to it, as PostgreSQL keeps its own: keys and foreign keys
// hold columns by position and tables and types by identity, so that renaming either renames all.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::connect::ddl {

/// PostgreSQL's own bound on the columns of a table.
inline constexpr std::size_t kColumnsMax = 1600;

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Levels of partitions that are followed.
inline constexpr int kPartitionDepthMax = 64;

struct UserType;

/// A column's type. With `user`, `text` is the modifier in parentheses, or empty; without, the type
/// as PostgreSQL prints it; empty where it cannot be known.
struct TypeRef {
  const UserType* user = nullptr;
  std::string text;
  bool is_array = false;
};

enum class UserTypeKind : std::uint8_t {
  Unseen,  ///< named, but not created by the script: an extension's
  Other,   ///< created, nothing to say of it
  Enum,
  Domain,
  Composite
};

struct UserType {
  UserTypeKind kind = UserTypeKind::Unseen;
  std::string schema;  ///< empty for an unseen type that was written without one
  std::string name;
  std::vector<std::string> labels;          ///< of an enum, or of a domain's CHECK (VALUE IN (...))
  TypeRef base;                             ///< of a domain
  bool not_null = false;                    ///< of a domain
  std::vector<catalog::Column> attributes;  ///< of a composite; types stand in attribute_types
  std::vector<TypeRef> attribute_types;
};

struct ColumnState {
  catalog::Column column;  ///< type, domain and is_array are filled in at the end
  TypeRef type;
  std::optional<std::string> remote_name;  ///< of a foreign table: its option column_name
  bool dropped = false;
};

/// Positions in Relation::columns.
using Positions = std::vector<std::size_t>;

struct KeyState {
  std::string name;
  Positions columns;
};

struct IndexPart {
  std::optional<std::size_t> column;
  std::string expression;  ///< where it is no plain column
};

struct IndexState {
  std::string name;
  std::vector<IndexPart> parts;
  bool unique = false;
  bool backs_constraint = false;
  std::string method;
  std::optional<std::string> predicate;
};

struct CheckState {
  std::string name;
  std::string expression;
  std::optional<std::size_t> column;  ///< the column that `labels` are of
  std::vector<std::string> labels;
};

struct Relation;

struct ForeignKeyState {
  std::string name;
  Positions columns;
  Relation* target = nullptr;               ///< null until the table is created
  std::vector<std::string> target_schemas;  ///< where to look for it
  std::string target_name;
  std::vector<std::string> target_column_names;  ///< empty: its primary key
  Positions target_columns;                      ///< filled when `target` and the columns are known
  std::string on_update;
  std::string on_delete;
};

struct Relation {
  std::string schema;
  std::string name;
  catalog::TableKind kind = catalog::TableKind::Table;
  std::string comment;
  std::string definition;  ///< of a view: its query
  std::vector<ColumnState> columns;
  std::optional<KeyState> primary_key;
  std::vector<ForeignKeyState> foreign_keys;
  std::vector<KeyState> unique_keys;
  std::vector<IndexState> indexes;
  std::vector<CheckState> checks;
  Relation* partition_of = nullptr;
  std::vector<Relation*> inherits;   ///< parents that are not partitioned
  std::vector<std::string> parents;  ///< as catalog::Table's, filled at the end
  std::vector<std::string> children;
  std::optional<std::string> remote_table;  ///< of a foreign table: its option table_name
  bool dropped = false;
  bool temporary = false;
  bool columns_known = true;  ///< false: a view over something the script does not create

  /// Position of the live column of that name, or kNoColumn.
  std::size_t Find(std::string_view column) const;
  /// Dropped, or a partition of a table that was.
  bool IsGone() const;
};

/// Owns relations and types. Thread: one. Pointers stay good for its lifetime.
class SchemaState {
 public:
  SchemaState();

  /// Schemas that unqualified names are looked up in; pg_catalog comes first without being there.
  const std::vector<std::string>& search_path() const { return search_path_; }
  /// Sets the path; what names no schema of its own ("$user", pg_catalog, pg_temp) is left out.
  void SetSearchPath(const std::vector<std::string>& schemas);

  /// Returns `schema`, or where that is empty the schema in which a new object comes to stand.
  std::string CreationSchema(std::string_view schema) const;
  /// Returns the schemas to look into: `schema` alone, or the search path.
  std::vector<std::string> LookupSchemas(std::string_view schema) const;

  /// Finds a live relation; `schema` may be empty.
  Relation* FindRelation(std::string_view schema, std::string_view name) const;
  Relation& AddRelation(std::string_view schema, std::string_view name, catalog::TableKind kind);
  void MoveRelation(Relation& relation, std::string_view schema, std::string_view name);
  void DropRelation(Relation& relation);

  /// Finds a type that the script created; `schema` may be empty.
  UserType* FindType(std::string_view schema, std::string_view name) const;
  /// Finds a type, or notes it as unseen.
  const UserType* UseType(std::string_view schema, std::string_view name);
  /// Makes a type, or turns an unseen one of that name into it.
  UserType& AddType(std::string_view schema, std::string_view name, UserTypeKind kind);
  void MoveType(UserType& type, std::string_view schema, std::string_view name);
  /// Moves all types of a schema that is renamed.
  void MoveTypes(std::string_view from, std::string_view to);
  void DropType(UserType& type);

  /// The relation that an index belongs to, or null.
  Relation* FindIndexOwner(std::string_view schema, std::string_view index) const;
  void AddIndex(Relation& owner, IndexState index);
  /// Renames an index of `owner` and the key that it stands for, if there is one of that name.
  void RenameIndex(Relation& owner, std::string_view from, std::string_view to);

  /// Claims a name that no constraint or index of the schema has yet: ObjectName(name1, name2,
  /// label), with a number after the label where needed.
  std::string ChooseName(std::string_view schema, std::string_view name1, std::string_view name2,
                         std::string_view label);
  void ClaimName(std::string_view schema, std::string_view name);

  const std::deque<std::unique_ptr<Relation>>& relations() const { return relations_; }

 private:
  std::vector<std::string> search_path_;
  std::deque<std::unique_ptr<Relation>> relations_;
  std::deque<std::unique_ptr<UserType>> types_;
  std::unordered_map<std::string, Relation*> relation_by_name_;
  std::unordered_map<std::string, UserType*> type_by_name_;
  std::unordered_map<std::string, Relation*> index_owner_;
  std::unordered_set<std::string> claimed_names_;
  std::unordered_map<std::string, int> next_number_;
};

}  // namespace schemaward::connect::ddl
