#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "base/temp_folder.h"
#include "clients/client.h"
#include "clients/jsonc_text.h"
#include "clients/text_file.h"
#include "clients/toml_text.h"
#include "clients/wiring.h"

namespace schemaward::clients {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const Entry the_entry = {
    "/opt/bin/schemaward", {"serve", "--store", "/data/s.db"}, {"SHOP_PASSWORD"}};

struct EditRow {
  std::string name, before, after;
};

// Each row: {"servers": {"w": {"a": 1}}} is what the edit makes of the rest.
const EditRow insertions[] = {
    {"EmptyText", "", "{\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}\n"},
    {"EmptyObject", "{}", "{\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}"},
    {"OneLine", R"({"x": 1})",
     "{\"x\": 1,\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }}"},
    {"FourSpaces", "{\n    \"x\": [1, 2]\n}\n",
     "{\n    \"x\": [1, 2],\n    \"servers\": {\n        \"w\": {\n            \"a\": 1\n        "
     "}\n  "
     "  }\n}\n"},
    {"Tabs", "{\n\t\"x\": \"}\"\n}",
     "{\n\t\"x\": \"}\",\n\t\"servers\": {\n\t\t\"w\": {\n\t\t\t\"a\": 1\n\t\t}\n\t}\n}"},
    {"CommentAndTrailingComma", "{\n  // mine\n  \"x\": 1, // one, not two\n  /* end */\n}\n",
     "{\n  // mine\n  \"x\": 1, // one, not two\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n  "
     "  "
     "}\n  },\n  /* end */\n}\n"},
    {"CommentBehindLast", "{\n  \"x\": 1 // one\n}\n",
     "{\n  \"x\": 1, // one\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}\n"},
    {"CommentOverLines", "{\n  \"x\": 1 /* a\n b */\n}\n",
     "{\n  \"x\": 1, /* a\n b */\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}\n"},
    {"CommentAlone", "{\n  // nothing yet\n}\n",
     "{\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n  // nothing yet\n}\n"},
    {"WindowsLines", "{\r\n  \"x\": 1 // one\r\n}\r\n",
     "{\r\n  \"x\": 1, // one\r\n  \"servers\": {\r\n    \"w\": {\r\n      \"a\": 1\r\n    }\r\n  "
     "}\r\n}\r\n"},
    {"ServersThere", "{\n  \"servers\": {\n    \"v\": {}\n  }\n}\n",
     "{\n  \"servers\": {\n    \"v\": {},\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}\n"},
    {"ServersEmpty", "{\n  \"servers\": {}\n}\n",
     "{\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}\n"},
    {"Replaced", "{\n  \"servers\": {\n    \"w\": 5, // five\n    \"v\": 1\n  }\n}\n",
     "{\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }, // five\n    \"v\": 1\n  }\n}\n"},
    {"EscapedKey", "{\n  \"s\\u0065rvers\": {\"w\": 5}\n}\n",
     "{\n  \"s\\u0065rvers\": {\"w\": {\n      \"a\": 1\n    }}\n}\n"},
    {"SlashesInText", "{\"x\": \"http://h/*,]\"}",
     "{\"x\": \"http://h/*,]\",\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }}"},
    {"ByteOrderMark", "\xEF\xBB\xBF{}",
     "\xEF\xBB\xBF{\n  \"servers\": {\n    \"w\": {\n      \"a\": 1\n    }\n  }\n}"},
};

TEST(JsoncText, ChangesOneMemberAndNoOtherByte) {
  for (const EditRow& row : insertions) {
    SCOPED_TRACE(row.name);
    const auto after = SetMember(row.before, Comments::Yes, {"servers", "w"}, R"({"a":1})");
    ASSERT_TRUE(after) << after.error().ToLogText();
    EXPECT_EQ(*after, row.after);
    EXPECT_THAT(SetMember(*after, Comments::Yes, {"servers", "w"}, R"({"a":1})"),
                IsOkAnd(*after));  // once more changes nothing
  }
}

const EditRow removals[] = {
    {"First", "{\n  \"w\": 1,\n  \"x\": 2\n}\n", "{\n  \"x\": 2\n}\n"},
    {"Last", "{\n  \"x\": 2,\n  \"w\": {\n    \"a\": 1\n  }\n}\n", "{\n  \"x\": 2\n}\n"},
    {"LastWithTrailingComma", "{\n  \"x\": 2,\n  \"w\": 1,\n}\n", "{\n  \"x\": 2,\n}\n"},
    {"Only", "{\n  \"w\": 1\n}\n", "{}\n"},
    {"OneLine", R"({"x": 2, "w": 1})", R"({"x": 2 })"},
    {"CommentStays", "{\n  // about x\n  \"x\": 2,\n  // about w\n  \"w\": 1\n}\n",
     "{\n  // about x\n  \"x\": 2\n  // about w\n}\n"},
    {"Absent", "{ \"x\" : 2 }", "{ \"x\" : 2 }"},
};

TEST(JsoncText, RemovesOneMemberAndNoOtherByte) {
  for (const EditRow& row : removals) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(RemoveMember(row.before, Comments::Yes, {"w"}), IsOkAnd(row.after));
  }
}

