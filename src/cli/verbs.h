#pragma once

// The verbs: a file for each, or for each group of them. It says what may be typed, and does it.

#include "app/application.h"
#include "cli/command_line.h"
#include "cli/grammar.h"
#include "cli/where.h"

namespace schemaward::cli {

// Each adds its verbs to the program; what is typed goes into `line`.

void AddIndex(Syntax& program, CommandLine& line);
void AddServe(Syntax& program, CommandLine& line);
void AddInit(Syntax& program, CommandLine& line);
void AddCall(Syntax& program, CommandLine& line);
void AddEval(Syntax& program, CommandLine& line);
void AddEvalAgents(Syntax& eval, CommandLine& line);
void AddSuggest(Syntax& program, CommandLine& line);
void AddExplore(Syntax& program, CommandLine& line);
void AddInsights(Syntax& program, CommandLine& line);
void AddPacks(Syntax& program, CommandLine& line);
void AddRuns(Syntax& program, CommandLine& line);
void AddSources(Syntax& program, CommandLine& line);
void AddDefinitions(Syntax& program, CommandLine& line);
void AddImport(Syntax& program, CommandLine& line);
void AddLogin(Syntax& program, CommandLine& line);
void AddLint(Syntax& program, CommandLine& line);
void AddValidate(Syntax& program, CommandLine& line);
void AddReview(Syntax& program, CommandLine& line);
void AddGuard(Syntax& program, CommandLine& line);
void AddAudit(Syntax& program, CommandLine& line);
void AddPolicy(Syntax& program, CommandLine& line);
void AddDoctor(Syntax& program, CommandLine& line);
void AddConfig(Syntax& program, CommandLine& line);

/// Adds all of them, in the order of --help.
void AddVerbs(Syntax& program, CommandLine& line);

/// Writes the definitions that are served in the format of --format to the file, or into the
/// folder, that is the first argument, and says what could not be carried.
int ExportAs(const CommandLine& line, const Where& where);

}  // namespace schemaward::cli
