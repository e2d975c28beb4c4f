#include "agents/score.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "base/ascii.h"
#include "text/fold.h"

namespace schemaward::agents {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordPart(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || c == '_' || (c & 0x80) != 0;
}

std::optional<double> NumberOf(std::string_view text) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Separators of thousands in front of the decimal point: "1,234", "1 234", "1'234", "1_234".
std::string WithoutSeparators(std::string_view text) {
  std::string out;
  bool after_point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool parts = c == ',' || c == ' ' || c == '\'' || c == '_';
    const bool in_number = i > 0 && IsDigit(text[i - 1]) && i + 3 < text.size() &&
                           IsDigit(text[i + 1]) && IsDigit(text[i + 2]) && IsDigit(text[i + 3]) &&
                           (i + 4 == text.size() || !IsDigit(text[i + 4]));
    if (parts && in_number && !after_point) continue;
    after_point = c == '.' || (after_point && IsDigit(c));
    out += c;
  }
  return out;
}

bool HoldsNumber(std::string_view answer, std::string_view wanted, double number) {
  const std::size_t point = wanted.find('.');
  const double unit = std::pow(10.0, point == std::string_view::npos
                                         ? 0.0
                                         : -static_cast<double>(wanted.size() - point - 1));
  const std::string text = WithoutSeparators(answer);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool starts = IsDigit(text[at]) && (at == 0 || !IsWordPart(LowerAscii(text[at - 1])));
    if (!starts) continue;
    const bool is_negative =
        at > 0 && text[at - 1] == '-' && (at == 1 || !IsWordPart(LowerAscii(text[at - 2])));
    std::size_t end = at;
    while (end < text.size() && (IsDigit(text[end]) || (text[end] == '.' && end + 1 < text.size() &&
                                                        IsDigit(text[end + 1]))))
      ++end;
    const auto found = NumberOf(std::string_view(text).substr(at, end - at));
    // Half a unit, and what binary fractions may be off by.
    if (found && std::abs((is_negative ? -*found : *found) - number) <= unit * 0.5 + unit * 1e-6)
      return true;
    at = end;
  }
  return false;
}

bool HoldsWords(std::string_view answer, std::string_view wanted) {
  const std::string text = text::Fold(answer);
  const std::string words = text::Fold(wanted);
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const bool begins = at == 0 || !IsWordPart(text[at - 1]) || !IsWordPart(words.front());
    const bool ends = end == text.size() || !IsWordPart(text[end]) || !IsWordPart(words.back());
    if (begins && ends) return true;
  }
  return false;
}

bool IsAmong(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The most places that calls fill in order: the longest common subsequence.
std::size_t FilledInOrder(const std::vector<Alternatives>& places,
                          const std::vector<MadeCall>& calls) {
  std::vector<std::size_t> filled(places.size() + 1, 0);  // by places so far
  for (const MadeCall& call : calls) {
    std::size_t before = 0;  // of the row above, one place earlier
    for (std::size_t i = 1; i <= places.size(); ++i) {
      const std::size_t above = filled[i];
      filled[i] = IsAmong(places[i - 1], call.tool) ? std::max(before + 1, above)
                                                    : std::max(above, filled[i - 1]);
      before = above;
    }
  }
  return filled.back();
}

// Each call fills at most one place, the first open one that it fits.
std::size_t FilledInAnyOrder(const std::vector<Alternatives>& places,
                             const std::vector<MadeCall>& calls) {
  std::vector<Alternatives> open = places;
  for (const MadeCall& call : calls) {
    const auto place = std::find_if(open.begin(), open.end(), [&](const Alternatives& words) {
      return IsAmong(words, call.tool);
    });
    if (place != open.end()) open.erase(place);
  }
  return places.size() - open.size();
}

std::size_t Strays(const Task& task, const std::vector<MadeCall>& calls) {
  std::set<std::string> strays;
  for (const MadeCall& call : calls) {
    const bool expected =
        std::any_of(task.tools.begin(), task.tools.end(),
                    [&](const Alternatives& words) { return IsAmong(words, call.tool); });
    if (!expected && !IsAmong(task.may, call.tool)) strays.insert(call.tool);
  }
  return strays.size();
}

double AgreementOf(const Task& task, const std::vector<MadeCall>& calls) {
  const std::size_t filled =
      task.in_order ? FilledInOrder(task.tools, calls) : FilledInAnyOrder(task.tools, calls);
  const std::size_t all = task.tools.size() + Strays(task, calls);
  return all == 0 ? 1 : static_cast<double>(filled) / static_cast<double>(all);
}

bool IsSuccess(const Task& task, const Played& played) {
  if (task.cannot) return played.ending == Ending::Cannot;
  const bool rests_on_call = std::any_of(played.calls.begin(), played.calls.end(),
                                         [](const MadeCall& call) { return !call.is_error; });
  return played.ending == Ending::Answered && rests_on_call &&
         std::all_of(task.answer.begin(), task.answer.end(), [&](const Alternatives& words) {
           return std::any_of(words.begin(), words.end(),
                              [&](const std::string& word) { return Holds(played.answer, word); });
         });
}

}  // namespace

bool Holds(std::string_view answer, std::string_view wanted) {
  if (const auto number = NumberOf(wanted)) return HoldsNumber(answer, wanted, *number);
  return !wanted.empty() && HoldsWords(answer, wanted);
}

Score ScoreOf(const Task& task, const Played& played) {
  return {AgreementOf(task, played.calls), IsSuccess(task, played)};
}

}  // namespace schemaward::agents
