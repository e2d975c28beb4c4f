// A function that reaches files, code or other servers.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule file_function() {
  Rule rule;
  rule.id = "file-function";
  rule.title = "A function that reaches files, code or other servers";
  rule.message = "the function reaches beyond the database";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Security;
  rule.why = "Who may run it reads files or runs code as the server.";
  rule.dialect = "postgres";
  rule.bad = "SELECT pg_read_file('/etc/passwd') AS x";
  rule.good = "SELECT lower('x') AS x";
  rule.fix = "rewrite-file-function";
  rule.fix_title = "Load the file outside of SQL, with rights of its own";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsCallOf(&node, {"pg_read_file", "pg_read_binary_file", "pg_ls_dir", "lo_import",
                         "lo_export", "load_extension", "load_file", "xp_cmdshell", "dblink",
                         "dblink_exec", "sys_exec", "sys_eval", "writefile", "readfile"}))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
