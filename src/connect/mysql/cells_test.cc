// Values and type names, without a server.

#include "connect/mysql/cells.h"

#include "base/result_matchers.h"
#include "connect/conformance/conformance.h"

namespace schemaward::connect::mysql {
namespace {

Field Of(FieldType type) {
  Field field;
  field.type = type;
  return field;
}

std::string Told(FieldType type, std::string value) {
  return Describe(MakeCell(Of(type), std::move(value)));
}

TEST(MysqlCells, KeepsValuesExact) {  // COVERS: R-VAL-1
  EXPECT_EQ(Told(FieldType::LongLong, "9007199254740993"), "int:9007199254740993");
  EXPECT_EQ(Told(FieldType::LongLong, "18446744073709551615"), "decimal:18446744073709551615");
  EXPECT_EQ(Told(FieldType::Tiny, "1"), "int:1");
  EXPECT_EQ(Told(FieldType::Year, "2024"), "int:2024");
  EXPECT_EQ(Told(FieldType::Bit, "\x01"), "int:1");
  EXPECT_EQ(Told(FieldType::Bit, std::string(8, '\xff')), "decimal:18446744073709551615");
  EXPECT_EQ(Told(FieldType::NewDecimal, "1.5000"), "decimal:1.5000");
  EXPECT_EQ(Told(FieldType::Double, "0.1"), "double:0.1");
  EXPECT_EQ(Told(FieldType::Json, "{\"a\": 1}"), "text:{\"a\": 1}");
  EXPECT_EQ(Told(FieldType::Geometry, "ab"), "blob:6162");
  EXPECT_EQ(Describe(MakeCell(Of(FieldType::Long), std::nullopt)), "null");
  Field binary = Of(FieldType::Blob);
  EXPECT_EQ(Describe(MakeCell(binary, "ab")), "text:ab");
  binary.is_binary = true;
  EXPECT_EQ(Describe(MakeCell(binary, "ab")), "blob:6162");
}

TEST(MysqlCells, TellsInstantsFromTimesOnAWall) {  // COVERS: R-VAL-1
  EXPECT_EQ(Told(FieldType::DateTime, "2024-02-29 12:34:56.500000"), "text:2024-02-29T12:34:56.5");
  EXPECT_EQ(Told(FieldType::DateTime, "2024-02-29 12:34:56"), "text:2024-02-29T12:34:56");
  EXPECT_EQ(Told(FieldType::DateTime, "2024-02-29 12:34:56.000"), "text:2024-02-29T12:34:56");
  EXPECT_EQ(Told(FieldType::Timestamp, "2024-02-29 10:34:56"), "text:2024-02-29T10:34:56+00:00");
  EXPECT_EQ(Told(FieldType::Date, "2024-02-29"), "text:2024-02-29");
  EXPECT_EQ(Told(FieldType::Time, "-12:00:00.5"), "text:-12:00:00.5");
}

TEST(MysqlCells, LeavesDatesThatNoCalendarHasAsTheyAre) {
  EXPECT_EQ(Told(FieldType::DateTime, "0000-00-00 00:00:00"), "text:0000-00-00 00:00:00");
  EXPECT_EQ(Told(FieldType::Timestamp, "0000-00-00 00:00:00"), "text:0000-00-00 00:00:00");
  EXPECT_EQ(Told(FieldType::DateTime, "2024-02-00 00:00:00"), "text:2024-02-00 00:00:00");
  EXPECT_EQ(Told(FieldType::Date, "0000-00-00"), "text:0000-00-00");
}

TEST(MysqlCells, NamesTypes) {
  struct Case {
    FieldType type;
    bool is_unsigned;
    bool is_binary;
    std::uint64_t length;
    unsigned decimals;
    std::string name;
  };
  const Case cases[] = {{FieldType::LongLong, true, false, 20, 0, "bigint unsigned"},
                        {FieldType::Tiny, false, false, 1, 0, "tinyint"},
                        {FieldType::NewDecimal, false, false, 22, 4, "decimal(20,4)"},
                        {FieldType::NewDecimal, true, false, 10, 0, "decimal(10,0)"},
                        {FieldType::VarString, false, false, 160, 0, "varchar(40)"},
                        {FieldType::VarString, false, true, 40, 0, "varbinary(40)"},
                        {FieldType::Blob, false, false, 65535, 0, "text"},
                        {FieldType::Blob, false, true, 65535, 0, "blob"},
                        {FieldType::DateTime, false, false, 26, 6, "datetime(6)"},
                        {FieldType::DateTime, false, false, 19, 0, "datetime"},
                        {FieldType::Time, false, false, 10, 39, "time"},
                        {FieldType::Bit, true, true, 5, 0, "bit(5)"}};
  for (const Case& one : cases) {
    Field field = Of(one.type);
    field.is_unsigned = one.is_unsigned;
    field.is_binary = one.is_binary;
    field.length_max = one.length;
    field.decimals = one.decimals;
    EXPECT_EQ(TypeName(field), one.name);
  }
}

}  // namespace
}  // namespace schemaward::connect::mysql
