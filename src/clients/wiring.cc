#include "clients/wiring.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "clients/jsonc_text.h"
#include "clients/toml_text.h"
#include "json/access.h"

namespace schemaward::clients {
namespace {

using Ordered = nlohmann::ordered_json;

Comments CommentsOf(const Client& client) {
  return client.format == Format::Jsonc ? Comments::Yes : Comments::No;
}

std::string ReferenceTo(const Client& client, const std::string& variable) {
  constexpr std::string_view kName = "NAME";
  std::string out(client.env_reference);
  return out.replace(out.find(kName), kName.size(), variable);
}

// Variables that the client can name; the others it must have in its own environment.
std::vector<std::string> Named(const Client& client, const Entry& entry) {
  return client.env_reference.empty() ? std::vector<std::string>() : entry.env_names;
}

Ordered JsonEntry(const Client& client, const Entry& entry) {
  Ordered out;
  if (!client.mark.empty()) out[std::string(client.mark)] = client.mark_value;
  out["command"] = entry.command;
  out["args"] = entry.args;
  for (const std::string& variable : Named(client, entry))
    out["env"][variable] = ReferenceTo(client, variable);
  return out;
}

Result<std::string> WireToml(const Client& client, std::string_view text, const std::string& name,
                             const Entry& entry) {
  TomlMembers members = {{"command", Ordered(entry.command).dump()},
                         {"args", Ordered(entry.args).dump()}};
  if (!entry.env_names.empty()) members.emplace_back("env_vars", Ordered(entry.env_names).dump());
  return SetTomlTable(text, std::string(client.servers), name, members);
}

// Sets ours in an entry that is there, and leaves what its user has added.
Result<std::string> Update(const Client& client, std::string text, const std::string& name,
                           const json::Value& was, const Ordered& wanted) {
  const MemberPath place = {std::string(client.servers), name};
  for (const auto& [key, value] : wanted.items()) {
    MemberPath path = place;
    path.push_back(key);
    const json::Value& old = json::Member(was, key);
    if (key != "env") {
      if (json::Value::parse(value.dump()) == old) continue;
      WARD_TRY(text, SetMember(text, CommentsOf(client), path, value.dump()));
      continue;
    }
    for (const auto& [variable, reference] : value.items()) {
      if (old.contains(variable)) continue;
      MemberPath member = path;
      member.push_back(variable);
      WARD_TRY(text, SetMember(text, CommentsOf(client), member, reference.dump()));
    }
  }
  return text;
}

Result<json::Value> EntryIn(const Client& client, std::string_view text, const std::string& name) {
  if (client.format == Format::Toml) return ReadTomlTable(text, std::string(client.servers), name);
  WARD_TRY(const json::Value root, ReadJsonc(text, CommentsOf(client)));
  return json::Value(json::Member(root, {client.servers, name}));
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Result<std::string> Wire(const Client& client, std::string_view text, const std::string& name,
                         const Entry& entry) {
  if (client.format == Format::Toml) return WireToml(client, text, name, entry);
  WARD_TRY(const json::Value was, EntryIn(client, text, name));
  const Ordered wanted = JsonEntry(client, entry);
  if (was.is_object() && !was.empty()) return Update(client, std::string(text), name, was, wanted);
  return SetMember(text, CommentsOf(client), {std::string(client.servers), name}, wanted.dump());
}

Result<std::string> Unwire(const Client& client, std::string_view text, const std::string& name) {
  if (client.format == Format::Toml)
    return RemoveTomlTable(text, std::string(client.servers), name);
  return RemoveMember(text, CommentsOf(client), {std::string(client.servers), name});
}

Result<std::optional<Wired>> ReadWired(const Client& client, std::string_view text,
                                       const std::string& name) {
  WARD_TRY(const json::Value entry, EntryIn(client, text, name));
  if (entry.is_null()) return std::optional<Wired>();
  Wired wired;
  wired.command = json::TextOf(entry, "command");
  if (wired.command.empty())
    return Error(ErrorKind::InputUnreadable, fmt::format("its entry \"{}\" has no command", name));
  wired.args = json::TextsOf(json::Member(entry, "args"));
  const json::Value& env = json::Member(entry, "env");
  if (env.is_object())
    for (const auto& [variable, value] : env.items())
      wired.env[variable] = value.is_string() ? value.get<std::string>() : value.dump();
  wired.passed_variables = json::TextsOf(json::Member(entry, "env_vars"));
  return std::optional(std::move(wired));
}

std::string DiffLines(std::string_view before, std::string_view after) {
  const auto was = LinesOf(before), is = LinesOf(after);
  const std::size_t shared = std::min(was.size(), is.size());
  std::size_t head = 0, tail = 0;
  while (head < shared && was[head] == is[head]) ++head;
  while (tail < shared - head && was[was.size() - 1 - tail] == is[is.size() - 1 - tail]) ++tail;
  std::string out = fmt::format("@@ line {} @@\n", head + 1);
  for (std::size_t i = head; i + tail < was.size(); ++i) out += "-" + MaskSecrets(was[i]) + "\n";
  for (std::size_t i = head; i + tail < is.size(); ++i) out += "+" + MaskSecrets(is[i]) + "\n";
  return out;
}

}  // namespace schemaward::clients
