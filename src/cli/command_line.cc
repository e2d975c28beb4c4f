#include "cli/command_line.h"

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "app/application.h"
#include "base/text_distance.h"
#include "cli/grammar.h"
#include "cli/verbs.h"

namespace schemaward::cli {
namespace {

void Describe(CLI::App& program) {
  program.require_subcommand(1);
  program.set_version_flag("--version", "schemaward " + std::string(app::Version()));
  program.footer(
      "Examples:\n"
      "  schemaward index postgres://reader@localhost/shop    read a database's structure\n"
      "  schemaward init                                      wire the MCP clients that are found\n"
      "  schemaward serve                                     serve it to an MCP client on "
      "standard input and output\n"
      "  schemaward call find_relevant_tables query=refunds   make one call from the shell");
}

// Where a word stands that should be a verb and is none: what is said of it. Else empty.
std::string WrongVerb(CLI::App& root, int argc, char** argv) {
  CLI::App* at = &root;
  std::string before;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto verbs = at->get_subcommands([](const CLI::App*) { return true; });
    if (verbs.empty() || word.starts_with('-')) return {};
    const auto nearest =
        std::min_element(verbs.begin(), verbs.end(), [&](const CLI::App* a, const CLI::App* b) {
          return EditDistance(word, a->get_name()) < EditDistance(word, b->get_name());
        });
    if ((*nearest)->get_name() != word)
      return "there is no verb \"" + before + word + "\"; the nearest is \"" + before +
             (*nearest)->get_name() + '"';
    at = *nearest;
    before += word + ' ';
  }
  return {};
}

}  // namespace

ParsedCommandLine ParseCommandLine(int argc, char** argv) {
  CLI::App program(
      "Schemaward: databases, explained to agents. Indexes a database's structure and serves it "
      "over MCP.",
      "schemaward");
  Describe(program);
  CommandLine line;
  Syntax syntax(program, line);
  AddVerbs(syntax, line);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return {std::nullopt, program.exit(e)};
  } catch (const CLI::CallForAllHelp& e) {
    return {std::nullopt, program.exit(e)};
  } catch (const CLI::CallForVersion& e) {
    return {std::nullopt, program.exit(e)};
  } catch (const CLI::ParseError& e) {
    const std::string wrong = WrongVerb(program, argc, argv);
    std::fprintf(stderr, "schemaward: %s\nRun `schemaward --help`, or `schemaward VERB --help`.\n",
                 wrong.empty() ? e.what() : wrong.c_str());
    return {std::nullopt, kCouldNot};
  }
  return {std::move(line), kDone};
}

}  // namespace schemaward::cli
