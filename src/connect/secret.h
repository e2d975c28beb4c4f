#pragma once

// Where a source's secret is found: the store keeps the reference, never the secret. [R-CLI-4]

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::connect {

/// Gives the value of an environment variable, or none where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The process's own environment. Thread: any, as long as nobody writes to it; this program does
/// not.
Environment SystemEnvironment();

enum class SecretKind : std::uint8_t {
  None,      ///< the source asks for none, or the engine's client finds it by its own rules
  Env,       ///< a variable: it holds the secret, or a whole SOURCE with the secret inside
  Service,   ///< the engine client's service file
  Passfile,  ///< the engine client's password file
  Command    ///< the first line that a shell command prints
};

struct SecretRef {
  SecretKind kind = SecretKind::None;
  std::string text;  ///< the variable, the password file (empty: the usual one), or the command
  bool operator==(const SecretRef&) const = default;
};

/// Returns none | env:NAME | service | passfile[:FILE] | password_command:CMD.
std::string ToText(const SecretRef& ref);

/// Reads what ToText writes. Errors: InvalidArgument for anything else.
Result<SecretRef> ParseSecretRef(std::string_view text);

/// Returns the variable in which the secret of the source `name` is looked for when nothing else is
/// said: SCHEMAWARD_SECRET_ and the name in capitals, other characters than letters and digits as
/// '_'.
std::string SecretVariable(std::string_view name);

/// Returns the secret that `ref` stands for, empty where the engine's client finds it by itself.
/// A command runs under /bin/sh with nothing on its standard input, for at most 10 s and 64 KiB.
/// Errors: MissingCredential, naming what is absent; Cancelled and DeadlineExceeded while a command
/// runs.
Result<std::string> ResolveSecret(const SecretRef& ref, const Environment& environment,
                                  CallContext& ctx);

/// Overwrites each secret inside the SOURCE in `arg` with '*', so that it does not stand in the
/// list of processes. Requires: a terminated text that may be written to, as argv's are; other text
/// than a SOURCE is left alone.
void WipeArgument(char* arg);

}  // namespace schemaward::connect
