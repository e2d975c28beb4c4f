#pragma once

// Short forms of words in names: geb_dat, fec_nac, acct_nbr, mob_no. The name rules are written
// with whole words; a name is compared with them as it is and with its short forms written out.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::privacy {

/// The words that `word` (lower-case) is short for, separated by blanks; empty where it is none.
/// Thread: any.
std::string_view WrittenOut(std::string_view word);

/// Calls `visit(joined, end, is_written_out)` for each way to join words[begin, end) of at most
/// `words_max` words, as they are and with short forms written out. Longer than `bytes_max` none
/// is. Thread: any.
template <class Visit>
class Joiner {
 public:
  Joiner(const std::vector<std::string>& words, std::size_t words_max, std::size_t bytes_max,
         Visit visit)
      : words_(words), words_max_(words_max), bytes_max_(bytes_max), visit_(visit) {}

  void From(std::size_t begin) { Add(begin, begin, "", false); }

 private:
  void Add(std::size_t begin, std::size_t at, const std::string& joined, bool is_written_out) {
    if (at == words_.size() || at - begin == words_max_) return;
    With(begin, at, joined + words_[at], is_written_out);
    const std::string_view all = WrittenOut(words_[at]);
    for (std::size_t from = 0; from < all.size();) {
      const std::size_t to = std::min(all.find(' ', from), all.size());
      With(begin, at, joined + std::string(all.substr(from, to - from)), true);
      from = to + 1;
    }
  }
  void With(std::size_t begin, std::size_t at, const std::string& joined, bool is_written_out) {
    if (joined.size() > bytes_max_) return;
    visit_(std::string_view(joined), at + 1, is_written_out);
    Add(begin, at + 1, joined, is_written_out);
  }

  const std::vector<std::string>& words_;
  std::size_t words_max_, bytes_max_;
  Visit visit_;
};

/// True where the first word of a name is no part of what it means: the table's name, shortened
/// (customer.c_name, employees.emp_pin), or the short name of a type (strPin). Thread: any.
bool OpensWithPrefix(const std::vector<std::string>& words, std::string_view table);

}  // namespace schemaward::privacy
