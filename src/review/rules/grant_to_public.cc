// Rights granted to everybody.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule grant_to_public() {
  Rule rule;
  rule.id = "grant-to-public";
  rule.title = "Rights granted to everybody";
  rule.message = "every account gets the right, those to come too";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Security;
  rule.why = "A role for those who need it keeps the rest out.";
  rule.dialect = "postgres";
  rule.bad = "GRANT SELECT ON t TO PUBLIC";
  rule.good = "GRANT SELECT ON t TO app";
  rule.fix = "rewrite-grant-to-public";
  rule.fix_title = "Grant to a role";
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Grant)
      for (const query::Name& who : node.grantees)
        if (!who.is_quoted && LowerAscii(who.text) == "public")
          report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
