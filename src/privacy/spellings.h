#pragma once

// Short forms of words in names: geb_dat, fec_nac, acct_nbr, mob_no. The name rules are written
// with whole words; a name is compared with them as it is and with its short forms written out.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schemaward::privacy {

/// The words that `word` (lower-case) is short for, separated by blanks; empty where it is none.
/// Thread: any.
std::string_view WrittenOut(std::string_view word);

/// True where one of the phrases, which are sorted, begins with `joined`. Thread: any.
bool BeginsOne(const std::vector<std::string_view>& sorted, std::string_view joined);

/// Calls `visit(joined, end, is_written_out)` for each way to join words[begin, end), as they are
/// and with short forms written out, and goes on from those that it returns true for: a name of
/// nothing but short forms has more ways than anybody waits for. Thread: any.
template <class Visit>
class Joiner {
 public:
  Joiner(const std::vector<std::string>& words, Visit visit)
      : words_(words), visit_(std::move(visit)) {}

  void From(std::size_t begin) { Add(begin, "", false); }

 private:
  void Add(std::size_t at, const std::string& joined, bool is_written_out) {
    if (at == words_.size()) return;
    With(at, joined + words_[at], is_written_out);
    const std::string_view all = WrittenOut(words_[at]);
    for (std::size_t from = 0; from < all.size();) {
      const std::size_t to = std::min(all.find(' ', from), all.size());
      With(at, joined + std::string(all.substr(from, to - from)), true);
      from = to + 1;
    }
  }
  void With(std::size_t at, const std::string& joined, bool is_written_out) {
    if (visit_(std::string_view(joined), at + 1, is_written_out))
      Add(at + 1, joined, is_written_out);
  }

  const std::vector<std::string>& words_;
  Visit visit_;
};

/// True where the first word of a name is no part of what it means: the table's name, shortened
/// (customer.c_name, employees.emp_pin), or the short name of a type (strPin). Thread: any.
bool OpensWithPrefix(const std::vector<std::string>& words, std::string_view table);

}  // namespace schemaward::privacy
