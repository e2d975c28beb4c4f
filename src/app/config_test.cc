#include "app/config.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;

class ConfigTest : public ::testing::Test {
 protected:
  ConfigTest()
      : folder_(fs::temp_directory_path() /
                ("ward_config_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "project" / "deep");
  }
  ~ConfigTest() override { fs::remove_all(folder_); }

  Getenv Environment() const {
    return [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
  }
  Result<Config> Load() const {
    return Config::Load(flags_, Environment(), (folder_ / "project" / "deep").string());
  }
  void Write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  fs::path folder_;
  std::map<std::string, std::string> flags_;
  std::map<std::string, std::string> variables_ = {{"HOME", "/srv/someone"}};
};

// COVERS: R-CLI-3
TEST_F(ConfigTest, StoreFollowsFlagVariableFolderAndHome) {
  EXPECT_EQ(Load()->store_path(), "/srv/someone/.local/share/schemaward/store.db");
  fs::create_directories(folder_ / "project" / ".schemaward");
  EXPECT_EQ(Load()->store_path(), (folder_ / "project" / ".schemaward" / "store.db").string());
  variables_["SCHEMAWARD_STORE"] = "/data/v.db";
  EXPECT_EQ(Load()->store_path(), "/data/v.db");
  flags_["store"] = "f.db";
  EXPECT_EQ(Load()->store_path(), (folder_ / "project" / "deep" / "f.db").string());
  EXPECT_EQ(Load()->audit_path(), (folder_ / "project" / "deep" / "f.audit.db").string());
}

TEST(ListOf, SplitsAtSeparatorsAndDropsBlanksAroundAndWhatIsEmpty) {
  using ::testing::ElementsAre;
  EXPECT_THAT(ListOf(""), ::testing::IsEmpty());
  EXPECT_THAT(ListOf(" , ,"), ::testing::IsEmpty());
  EXPECT_THAT(ListOf("a"), ElementsAre("a"));
  EXPECT_THAT(ListOf(",a, b c ,\td\n"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(ListOf("a b,c", ", "), ElementsAre("a", "b", "c"));
}

TEST_F(ConfigTest, AListIsThatOfTheFileOrOneWithCommas) {
  Write(folder_ / "project" / ".schemaward" / "schemaward.yaml",
        "http: {hosts: [a.example.com, b.example.com]}\nsuggest: {queries: [a.sql, /b.sql]}\n");
  EXPECT_THAT(Load()->GetList("http.hosts"),
              ::testing::ElementsAre("a.example.com", "b.example.com"));
  EXPECT_THAT(
      Load()->GetList("suggest.queries"),
      ::testing::ElementsAre((folder_ / "project" / ".schemaward" / "a.sql").string(), "/b.sql"));
  variables_["SCHEMAWARD_HTTP_HOSTS"] = "c.example.com, d.example.com";
  EXPECT_THAT(Load()->GetList("http.hosts"),
              ::testing::ElementsAre("c.example.com", "d.example.com"));
}

TEST_F(ConfigTest, NamesModels) {
  const fs::path file = folder_ / "project" / ".schemaward" / "schemaward.yaml";
  variables_["GATE"] = "gate.example.com";
  Write(file,
        "models:\n  - {name: fast, provider: openai, model: m-1, key_env: GATE_KEY, window: 9000,\n"
        "     base_url: 'https://${GATE}/v1'}\nllm: {model: fast, prices: /etc/p.json}\n");
  const auto config = Load();
  ASSERT_THAT(config, IsOk());
  ASSERT_EQ(config->models().size(), 1U);
  EXPECT_EQ(config->models()[0].base_url, "https://gate.example.com/v1");
  EXPECT_EQ(config->models()[0].key_env, "GATE_KEY");
  EXPECT_EQ(config->models()[0].window, 9'000);
  EXPECT_EQ(config->Get("llm.model"), "fast");
  EXPECT_EQ(config->Get("llm.prices"), "/etc/p.json");
}

TEST_F(ConfigTest, RefusesModelsThatCannotBeAsked) {
  const fs::path file = folder_ / "project" / ".schemaward" / "schemaward.yaml";
  for (const char* model :
       {"{provider: openai, model: m}", "{name: a, provider: openai}", "text",
        "{name: a, provider: nobody, model: m}", "{name: 'a:b', provider: openai, model: m}",
        "{name: a, provider: openai, model: m, key: sk-1}",
        "{name: a, provider: openai, model: m, base_url: 'http://models.example.com/'}",
        "{name: a, provider: openai, model: m, window: -1}",
        "{name: a, provider: openai, model: m, window: many}"}) {
    Write(file, std::string("models:\n  - ") + model + "\n");
    EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable)) << model;
  }
}

TEST_F(ConfigTest, FilesOfQueriesLieWhereTheyAreNamed) {
  EXPECT_EQ(Load()->Get("suggest.queries"), "");
  const fs::path state = folder_ / "project" / ".schemaward";
  Write(state / "schemaward.yaml", "suggest:\n  queries: [a.sql, ../b.sql, /c.sql]\n");
  EXPECT_EQ(
      Load()->Get("suggest.queries"),
      (state / "a.sql").string() + "," + (folder_ / "project" / "b.sql").string() + ",/c.sql");
  variables_["SCHEMAWARD_SUGGEST_QUERIES"] = "d.sql";
  EXPECT_EQ(Load()->Get("suggest.queries"), (folder_ / "project" / "deep" / "d.sql").string());
  variables_["SCHEMAWARD_SUGGEST_QUERY_LOG"] = "perhaps";
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable));
}

TEST_F(ConfigTest, FilesOfTheAuditLogAreAbsoluteAndItsLimitsAreNumbers) {
  const fs::path here = folder_ / "project" / "deep";
  variables_["SCHEMAWARD_AUDIT_KEY"] = "../audit.key";
  variables_["SCHEMAWARD_AUDIT_CHECKPOINTS"] = "/var/c";
  variables_["SCHEMAWARD_AUDIT_SINK"] = "file:sink.jsonl";
  EXPECT_EQ(Load()->Get("audit.key"), (folder_ / "project" / "audit.key").string());
  EXPECT_EQ(Load()->Get("audit.checkpoints"), "/var/c");
  EXPECT_EQ(Load()->Get("audit.sink"), "file:" + (here / "sink.jsonl").string());
  variables_["SCHEMAWARD_AUDIT_SINK"] = "stderr";
  EXPECT_EQ(Load()->Get("audit.sink"), "stderr");
  variables_["SCHEMAWARD_AUDIT_KEEP_DAYS"] = "-1";
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable));
  variables_["SCHEMAWARD_AUDIT_KEEP_DAYS"] = "100000001";
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable));
}

