#include "connect/secret.h"

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child_process.h"
#include "connect/connection_text.h"

namespace schemaward::connect {
namespace {

constexpr std::chrono::milliseconds kCommandTimeMax{10'000};
constexpr int kCommandPollMs = 50;  // how soon a stop is seen
constexpr std::size_t kCommandBytesMax = 64u << 10;
constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

Error Missing(std::string_view message, std::string_view hint) {
  return std::move(Error(ErrorKind::MissingCredential, message).Hint(hint));
}

Result<ConnectionText> TakeApart(std::string_view text) {
  if (LooksLikeUri(text)) return TakeApartUri(text);
  if (LooksLikeKeywords(text)) return TakeApartKeywords(text);
  return ConnectionText{};
}

// The variable holds the secret itself, or a whole SOURCE.
Result<std::string> FromVariable(const std::string& name, const Environment& environment) {
  const auto value = environment(name);
  if (!value || value->empty())
    return Missing("the environment variable \"" + name + "\" that holds the secret is not set",
                   "Set it for this program, or index the source again with another reference.");
  if (!LooksLikeUri(*value) && !LooksLikeKeywords(*value)) return *value;
  WARD_TRY(ConnectionText parts, TakeApart(*value));
  return std::move(parts.secret);
}

// The client reads the file by itself; here it is only said why that would fail.
Status CheckPassfile(std::string path, const Environment& environment) {
  if (path.empty()) path = environment("PGPASSFILE").value_or("");
  if (path.empty()) path = environment("HOME").value_or("") + "/.pgpass";
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0 || access(path.c_str(), R_OK) != 0)
    return std::move(Missing("the password file is not there or cannot be read",
                             "Make it, or set PGPASSFILE to where it is.")
                         .Private(path));
  if (S_ISREG(facts.st_mode) && (facts.st_mode & kOthers) != 0)
    return std::move(Missing("the password file is open to others, so the client ignores it",
                             "Run chmod 600 on it.")
                         .Private(path));
  return Ok();
}

// A running shell command. What runs of it and its group when this object ends, ends with it; of
// one that has ended by itself nothing more is ended.
class Command {
 public:
  static Result<Command> Start(const std::string& text);

  // Reads up to the first line's end. Errors: Cancelled, DeadlineExceeded, MissingCredential.
  Result<std::string> FirstLine(CallContext& ctx);

 private:
  explicit Command(ChildProcess process) : process_(std::move(process)) {}
  // Waits for the end of a command that closed its output or wrote its line; true where it ended
  // well.
  bool EndedWell(CallContext& ctx);
  ChildProcess process_;
};

Result<Command> Command::Start(const std::string& text) {
  auto process = ChildProcess::Start(
      {.program = "/bin/sh", .arguments = {"sh", "-c", text}, .ends = ChildEnds::Output});
  if (process) return Command(*std::move(process));
  if (process.error().kind() == ErrorKind::Internal) return std::move(process).error();
  return std::move(
      Missing("the password command could not be started", "Check that /bin/sh is there.")
          .Private(process.error().private_detail()));
}

Result<std::string> Command::FirstLine(CallContext& ctx) {
  const Deadline until = Deadline::After(ctx.clock, kCommandTimeMax);
  std::string text;
  while (text.find('\n') == std::string::npos && text.size() < kCommandBytesMax) {
    WARD_CHECK(ctx.Check());
    if (until.HasPassed(ctx.clock))
      return Missing("the password command did not end within 10 s",
                     "Use a command that needs no one to answer it.");
    pollfd wait{process_.end(), POLLIN, 0};
    if (poll(&wait, 1, kCommandPollMs) <= 0) continue;
    char bytes[4096];
    const ssize_t got = read(process_.end(), bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(bytes, static_cast<std::size_t>(got));
  }
  if (text.size() >= kCommandBytesMax && text.find('\n') == std::string::npos)
    return Missing("the password command printed more than 64 KiB without a line's end",
                   "Let it print the secret on its first line.");
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  if (text.empty() || !EndedWell(ctx))
    return Missing("the password command failed or printed nothing",
                   "Run it in a shell: its first line must be the secret and its exit status 0.");
  return text;
}

bool Command::EndedWell(CallContext& ctx) {
  const Deadline until = Deadline::After(ctx.clock, kCommandTimeMax);
  while (ctx.Check() && !until.HasPassed(ctx.clock)) {
    // The pipe is drained, so that a command that prints more does not wait for a reader.
    char bytes[4096];
    pollfd wait{process_.end(), POLLIN, 0};
    const bool open = poll(&wait, 1, 1) == 0 || read(process_.end(), bytes, sizeof bytes) > 0;
    if (const auto well = process_.EndedWell()) {
      process_.LeaveGroup();  // an agent that it started may go on
      return *well;
    }
    if (!open) poll(nullptr, 0, 1);
  }
  return false;
}

}  // namespace

Environment SystemEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody writes
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::string ToText(const SecretRef& ref) {
  switch (ref.kind) {
    case SecretKind::None:
      return "none";
    case SecretKind::Env:
      return "env:" + ref.text;
    case SecretKind::Service:
      return "service";
    case SecretKind::Passfile:
      return ref.text.empty() ? "passfile" : "passfile:" + ref.text;
    case SecretKind::Command:
      return "password_command:" + ref.text;
  }
  return "none";
}

Result<SecretRef> ParseSecretRef(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view word = text.substr(0, colon);
  const std::string rest(text.substr(std::min(colon + 1, text.size())));
  if (text == "none") return SecretRef{};
  if (text == "service") return SecretRef{SecretKind::Service, ""};
  if (word == "passfile" && (colon == text.size() || !rest.empty()))
    return SecretRef{SecretKind::Passfile, rest};
  if (word == "env" && !rest.empty()) return SecretRef{SecretKind::Env, rest};
  if (word == "password_command" && !rest.empty()) return SecretRef{SecretKind::Command, rest};
  return std::move(Error(ErrorKind::InvalidArgument, "not a reference to a secret")
                       .Hint("Give env:NAME, service, passfile, password_command:CMD or none."));
}

std::string SecretVariable(std::string_view name) {
  std::string variable = "SCHEMAWARD_SECRET_";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    variable += std::isalnum(byte) ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return variable;
}

Result<std::string> ResolveSecret(const SecretRef& ref, const Environment& environment,
                                  CallContext& ctx) {
  switch (ref.kind) {
    case SecretKind::Env:
      return FromVariable(ref.text, environment);
    case SecretKind::Passfile:
      WARD_CHECK(CheckPassfile(ref.text, environment));
      return std::string();
    case SecretKind::Command: {
      WARD_TRY(Command command, Command::Start(ref.text));
      return command.FirstLine(ctx);
    }
    case SecretKind::None:
    case SecretKind::Service:
      return std::string();
  }
  return std::string();
}

void WipeArgument(char* arg) {
  const auto parts = TakeApart(std::string_view(arg));
  if (!parts) return;
  for (const TextSpan span : parts->secret_spans)
    std::memset(arg + span.begin, '*', span.end - span.begin);
}

}  // namespace schemaward::connect