TEST(JsoncText, NamesThePlaceOfWhatIsNoJson) {
  const auto open = SetMember("{\n  \"x\": ,\n}", Comments::Yes, {"w"}, "1");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().kind(), ErrorKind::InputUnreadable);
  EXPECT_EQ(open.error().message(), "it is not JSON at line 2, column 8");
  EXPECT_THAT(ReadJsonc("[1]", Comments::Yes),
              IsError(ErrorKind::InputUnreadable, HasSubstr("no JSON object")));
  EXPECT_THAT(ReadJsonc("{} /* open", Comments::Yes),
              IsError(ErrorKind::InputUnreadable, HasSubstr("line 1, column 4")));
  EXPECT_THAT(ReadJsonc("{\"x\": [,]}", Comments::Yes),
              IsError(ErrorKind::InputUnreadable, HasSubstr("column 8")));
}

TEST(JsoncText, RefusesCommentsWhereTheClientDoes) {
  EXPECT_THAT(ReadJsonc("{} // mine", Comments::No),
              IsError(ErrorKind::InputUnreadable, HasSubstr("line 1, column 4")));
  EXPECT_THAT(ReadJsonc("{\"x\": 1,}", Comments::No),
              IsError(ErrorKind::InputUnreadable, HasSubstr("column 9")));
}

TEST(JsoncText, RefusesToWriteThroughWhatIsNoObject) {
  EXPECT_THAT(SetMember("{\"servers\": []}", Comments::No, {"servers", "w"}, "1"),
              IsError(ErrorKind::InputUnreadable,
                      HasSubstr("\"servers\" is no object, at line 1, column 13")));
}

constexpr std::string_view kCodex = R"(# mine
model = "o"  # the usual

[mcp_servers.docs]
command = "docs"

# about history
[history]
persistence = "none"
)";

TEST(TomlText, AddsATableAtTheEndAndTakesItOutAgain) {
  const TomlMembers members = {{"command", R"("/w")"}, {"args", R"(["serve","a\"b"])"}};
  const auto after = SetTomlTable(kCodex, "mcp_servers", "schemaward", members);
  ASSERT_TRUE(after) << after.error().ToLogText();
  EXPECT_EQ(*after,
            std::string(kCodex) +
                "\n[mcp_servers.schemaward]\ncommand = \"/w\"\nargs = [\"serve\", \"a\\\"b\"]\n");
  EXPECT_THAT(RemoveTomlTable(*after, "mcp_servers", "schemaward"), IsOkAnd(std::string(kCodex)));
}

TEST(TomlText, SetsWhatDiffersAndKeepsTheRestOfATable) {
  const std::string before =
      "[mcp_servers.w]\nargs = [ # all\n  \"old\",\n]\nenabled = false # not now\ncommand = \"/w\" "
      "# ours\n\n"
      "[mcp_servers.w.env]\nA = \"1\"\n# about tui\n[tui]\nx = 1";
  const auto after =
      SetTomlTable(before, "mcp_servers", "w",
                   {{"command", R"("/w")"}, {"args", R"(["new"])"}, {"env_vars", R"(["B"])"}});
  ASSERT_TRUE(after) << after.error().ToLogText();
  EXPECT_EQ(*after,
            "[mcp_servers.w]\nenv_vars = [\"B\"]\nargs = [\"new\"]\nenabled = false # not "
            "now\ncommand = \"/w\" # "
            "ours\n\n[mcp_servers.w.env]\nA = \"1\"\n# about tui\n[tui]\nx = 1\n");
  EXPECT_THAT(RemoveTomlTable(*after, "mcp_servers", "w"),
              IsOkAnd(std::string("# about tui\n[tui]\nx = 1\n")));
}

TEST(TomlText, RefusesWhatItCannotReadOrChange) {
  EXPECT_THAT(SetTomlTable("a = 1\nb = \n", "g", "w", {}),
              IsError(ErrorKind::InputUnreadable, HasSubstr("not TOML at line 2")));
  EXPECT_THAT(SetTomlTable("[g]\nw = {command = \"x\"}\n", "g", "w", {{"command", "\"y\""}}),
              IsError(ErrorKind::InputUnreadable, HasSubstr("g.w has no header of its own")));
  EXPECT_THAT(SetTomlTable("g = {v = {}}\n", "g", "w", {{"command", "\"y\""}}),
              IsError(ErrorKind::InputUnreadable, HasSubstr("has no header")));
  EXPECT_THAT(SetTomlTable("g = 1\n", "g", "w", {{"command", "\"y\""}}),
              IsError(ErrorKind::InputUnreadable, HasSubstr("has no header")));
}

