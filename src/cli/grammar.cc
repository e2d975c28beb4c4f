#include "cli/grammar.h"

#include <CLI/CLI.hpp>

#include "explore/limits.h"

namespace schemaward::cli {

Syntax Syntax::Group(const std::string& name, const std::string& does, const std::string& example) {
  CLI::App* sub = at_->add_subcommand(name, does);
  sub->footer("Examples:\n" + example + "\n\nRun `schemaward " + name +
              " VERB --help` for the options of a verb.");
  sub->require_subcommand(1);
  return {*sub, *line_};
}

Syntax Syntax::Verb(const std::string& name, const std::string& does, const std::string& examples,
                    RunVerb run) {
  CLI::App* sub = at_->add_subcommand(name, does);
  sub->footer("Examples:\n" + examples);
  sub->callback([line = line_, run] { line->run = run; });
  Syntax verb(*sub, *line_);
  verb.Setting("--store", "store", "FILE", "File that keeps sources and their indexes");
  verb.Setting("--config", "config", "FILE", "Configuration file");
  verb.Setting("--log-level", "log.level", "LEVEL",
               "What is told on standard error: debug, info, warn, error or off");
  verb.Flag("--json", line_->json, "Print one JSON document");
  return verb;
}

void Syntax::Flag(const std::string& flag, bool& to, const std::string& does) {
  at_->add_flag(flag, to, does);
}

void Syntax::Text(const std::string& flag, const std::string& type, std::string& to,
                  const std::string& does) {
  at_->add_option(flag, to, does)->type_name(type);
}

// A text that is empty is there: the library's own way with an optional takes it for absent.
void Syntax::Text(const std::string& flag, const std::string& type, std::optional<std::string>& to,
                  const std::string& does) {
  at_->add_option_function<std::string>(
         flag, [&to](const std::string& value) { to = value; }, does)
      ->type_name(type);
}

void Syntax::Texts(const std::string& flag, const std::string& type, std::vector<std::string>& to,
                   const std::string& does) {
  at_->add_option(flag, to, does)->type_name(type);
}

void Syntax::NeededText(const std::string& flag, const std::string& type, std::string& to,
                        const std::string& does) {
  at_->add_option(flag, to, does)->type_name(type)->required();
}

void Syntax::Choice(const std::string& flag, const std::vector<std::string>& words, std::string& to,
                    const std::string& does) {
  at_->add_option(flag, to, does)->check(CLI::IsMember(words));
}

void Syntax::Choice(const std::string& flag, const std::string& type,
                    const std::vector<std::string>& words, std::optional<std::string>& to,
                    const std::string& does) {
  at_->add_option_function<std::string>(
         flag, [&to](const std::string& value) { to = value; }, does)
      ->type_name(type)
      ->check(CLI::IsMember(words));
}

void Syntax::Number(const std::string& flag, const std::string& type, Range range, std::int64_t& to,
                    const std::string& does) {
  at_->add_option(flag, to, does)->type_name(type)->check(CLI::Range(range.least, range.most));
}

void Syntax::Setting(const std::string& flag, const std::string& key, const std::string& type,
                     const std::string& does) {
  at_->add_option_function<std::string>(
         flag, [line = line_, key](const std::string& value) { line->settings[key] = value; }, does)
      ->type_name(type);
}

void Syntax::Words(const std::string& name, Count count, const std::string& does) {
  at_->add_option(name, line_->arguments, does)
      ->required(count.needed)
      ->expected(count.least, count.most);
}

void Syntax::NumberWord(const std::string& name, std::int64_t& to, const std::string& does) {
  at_->add_option(name, to, does)->required()->check(CLI::PositiveNumber);
}

void Syntax::PolicyFile() {
  Setting("--policy", "policy", "FILE", "Policy file; it narrows /etc/schemaward/policy.yaml");
}

void Syntax::Source(const std::string& does) { Text("--source", "NAME", line_->source, does); }

void Syntax::Model(const std::string& does) {
  Text("--model", "MODEL", line_->model, does);
  MaxCost("Most US dollars that the model may cost; needs a price file");
}

void Syntax::MaxCost(const std::string& does) { Text("--max-cost", "USD", line_->max_cost, does); }

void Syntax::MaxSteps() {
  Number("--max-steps", "N", {1, explore::kStepsMax}, line_->steps_max, "Most steps of the run");
}

}  // namespace schemaward::cli