// COVERS: R-CLI-3
TEST_F(ConfigTest, AFileInTheCurrentFolderIsNeverRead) {
  Write(folder_ / "project" / "deep" / "schemaward.yaml", "refresh: off\n");
  EXPECT_EQ(Load()->Get("refresh"), "on");
  Write(folder_ / "project" / ".schemaward" / "schemaward.yaml",
        "refresh: off\naudit:\n  mode: best-effort\n");
  EXPECT_EQ(Load()->Get("refresh"), "off");
  EXPECT_EQ(Load()->Get("audit.mode"), "best-effort");
  EXPECT_EQ(Load()->settings().at("audit.mode").origin, "file");
}

TEST_F(ConfigTest, NamesWhatIsWrongInTheFile) {
  flags_["config"] = (folder_ / "c.yaml").string();
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable));
  Write(folder_ / "c.yaml", "refrsh: off\n");
  EXPECT_THAT(Load(),
              IsError(ErrorKind::InputUnreadable,
                      "the configuration has no setting \"refrsh\"; the nearest is \"refresh\""));
  Write(folder_ / "c.yaml", "refresh: sometimes\n");
  EXPECT_THAT(Load(),
              IsError(ErrorKind::InputUnreadable, "setting \"refresh\" cannot be \"sometimes\""));
  Write(folder_ / "c.yaml", "limits: {workers: many}\n");
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable,
                              "setting \"limits.workers\" must be a number, not \"many\""));
  Write(folder_ / "c.yaml", "embed: {max_cost: much}\n");
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable,
                              "setting \"embed.max_cost\" must be US dollars, not \"much\""));
  Write(folder_ / "c.yaml", "a: [\n");
  EXPECT_THAT(Load(), IsError(ErrorKind::InputUnreadable,
                              ::testing::StartsWith("the configuration is not YAML: line")));
}

TEST_F(ConfigTest, ExpandsVariablesInSources) {
  flags_["config"] = (folder_ / "c.yaml").string();
  Write(folder_ / "c.yaml", "sources:\n  - {name: shop, source: 'postgres://u:${PW}@h/db'}\n");
  EXPECT_THAT(Load(), IsError(ErrorKind::MissingCredential,
                              "the configuration names variable PW, which is not set"));
  variables_["PW"] = "x";
  EXPECT_EQ(Load()->sources().at(0).source, "postgres://u:x@h/db");
}

}  // namespace
}  // namespace schemaward::app
