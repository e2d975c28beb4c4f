#include "clients/session.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>

#include "base/child_process.h"
#include "json/access.h"

namespace schemaward::clients {
namespace {

constexpr std::size_t kAnswerBytesMax = 4u << 20;
constexpr int kPollMs = 50;
constexpr std::chrono::seconds kEndWait{5};
constexpr std::string_view kModern = "2026-07-28", kLegacy = "2025-11-25";

// What the protocol's own client libraries pass to a server; nothing else is sure to reach it.
constexpr std::array<const char*, 6> kPassedByAll = {"HOME",  "LOGNAME", "PATH",
                                                     "SHELL", "TERM",    "USER"};

Error NotAsItShould(std::string_view what, std::string_view hint) {
  return std::move(Error(ErrorKind::InputUnreadable, what).Hint(hint));
}

// The variable that a whole value refers to, in any client's way, or empty.
std::string VariableIn(const std::string& value) {
  if (!value.starts_with("${") || !value.ends_with('}')) return {};
  std::string name = value.substr(2, value.size() - 3);
  return name.starts_with("env:") ? name.substr(4) : name;
}

/// A running server; its whole process group ends with this object.
class Child {
 public:
  static Result<Child> Start(const Wired& wired, const std::map<std::string, std::string>& env);
  Child(Child&&) = default;
  Child& operator=(Child&&) = delete;
  ~Child();

  // Sends a request and returns its result; other messages are passed over.
  Result<json::Value> Request(const json::Value& request, CallContext& ctx);
  Status Send(const json::Value& message);

 private:
  explicit Child(ChildProcess process) : process_(std::move(process)) {}
  Result<std::string> Line(CallContext& ctx);
  ChildProcess process_;
  std::string read_;
};

Result<Child> Child::Start(const Wired& wired, const std::map<std::string, std::string>& env) {
  ChildCommand command{.program = wired.command,
                       .arguments = {wired.command},
                       .environment = env,
                       .drops_errors = true};
  command.arguments.insert(command.arguments.end(), wired.args.begin(), wired.args.end());
  auto process = ChildProcess::Start(command);
  if (process) return Child(*std::move(process));
  if (process.error().kind() == ErrorKind::Internal) return std::move(process).error();
  return NotAsItShould("its command cannot be started: " + wired.command,
                       "Run `schemaward init` again to write where the program is now.");
}

Child::~Child() {
  if (process_.end() < 0) return;  // another holds the process
  process_.CloseInput();
  process_.WaitForEnd(kEndWait);
}

Status Child::Send(const json::Value& message) {
  const std::string line = message.dump() + "\n";
  // A server that has gone is noticed when its answer is awaited.
  (void)!::send(process_.end(), line.data(), line.size(), MSG_NOSIGNAL);
  return Ok();
}

Result<std::string> Child::Line(CallContext& ctx) {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    WARD_CHECK(ctx.Check());
    if (read_.size() > kAnswerBytesMax)
      return NotAsItShould("the server's answer has no end", "Check what the command is.");
    pollfd wait{process_.end(), POLLIN, 0};
    if (::poll(&wait, 1, kPollMs) <= 0) continue;
    char bytes[16384];
    const ssize_t got = ::recv(process_.end(), bytes, sizeof bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return NotAsItShould("the server ended before it answered",
                           "Run the entry's command in a shell to see what it says.");
    read_.append(bytes, static_cast<std::size_t>(got));
  }
}

Result<json::Value> Child::Request(const json::Value& request, CallContext& ctx) {
  WARD_CHECK(Send(request));
  for (;;) {
    WARD_TRY(const std::string line, Line(ctx));
    const auto read = json::Parse(line);
    if (!read || !read->value().is_object())
      return NotAsItShould("the server writes something else than messages",
                           "Standard output belongs to the protocol: check what the command is.");
    if (json::Member(read->value(), "id") != request["id"]) continue;
    const json::Value& error = json::Member(read->value(), "error");
    if (error.is_null()) return json::Value(json::Member(read->value(), "result"));
    return NotAsItShould(fmt::format("the server refuses {}: {}", json::TextOf(request, "method"),
                                     json::TextOf(error, "message")),
                         "Check that the entry's command is this program's version.");
  }
}

json::Value MakeRequest(int id, std::string_view method, Opening opening) {
  json::Value request = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  request["params"] = json::Value::object();
  if (opening == Opening::Discover)
    request["params"]["_meta"] = {
        {"io.modelcontextprotocol/protocolVersion", kModern},
        {"io.modelcontextprotocol/clientCapabilities", json::Value::object()}};
  return request;
}

// Errors: as Request.
Result<json::Value> Open(Child& child, Opening opening, CallContext& ctx) {
  if (opening == Opening::Discover)
    return child.Request(MakeRequest(1, "server/discover", opening), ctx);
  json::Value request = MakeRequest(1, "initialize", opening);
  request["params"] = {{"protocolVersion", kLegacy},
                       {"capabilities", json::Value::object()},
                       {"clientInfo", {{"name", "schemaward-doctor"}, {"version", "1"}}}};
  WARD_TRY(json::Value opened, child.Request(request, ctx));
  WARD_CHECK(child.Send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}));
  return opened;
}

}  // namespace

Result<std::map<std::string, std::string>> EnvironmentOf(const Wired& wired,
                                                         const Variables& variables) {
  std::map<std::string, std::string> out;
  for (const char* name : kPassedByAll)
    if (const auto value = variables(name)) out[name] = *value;
  const auto take = [&](const std::string& as, const std::string& name) -> Status {
    const auto value = variables(name);
    if (!value)
      return std::move(Error(ErrorKind::MissingCredential,
                             fmt::format("its entry needs the variable {}, which is not set", name))
                           .Hint("Set it where the client is started."));
    out[as] = *value;
    return Ok();
  };
  for (const auto& [name, value] : wired.env) {
    const std::string variable = VariableIn(value);
    if (variable.empty()) {
      out[name] = value;
    } else {
      WARD_CHECK(take(name, variable));
    }
  }
  for (const std::string& name : wired.passed_variables) WARD_CHECK(take(name, name));
  return out;
}

Result<SessionFacts> HoldSession(const Wired& wired, Opening opening,
                                 const std::map<std::string, std::string>& environment,
                                 CallContext& ctx) {
  WARD_TRY(Child child, Child::Start(wired, environment));
  WARD_TRY(const json::Value opened, Open(child, opening, ctx));
  SessionFacts facts;
  const json::Value& info =
      opening == Opening::Discover
          ? json::Member(opened, {"_meta", "io.modelcontextprotocol/serverInfo"})
          : json::Member(opened, "serverInfo");
  facts.server = json::TextOf(info, "name");
  facts.version = json::TextOf(info, "version");
  facts.revision =
      opening == Opening::Discover ? std::string(kModern) : json::TextOf(opened, "protocolVersion");
  WARD_TRY(const json::Value listed, child.Request(MakeRequest(2, "tools/list", opening), ctx));
  facts.tool_count = json::ItemsOf(json::Member(listed, "tools")).size();
  if (facts.tool_count == 0)
    return NotAsItShould("the server lists no tools",
                         "Check the setting tools of its configuration.");
  if (opening == Opening::Discover) return facts;  // that era has no ping
  WARD_TRY(const json::Value pong, child.Request(MakeRequest(3, "ping", opening), ctx));
  if (pong.is_object()) return facts;
  return NotAsItShould("the server answers no ping", "Check what the command is.");
}

}  // namespace schemaward::clients
