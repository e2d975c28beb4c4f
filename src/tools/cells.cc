#include "tools/cells.h"

#include <string_view>
#include <variant>

#include "json/value.h"
#include "json/write.h"

namespace schemaward::tools {
namespace {

void AppendBase64(std::string& out, std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kDigits[word >> (18U - 6U * k) & 63U];
  }
}

struct Appender {
  std::string& out;
  void operator()(std::monostate /*null*/) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { json::AppendInt(out, value); }
  void operator()(double value) const { json::AppendDouble(out, value); }
  void operator()(const std::string& value) const { json::AppendQuoted(out, value); }
  void operator()(const connect::Decimal& value) const { json::AppendQuoted(out, value.text); }
  void operator()(const connect::Blob& value) const {
    out += R"({"base64":")";
    AppendBase64(out, value.bytes);
    out += "\"}";
  }
};

}  // namespace

void AppendCell(std::string& out, const connect::Cell& cell) { std::visit(Appender{out}, cell); }

void AppendRow(std::string& out, const std::vector<connect::Cell>& row) {
  out += '[';
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) out += ',';
    AppendCell(out, row[i]);
  }
  out += ']';
}

std::string TextOf(const connect::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* decimal = std::get_if<connect::Decimal>(&cell)) return decimal->text;
  if (std::holds_alternative<std::monostate>(cell)) return "";
  std::string out;
  AppendCell(out, cell);
  return out;
}

}  // namespace schemaward::tools
