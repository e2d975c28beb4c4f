#include "connect/ddl/state.h"

#include <string>
#include <utility>

#include "connect/ddl/names.h"

namespace schemaward::connect::ddl {
namespace {

std::string Key(std::string_view schema, std::string_view name) {
  std::string key;
  key.reserve(schema.size() + name.size() + 1);
  return key.append(schema).append(1, '\0').append(name);
}

template <class T>
T* FindIn(const std::unordered_map<std::string, T*>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

/// Tries each schema in order.
template <class T>
T* FindInSchemas(const std::unordered_map<std::string, T*>& map, std::string_view schema,
                 const std::vector<std::string>& path, std::string_view name) {
  if (!schema.empty()) return FindIn(map, Key(schema, name));
  for (const std::string& candidate : path) {
    if (T* found = FindIn(map, Key(candidate, name))) return found;
  }
  return nullptr;
}

constexpr std::string_view kDefaultSchema = "public";

}  // namespace

std::size_t Relation::Find(std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].dropped && columns[i].column.name == column) return i;
  }
  return kNoColumn;
}

bool Relation::IsGone() const {
  const Relation* at = this;
  for (int depth = 0; at != nullptr && depth < kPartitionDepthMax; ++depth) {
    if (at->dropped) return true;
    at = at->partition_of;
  }
  return false;
}

SchemaState::SchemaState() : search_path_{std::string(kDefaultSchema)} {}

void SchemaState::SetSearchPath(const std::vector<std::string>& schemas) {
  search_path_.clear();
  for (const std::string& schema : schemas) {
    if (!schema.empty() && schema != "$user" && schema != "pg_catalog" && schema != "pg_temp")
      search_path_.push_back(schema);
  }
}

std::string SchemaState::CreationSchema(std::string_view schema) const {
  if (!schema.empty()) return std::string(schema);
  return search_path_.empty() ? std::string(kDefaultSchema) : search_path_.front();
}

std::vector<std::string> SchemaState::LookupSchemas(std::string_view schema) const {
  if (!schema.empty()) return {std::string(schema)};
  return search_path_.empty() ? std::vector<std::string>{std::string(kDefaultSchema)}
                              : search_path_;
}

Relation* SchemaState::FindRelation(std::string_view schema, std::string_view name) const {
  if (schema.empty() && search_path_.empty()) schema = kDefaultSchema;
  Relation* relation = FindInSchemas(relation_by_name_, schema, search_path_, name);
  return relation == nullptr || relation->IsGone() ? nullptr : relation;
}

Relation& SchemaState::AddRelation(std::string_view schema, std::string_view name,
                                   catalog::TableKind kind) {
  Relation& relation = *relations_.emplace_back(std::make_unique<Relation>());
  relation.schema = schema;
  relation.name = name;
  relation.kind = kind;
  relation_by_name_[Key(schema, name)] = &relation;
  return relation;
}

void SchemaState::MoveRelation(Relation& relation, std::string_view schema, std::string_view name) {
  relation_by_name_.erase(Key(relation.schema, relation.name));
  if (relation.schema != schema) {
    for (const IndexState& index : relation.indexes) {
      index_owner_.erase(Key(relation.schema, index.name));
      index_owner_[Key(schema, index.name)] = &relation;
    }
  }
  relation.schema = std::string(schema);
  relation.name = std::string(name);
  relation_by_name_[Key(schema, name)] = &relation;
}

void SchemaState::DropRelation(Relation& relation) {
  relation_by_name_.erase(Key(relation.schema, relation.name));
  for (const IndexState& index : relation.indexes)
    index_owner_.erase(Key(relation.schema, index.name));
  relation.dropped = true;
}

UserType* SchemaState::FindType(std::string_view schema, std::string_view name) const {
  if (schema.empty() && search_path_.empty()) schema = kDefaultSchema;
  return FindInSchemas(type_by_name_, schema, search_path_, name);
}

const UserType* SchemaState::UseType(std::string_view schema, std::string_view name) {
  if (const UserType* found = FindType(schema, name)) return found;
  const std::string key = Key(schema, name);
  if (const UserType* unseen = FindIn(type_by_name_, key)) return unseen;
  UserType& type = *types_.emplace_back(std::make_unique<UserType>());
  type.schema = schema;
  type.name = name;
  type_by_name_[key] = &type;
  return &type;
}

UserType& SchemaState::AddType(std::string_view schema, std::string_view name, UserTypeKind kind) {
  UserType* type = FindIn(type_by_name_, Key(schema, name));
  if (type == nullptr || type->kind != UserTypeKind::Unseen) {
    // One that was used before under its bare name.
    UserType* bare = FindIn(type_by_name_, Key({}, name));
    if (bare != nullptr && bare->kind == UserTypeKind::Unseen) {
      type_by_name_.erase(Key({}, name));
      type = bare;
    } else {
      type = types_.emplace_back(std::make_unique<UserType>()).get();
    }
  }
  type->schema = schema;
  type->name = name;
  type->kind = kind;
  type_by_name_[Key(schema, name)] = type;
  return *type;
}

void SchemaState::MoveType(UserType& type, std::string_view schema, std::string_view name) {
  type_by_name_.erase(Key(type.schema, type.name));
  type.schema = std::string(schema);
  type.name = std::string(name);
  type_by_name_[Key(schema, name)] = &type;
}

void SchemaState::MoveTypes(std::string_view from, std::string_view to) {
  for (const auto& type : types_) {
    if (type->schema == from && FindIn(type_by_name_, Key(from, type->name)) == type.get())
      MoveType(*type, to, type->name);
  }
}

void SchemaState::DropType(UserType& type) { type_by_name_.erase(Key(type.schema, type.name)); }

Relation* SchemaState::FindIndexOwner(std::string_view schema, std::string_view index) const {
  if (schema.empty() && search_path_.empty()) schema = kDefaultSchema;
  return FindInSchemas(index_owner_, schema, search_path_, index);
}

void SchemaState::AddIndex(Relation& owner, IndexState index) {
  index_owner_[Key(owner.schema, index.name)] = &owner;
  owner.indexes.push_back(std::move(index));
}

void SchemaState::RenameIndex(Relation& owner, std::string_view from, std::string_view to) {
  if (index_owner_.erase(Key(owner.schema, from)) == 0) return;
  index_owner_[Key(owner.schema, to)] = &owner;
  const auto rename = [&](auto& object) {
    if (object.name == from) object.name = std::string(to);
  };
  for (IndexState& index : owner.indexes) rename(index);
  for (KeyState& key : owner.unique_keys) rename(key);
  if (owner.primary_key) rename(*owner.primary_key);
}

std::string SchemaState::ChooseName(std::string_view schema, std::string_view name1,
                                    std::string_view name2, std::string_view label) {
  std::string name = ObjectName(name1, name2, label);
  std::string key = Key(schema, name);
  if (claimed_names_.insert(key).second) return name;
  // Remembered per first choice, so that many constraints alike do not search from 1 each time.
  int& number = next_number_[key];
  do {
    name = ObjectName(name1, name2, std::string(label) + std::to_string(++number));
  } while (!claimed_names_.insert(Key(schema, name)).second);
  return name;
}

void SchemaState::ClaimName(std::string_view schema, std::string_view name) {
  claimed_names_.insert(Key(schema, name));
}

}  // namespace schemaward::connect::ddl
