#pragma once

// SOURCE, as it is typed on the command line or stands in the configuration, understood. [R-CLI-1]

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "connect/secret.h"

namespace schemaward::connect {

/// A source without its secret, and where the secret is.
struct SourceSpec {
  std::string engine;  ///< postgres | mysql | sqlite | duckdb | ddl | dbt
  std::string
      location;  ///< what the engine opens: an absolute path, or a connection text without a secret
  std::string secret;           ///< found inside SOURCE, for this run only; else empty
  SecretRef secret_ref;         ///< how the secret is found at a later connect
  std::string default_name;     ///< the source's name where --name does not say another [R-NAME-1]
  bool secret_in_text = false;  ///< SOURCE itself holds the secret (not the variable that it names)
};

/// What a SOURCE is read against.
struct SourceContext {
  Environment environment = SystemEnvironment();
  std::filesystem::path folder =
      std::filesystem::current_path();  ///< relative files are relative to it
};

/// Reads postgres://..., postgresql://..., libpq's keyword=value pairs, mysql://..., sqlite:FILE,
/// duckdb:FILE, ddl:FILE.sql, dbt:TARGET_DIR, env:NAME (the variable holds the SOURCE), or a path
/// to such a file, told by its first bytes, else its ending. The engine need not be one that this
/// build has, and the file need not be there. Errors: MissingCredential when the variable of
/// env:NAME is not set; InputUnreadable for any other text. Thread: any.
Result<SourceSpec> ParseSource(std::string_view text, const SourceContext& context = {});

}  // namespace schemaward::connect