TEST(Clients, EachIsWiredReadBackAndUnwired) {
  for (const Client& client : AllClients()) {
    SCOPED_TRACE(client.name);
    const auto wired = Wire(client, "", "schemaward", the_entry);
    ASSERT_TRUE(wired) << wired.error().ToLogText();
    EXPECT_THAT(Wire(client, *wired, "schemaward", the_entry), IsOkAnd(*wired));
    const auto read = ReadWired(client, *wired, "schemaward");
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->command, the_entry.command);
    EXPECT_EQ((*read)->args, the_entry.args);
    const auto unwired = Unwire(client, *wired, "schemaward");
    ASSERT_TRUE(unwired) << unwired.error().ToLogText();
    const auto gone = ReadWired(client, *unwired, "schemaward");
    ASSERT_TRUE(gone);
    EXPECT_FALSE(*gone);
  }
}

TEST(Clients, EachNamesVariablesInItsOwnWay) {
  const auto text = [](const char* name) {
    return *Wire(*FindClient(name), "", "schemaward", the_entry);
  };
  EXPECT_THAT(text("claude-code"), HasSubstr(R"("SHOP_PASSWORD": "${SHOP_PASSWORD}")"));
  EXPECT_THAT(text("cursor"), HasSubstr(R"("SHOP_PASSWORD": "${env:SHOP_PASSWORD}")"));
  EXPECT_THAT(text("codex"), HasSubstr(R"(env_vars = ["SHOP_PASSWORD"])"));
  EXPECT_THAT(text("claude-desktop"), Not(HasSubstr("SHOP_PASSWORD")));
  EXPECT_THAT(text("zed"), HasSubstr(R"("source": "custom")"));
  EXPECT_THAT(text("vscode"),
              HasSubstr("{\n  \"servers\": {\n    \"schemaward\": {\n      \"type\": \"stdio\""));
}

TEST(Clients, WhatAUserAddedToTheEntryStays) {
  const std::string before =
      R"({"mcpServers": {"schemaward": {"command": "old", "disabled": true, "env": {"SHOP_PASSWORD": "set"}}}})";
  const auto after = Wire(*FindClient("cursor"), before, "schemaward", the_entry);
  ASSERT_TRUE(after) << after.error().ToLogText();
  EXPECT_THAT(*after, HasSubstr(R"("disabled": true)"));
  EXPECT_THAT(*after, HasSubstr(R"("SHOP_PASSWORD": "set")"));
  EXPECT_THAT(*after, HasSubstr(R"("command": "/opt/bin/schemaward")"));
}

TEST(Clients, FilesAreWhereEachSystemHasThem) {
  const Client& desktop = *FindClient("claude-desktop");
  EXPECT_EQ(FileOf(desktop, {"/h", "/h/.config"}), "/h/.config/Claude/claude_desktop_config.json");
  EXPECT_EQ(FileOf(desktop, {"/h", "/c", true}),
            "/h/Library/Application Support/Claude/claude_desktop_config.json");
  EXPECT_EQ(FindClient("emacs"), nullptr);
}

TEST(Clients, TheDifferenceMasksSecrets) {
  EXPECT_EQ(DiffLines("a\nb\nc\n", "a\nB\nB2\nc\n"), "@@ line 2 @@\n-b\n+B\n+B2\n");
  EXPECT_THAT(DiffLines("a\n", "postgres://u:hunter2@h/d\n"), Not(HasSubstr("hunter2")));
}

class Files : public testing::Test {
 protected:
  static std::string Text(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  const TempFolder folder_;
};

TEST_F(Files, AreReplacedWithModeLinkAndCopyKept) {
  const fs::path real = folder_.File("real.json"), link = folder_.File("link.json");
  std::ofstream(real) << "old";
  ASSERT_EQ(::chmod(real.c_str(), 0640), 0);
  fs::create_symlink("real.json", link);
  const auto file = ReadTextFile(link.string());
  ASSERT_TRUE(file);
  ASSERT_TRUE(ReplaceTextFile(*file, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(Text(real), "new");
  EXPECT_EQ(Text(BackupOf(*file)), "old");
  EXPECT_EQ(fs::status(real).permissions(), fs::perms(0640));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}),
            3);  // nothing else is left there
}

TEST_F(Files, ANewOneIsItsOwnersAlone) {
  const auto file = ReadTextFile(folder_.File("a/b/new.json"));
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->is_there);
  ASSERT_TRUE(ReplaceTextFile(*file, "new"));
  EXPECT_EQ(fs::status(file->path).permissions(), fs::perms(0600));
  EXPECT_FALSE(fs::exists(BackupOf(*file)));
}

TEST_F(Files, OneThatChangedMeanwhileIsLeftAlone) {
  const fs::path path = folder_.File("a.json");
  std::ofstream(path) << "old";
  const auto file = ReadTextFile(path.string());
  std::ofstream(path) << "the client's";
  EXPECT_THAT(ReplaceTextFile(*file, "new"),
              IsError(ErrorKind::InputUnreadable, HasSubstr("changed meanwhile")));
  EXPECT_EQ(Text(path), "the client's");
}

TEST_F(Files, ALinkToNothingIsRefused) {
  fs::create_symlink("absent", folder_.File("link"));
  EXPECT_THAT(ReadTextFile(folder_.File("link")),
              IsError(ErrorKind::InputUnreadable, HasSubstr("link to a file that is not there")));
}

}  // namespace
}  // namespace schemaward::clients
