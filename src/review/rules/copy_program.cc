// COPY runs a program.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule copy_program() {
  Rule rule;
  rule.id = "copy-program";
  rule.title = "COPY runs a program";
  rule.message = "a program runs as the server";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Security;
  rule.why = "Who may run it owns the machine's account.";
  rule.dialect = "postgres";
  rule.bad = "COPY t FROM PROGRAM 'cat x'";
  rule.good = "COPY t FROM STDIN";
  rule.fix = "rewrite-copy-program";
  rule.fix_title = "COPY from STDIN, and run the program outside";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Other && !node.words.empty() &&
        node.words.front() == "COPY" &&
        std::find(node.words.begin(), node.words.end(), "PROGRAM") != node.words.end())
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
