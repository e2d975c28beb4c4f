#include "explore/named_tables.h"

#include <algorithm>
#include <array>

#include "explore/limits.h"
#include "explore/sql_words.h"

namespace schemaward::explore {
namespace {

// Words after which a FROM names no more tables.
constexpr std::array<std::string_view, 12> kEnds = {"where",  "group",  "order",     "having",
                                                    "limit",  "on",     "using",     "union",
                                                    "except", "window", "intersect", "offset"};

/// What is known inside one pair of parentheses.
struct Level {
  bool is_query = false;  // a SELECT was seen
  bool in_from = false;
  bool expects_table = false;
};

/// Walks a statement once. Thread: owner.
class Walk {
 public:
  explicit Walk(std::string_view sql) : words_(sql) {}

  std::vector<std::string> Run() {
    while (const auto word = words_.Next()) {
      if (found_.size() >= kRepairTablesMax && name_.empty()) break;
      Take(*word);
    }
    EndName();
    return std::move(found_);
  }

 private:
  Level& top() { return levels_.back(); }

  void Take(const SqlWord& word) {
    if (!name_.empty() && InName(word)) return;
    if (IsSign(word, '(')) {
      if (levels_.size() < kDepthMax) levels_.emplace_back();
      return;
    }
    if (IsSign(word, ')')) {
      if (levels_.size() > 1) levels_.pop_back();
      top().expects_table = false;
      return;
    }
    if (IsSign(word, ',')) {
      top().expects_table = top().in_from;
      return;
    }
    if (IsKeyword(word)) return;
    const bool is_name = word.kind == SqlWordKind::Name || word.kind == SqlWordKind::QuotedName;
    if (is_name && top().expects_table) name_ = word.text;
    top().expects_table = false;
  }

  // A name goes on over dots; a parenthesis behind it makes it a function.
  bool InName(const SqlWord& word) {
    if (IsSign(word, '.')) {
      name_ += '.';
      return true;
    }
    if (name_.back() == '.' && word.kind != SqlWordKind::Sign) {
      name_ += word.text;
      return true;
    }
    if (IsSign(word, '('))
      name_.clear();
    else
      EndName();
    return false;
  }

  void EndName() {
    if (!name_.empty() && std::find(found_.begin(), found_.end(), name_) == found_.end() &&
        found_.size() < kRepairTablesMax)
      found_.push_back(name_);
    name_.clear();
  }

  bool IsKeyword(const SqlWord& word) {
    Level& level = top();
    if (IsWord(word, "select")) {
      level = {true, false, false};
    } else if ((IsWord(word, "from") && level.is_query) ||
               (IsWord(word, "join") && level.is_query)) {
      level.in_from = true;
      level.expects_table = true;
    } else if (IsWord(word, "lateral") || IsWord(word, "only")) {
      return level.expects_table;
    } else if (std::any_of(kEnds.begin(), kEnds.end(),
                           [&](std::string_view end) { return IsWord(word, end); })) {
      level.in_from = IsWord(word, "on") || IsWord(word, "using");
      level.expects_table = false;
    } else {
      return false;
    }
    return true;
  }

  static constexpr std::size_t kDepthMax = 200;
  SqlWords words_;
  std::vector<Level> levels_ = std::vector<Level>(1);
  std::string name_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> NamedTables(std::string_view sql) { return Walk(sql).Run(); }

}  // namespace schemaward::explore
