#include "connect/postgres/check_labels.h"

#include "base/result_matchers.h"

namespace schemaward::connect::postgres {
namespace {

using Labels = std::vector<std::string>;

// Conditions as servers of 12 to 17 print them.
TEST(CheckLabels, ReadsLists) {
  struct {
    std::string_view name, expression;
    Labels labels;
  } const rows[] = {
      {"text", "segment = ANY (ARRAY['a'::text, 'b c'::text])", {"a", "b c"}},
      {"outer brackets", "(segment = ANY (ARRAY['a'::text]))", {"a"}},
      {"numbers", "tier = ANY (ARRAY[1, 2, -3])", {"1", "2", "-3"}},
      {"cast numbers", "tier = ANY (ARRAY[(1)::bigint, ('-2'::integer)::bigint])", {"1", "-2"}},
      {"varchar",
       "(state)::text = ANY ((ARRAY['new'::character varying, 'it''s'::character "
       "varying])::text[])",
       {"new", "it's"}},
      {"varchar, pretty",
       "state::text = ANY (ARRAY['x'::character varying::text, 'y'::character varying::text])",
       {"x", "y"}},
      {"varchar(10)", "state::text = ANY (ARRAY['x'::character varying(10)]::text[])", {"x"}},
      {"char", "c = ANY (ARRAY['x'::bpchar, 'y'::bpchar])", {"x", "y"}},
      {"own type",
       "c = ANY (ARRAY['x'::\"My Schema\".\"kind\", 'y'::\"My Schema\".\"kind\"])",
       {"x", "y"}},
      {"quoted column", "\"Or = der\" = ANY (ARRAY['x'::text])", {"x"}},
      {"array literal", "state = ANY ('{a,\"b,c\",\"d\\\"e\"}'::text[])", {"a", "b,c", "d\"e"}},
      {"escapes", "state = ANY (ARRAY[E'a\\\\b'::text])", {"a\\b"}},
      {"one value", "state = 'only'::text", {"only"}},
      {"or", "state = 'a'::text OR state = 'b'::text", {"a", "b"}},
      {"or, cast", "((state)::text = 'a'::text) OR ((state)::text = 'b'::text)", {"a", "b"}},
      {"null first", "a IS NULL OR (a = ANY (ARRAY['x'::text]))", {"x"}},
      {"null last", "(a = 'x'::text) OR (a = 'y'::text) OR (a IS NULL)", {"x", "y"}},
      {"domain", "VALUE = ANY (ARRAY['a'::text, 'b'::text])", {"a", "b"}},
  };
  for (const auto& row : rows) EXPECT_EQ(LabelsOfCheck(row.expression), row.labels) << row.name;
}

TEST(CheckLabels, TakesNothingFromOtherConditions) {
  for (const std::string_view expression :
       {"", "a > 0", "a <> ALL (ARRAY['x'::text])", "lower(a) = ANY (ARRAY['x'::text])",
        "a = ANY (ARRAY['x'::text]) OR a > 'z'::text", "a = ANY (ARRAY['x'::text]) AND b", "a = b",
        "a = 'x'::text OR b = 'y'::text", "a = ANY (b)", "a = ANY (ARRAY['x'::text", "a = 'x",
        "a = 'x'::\"y", "a = ANY (ARRAY[lower('x'::text)])", "a = 'x'::text AND a = 'y'::text",
        "'x'::text = a", "a ~ 'x'::text", "a IS NULL", "b IS NULL OR a = 'x'::text",
        "a = 'x'::text OR b IS NULL"})
    EXPECT_EQ(LabelsOfCheck(expression), Labels()) << expression;
  EXPECT_EQ(LabelsOfCheck("a = " + std::string(100'000, '(')), Labels());
}

}  // namespace
}  // namespace schemaward::connect::postgres
