#pragma once

// What the names of tables and columns say: words, the part that says "identifier", and how well a
// key column's name fits a table.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace schemaward::suggest {

/// The words of a column's name: {"customer"} and "id" of customer_id, CustomerID and custid's
/// {"cust"} and "id". Words are folded and singular.
struct ColumnWords {
  std::vector<std::string> words;  ///< all of the name; at most kNameWordsMax; a number at the end,
                                   ///< as in club_id_1, is left out
  std::vector<std::string> stem;   ///< without the word that says identifier
  std::string id_word;             ///< id, code, number, ...; empty: none
  bool id_apart = false;           ///< the id word stands apart, so it is no guess
  std::string joined;              ///< `words` without separators
};

inline constexpr std::size_t kNameWordsMax = 12;

/// Thread: any.
ColumnWords ReadColumnName(std::string_view name);

/// The stem of a column's name as it is written, plurals and numbers kept: for names that are made
/// of it; all words where there is no stem. Thread: any.
std::vector<std::string> SpokenStem(std::string_view name);

/// Column names that are read once each, since most of a database's occur in many tables. Thread:
/// one at a time. Lifetime: what Read returns lives as long as this. Holds as many as were asked.
class ColumnNames {
 public:
  const ColumnWords& Read(std::string_view name);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };
  std::unordered_map<std::string, ColumnWords, Hash, std::equal_to<>> read_;
};

/// Returns the words of a table's name, singular, without a prefix that only says what kind of
/// table it is (dim_, ref_, tbl_). Thread: any.
std::vector<std::string> ReadTableName(std::string_view name);

/// Joins words without a separator.
std::string Join(const std::vector<std::string>& words);

/// Joins words with `_`: customer_order.
std::string Snake(const std::vector<std::string>& words);

/// How well the stem of a key column fits a table's words, weakest first. The distance between two
/// is not the point; their order is: it decides which of several tables that have a key of one name
/// the name belongs to.
enum class Fit : std::uint8_t {
  None,
  SharedWord,  ///< claim_stage of claim_processing_stage; or the first letter of several words
  Initial,     ///< p of publication
  Letters,     ///< dept of department: its letters in order, from the first
  Longer,      ///< fault_log_entry of fault_log; or initials of all words
  LongerHead,  ///< customer_order of order
  Leading,     ///< claim of claim_document; or att of student_attribute
  Prefix,      ///< stu of student
  Trailing,    ///< template_type of document_template_type
  Same         ///< customer of customer
};

/// Thread: any.
Fit FitOf(const std::vector<std::string>& stem, const std::vector<std::string>& table);

/// True for names that say nothing of what is identified: id, code, name, date, ...
bool IsGeneric(std::string_view joined);

}  // namespace schemaward::suggest
