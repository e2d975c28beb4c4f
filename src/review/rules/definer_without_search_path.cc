// SECURITY DEFINER without a search path.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule definer_without_search_path() {
  Rule rule;
  rule.id = "definer-without-search-path";
  rule.title = "SECURITY DEFINER without a search path";
  rule.message = "the caller decides which schema names are found in";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Security;
  rule.why =
      "A table or function of the caller's can stand in for the one that is meant, with the "
      "owner's rights.";
  rule.dialect = "postgres";
  rule.bad = "CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'";
  rule.good =
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog "
      "AS 'SELECT 1'";
  rule.fix = "rewrite-definer-without-search-path";
  rule.fix_title = "Add SET search_path to the routine";
  rule.fix_safety = Safety::Safe;
  rule.only = {"postgres"};
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::CreateRoutine && node.is_security_definer &&
        !node.sets_search_path)
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
