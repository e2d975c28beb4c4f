#pragma once

// What may be typed: verbs, their options and their examples, as each verb's file declares them.
// The library that reads argv is behind it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace schemaward::cli {

/// How many words without a flag a verb takes.
struct Count {
  int least = 1;
  int most = 1;  ///< kAnyNumber: no limit
  bool needed = true;
};
inline constexpr int kAnyNumber = -1;

/// A number that an option takes, the bounds included.
struct Range {
  std::int64_t least = 0, most = 0;
};

/// The program, a group of verbs, or a verb. What an option says is put where it is told: into the
/// command line that the grammar fills. Thread: one. Lifetime: the grammar outlives it.
class Syntax {
 public:
  Syntax(CLI::App& at, CommandLine& line) : at_(&at), line_(&line) {}

  /// Adds verbs of two words, `name` and one of those that the returned one is given. Its help
  /// shows an example of its own.
  Syntax Group(const std::string& name, const std::string& does, const std::string& example);
  /// Adds a verb. `examples`: lines as they are typed, indented by two.
  Syntax Verb(const std::string& name, const std::string& does, const std::string& examples,
              RunVerb run);

  void Flag(const std::string& flag, bool& to, const std::string& does);
  void Text(const std::string& flag, const std::string& type, std::string& to,
            const std::string& does);
  void Text(const std::string& flag, const std::string& type, std::optional<std::string>& to,
            const std::string& does);
  /// May be repeated.
  void Texts(const std::string& flag, const std::string& type, std::vector<std::string>& to,
             const std::string& does);
  /// Without it the verb is not understood.
  void NeededText(const std::string& flag, const std::string& type, std::string& to,
                  const std::string& does);
  /// One of `words`.
  void Choice(const std::string& flag, const std::vector<std::string>& words, std::string& to,
              const std::string& does);
  void Choice(const std::string& flag, const std::string& type,
              const std::vector<std::string>& words, std::optional<std::string>& to,
              const std::string& does);
  void Number(const std::string& flag, const std::string& type, Range range, std::int64_t& to,
              const std::string& does);
  /// A setting of the configuration.
  void Setting(const std::string& flag, const std::string& key, const std::string& type,
               const std::string& does);
  /// Words without a flag, into CommandLine::arguments.
  void Words(const std::string& name, Count count, const std::string& does);
  /// One positive number without a flag.
  void NumberWord(const std::string& name, std::int64_t& to, const std::string& does);

  // Options that several verbs have.

  void PolicyFile();
  void Source(const std::string& does);
  /// The source of a verb that works on one.
  void OneSource() { Source("The source; needed where several are indexed"); }
  /// A model, and the most that it may cost.
  void Model(const std::string& does);
  void MaxCost(const std::string& does);
  void MaxSteps();

 private:
  CLI::App* at_;
  CommandLine* line_;
};

}  // namespace schemaward::cli
