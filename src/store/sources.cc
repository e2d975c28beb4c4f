#include "store/sources.h"

#include <optional>

#include <fmt/format.h>

#include "store/impl.h"
#include "store/location.h"
#include "store/name_key.h"
#include "store/removal.h"
#include "store/source_row.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kIdByName = "SELECT id FROM source WHERE name_key = ?1";
constexpr std::string_view kByLocation = "SELECT id, name FROM source WHERE location_key = ?1";
constexpr std::string_view kInsert =
    "INSERT INTO source(name, name_key, engine, location, location_key, secret_ref)"
    " VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
constexpr std::string_view kUpdate =
    "UPDATE source SET name = ?1, name_key = ?2, engine = ?3, location = ?4, secret_ref = ?6"
    " WHERE location_key = ?5";
constexpr std::string_view kRename = "UPDATE source SET name = ?1, name_key = ?2 WHERE id = ?3";

struct Known {
  std::int64_t id = 0;
  std::string name;
};

Error NameTaken(std::string_view name) {
  return Error(ErrorKind::InvalidArgument, fmt::format("another source is named \"{}\"", name))
      .Hint("Give another --name, or remove that source first.");
}

Error NameEmpty() {
  return Error(ErrorKind::InvalidArgument, "a source's name is empty")
      .Hint("Give it one; where none is given at all, it is the database's or the file's.");
}

Error NoSource(std::string_view name) {
  return Error(ErrorKind::UnknownSource, fmt::format("no source is named \"{}\"", name))
      .Hint("Run `schemaward sources` to see them.");
}

Result<std::optional<std::int64_t>> IdOf(Connection& connection, std::string_view name) {
  WARD_TRY(auto row, connection.Prepared(kIdByName));
  WARD_TRY(const bool found, row->Bind(1, std::string_view(NameKey(name))).Step());
  return found ? std::optional<std::int64_t>(row->Int(0)) : std::nullopt;
}

Result<std::optional<Known>> FindLocation(Connection& connection, std::string_view key) {
  WARD_TRY(auto row, connection.Prepared(kByLocation));
  WARD_TRY(const bool found, row->Bind(1, key).Step());
  if (!found) return std::optional<Known>();
  return std::optional<Known>(Known{row->Int(0), std::string(row->Text(1))});
}

/// The name that the source is to have.
Result<std::string> ChooseName(Connection& connection, const SourceSpec& spec,
                               const std::optional<Known>& known) {
  if (known && !spec.name_given) return known->name;
  const std::string wanted = spec.name.empty() ? spec.engine : spec.name;
  for (int i = 1; i <= kNameTriesMax; ++i) {
    std::string name = i == 1 ? wanted : fmt::format("{}_{}", wanted, i);
    WARD_TRY(const auto owner, IdOf(connection, name));
    if (!owner || (known && *owner == known->id)) return name;
    if (spec.name_given) return NameTaken(name);
  }
  return NameTaken(wanted);
}

}  // namespace

Result<Source> PutSource(Store& store, const SourceSpec& spec) {
  if (spec.name_given && spec.name.empty()) return NameEmpty();
  const std::string location_key = LocationKey(spec.engine, spec.location);
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_TRY(const auto known, FindLocation(*connection, location_key));
  WARD_TRY(const std::string name, ChooseName(*connection, spec, known));
  {
    WARD_TRY(auto put, connection->Prepared(known ? kUpdate : kInsert));
    put->Bind(1, std::string_view(name))
        .Bind(2, std::string_view(NameKey(name)))
        .Bind(3, std::string_view(spec.engine))
        .Bind(4, std::string_view(spec.location))
        .Bind(5, std::string_view(location_key))
        .Bind(6, std::string_view(spec.secret_ref));
    WARD_CHECK(put->Run());
  }
  WARD_CHECK(transaction.Commit());
  WARD_TRY(auto source, store.FindSource(name));
  if (!source) return NoSource(name);  // another process removed it just now
  return *std::move(source);
}

Status RenameSource(Store& store, std::string_view name, std::string_view new_name) {
  if (new_name.empty()) return NameEmpty();
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_TRY(const auto id, IdOf(*connection, name));
  if (!id) return NoSource(name);
  WARD_TRY(const auto owner, IdOf(*connection, new_name));
  if (owner && *owner != *id) return NameTaken(new_name);
  {
    WARD_TRY(auto rename, connection->Prepared(kRename));
    rename->Bind(1, new_name).Bind(2, std::string_view(NameKey(new_name))).Bind(3, *id);
    WARD_CHECK(rename->Run());
  }
  return transaction.Commit();
}

Status RemoveSource(Store& store, std::string_view name) {
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_TRY(const auto id, IdOf(*connection, name));
  if (!id) return NoSource(name);
  WARD_CHECK(RemoveRowsOfSource(*connection, *id));
  return transaction.Commit();
}

}  // namespace schemaward::store
