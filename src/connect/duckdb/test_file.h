#pragma once

// A database file in a folder of its own, and its owner, who may write. For tests.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/temp_folder.h"
#include "connect/duckdb/errors.h"
#include "connect/duckdb/library.h"

namespace schemaward::connect::duckdb {

class TestFile {
 public:
  /// Returns nothing where SCHEMAWARD_DUCKDB does not name the library.
  static std::unique_ptr<TestFile> Make(const std::string& name = "shop.duckdb") {
    const char* library = std::getenv("SCHEMAWARD_DUCKDB");  // NOLINT(concurrency-mt-unsafe)
    if (library == nullptr || *library == '\0') return nullptr;
    auto loaded = Library::Load({library});
    if (!loaded) return nullptr;
    return std::unique_ptr<TestFile>(new TestFile(library, *std::move(loaded), name));
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  const std::string& library_path() const { return library_path_; }
  const std::shared_ptr<const Library>& library() const { return library_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::string path() const { return folder_.File(name_); }

  /// Opens the file for writing, runs the statements and closes it.
  Status Execute(std::string_view sql) const {
    const Api& api = library_->api();
    Database raw = nullptr;
    char* text = nullptr;
    if (api.open_ext(path().c_str(), &raw, nullptr, &text) != State::Success) {
      Error error = MakeError(text, During::Open);
      api.free(text);
      return error;
    }
    const Owned<Database> database(raw, api.close);
    Connection session = nullptr;
    if (api.connect(raw, &session) != State::Success)
      return Error(ErrorKind::SourceUnreachable, "no session");
    const Owned<Connection> connection(session, api.disconnect);
    RawResult result{};
    const State state = api.query(session, std::string(sql).c_str(), &result);
    Status done = Ok();
    if (state != State::Success) done = MakeError(api.result_error(&result), During::Catalog);
    api.destroy_result(&result);
    return done;
  }

 private:
  TestFile(std::string library_path, std::shared_ptr<const Library> library, std::string name)
      : library_path_(std::move(library_path)),
        library_(std::move(library)),
        name_(std::move(name)) {}

  const std::string library_path_;
  const std::shared_ptr<const Library> library_;
  const std::string name_;
  const TempFolder folder_;
};

}  // namespace schemaward::connect::duckdb
