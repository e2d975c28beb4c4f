// For tests: another process that writes to a database file. usage: writer LIBRARY FILE SQL [hold]
// Prints "done" or the engine's text. With `hold` it keeps the file open until its input ends.

#include <cstdio>
#include <string>

#include "connect/duckdb/library.h"

namespace {

using schemaward::connect::duckdb::Api;
using schemaward::connect::duckdb::Connection;
using schemaward::connect::duckdb::Database;
using schemaward::connect::duckdb::Library;
using schemaward::connect::duckdb::Owned;
using schemaward::connect::duckdb::RawResult;
using schemaward::connect::duckdb::State;

int Say(const char* text) {
  std::puts(text);
  std::fflush(stdout);
  return 0;
}

int Run(const Api& api, const char* path, const char* sql, bool hold) {
  Database raw = nullptr;
  char* error = nullptr;
  if (api.open_ext(path, &raw, nullptr, &error) != State::Success) return Say(error);
  const Owned<Database> database(raw, api.close);
  Connection session = nullptr;
  if (api.connect(raw, &session) != State::Success) return Say("no session");
  const Owned<Connection> connection(session, api.disconnect);
  RawResult result{};
  const State state = api.query(session, sql, &result);
  Say(state == State::Success ? "done" : api.result_error(&result));
  api.destroy_result(&result);
  while (hold && std::getchar() != EOF) {
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kWithHold = 5;
  if (argc < kWithHold - 1) return Say("usage: writer LIBRARY FILE SQL [hold]");
  const auto library = Library::Load({argv[1]});
  if (!library) return Say(library.error().message().c_str());
  return Run((*library)->api(), argv[2], argv[3], argc >= kWithHold);
}
