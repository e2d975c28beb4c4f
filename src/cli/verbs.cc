#include "cli/verbs.h"

namespace schemaward::cli {

void AddVerbs(Syntax& program, CommandLine& line) {
  static constexpr decltype(&AddIndex) kVerbs[] = {
      AddIndex,   AddServe,    AddInit,   AddCall,     AddEval,    AddSuggest,
      AddExplore, AddInsights, AddPacks,  AddRuns,     AddSources, AddDefinitions,
      AddImport,  AddLogin,    AddLint,   AddValidate, AddReview,  AddGuard,
      AddAudit,   AddPolicy,   AddDoctor, AddConfig,
  };
  for (const auto add : kVerbs) add(program, line);
}

}  // namespace schemaward::cli
