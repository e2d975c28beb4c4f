// Distances are integers in tenths of a typo. Each way to compare two names costs at least so much
// for each letter that only one of them has, so a count of letters rules most candidates out before
// anything dearer is tried.

#include "text/nearest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "text/distance.h"
#include "text/fold.h"
#include "text/words.h"

namespace schemaward::text {
namespace {

constexpr std::uint32_t kFarthest = 1U << 16;  // no distance is larger
constexpr std::uint32_t kEditPerLetter = 5;    // at least, by edits: a replacement costs 10 for two
constexpr std::uint32_t kEditLeast = 8;        // EditCosts::doubled
constexpr std::uint32_t kPerLetter = 2;        // each letter of a word more or less
constexpr std::uint32_t kOtherSeparator = 2;   // order_line / orderLine
constexpr std::uint32_t kOtherCase = 1;        // the same but for case, accents or quotes
constexpr std::uint32_t kPlural = 5;           // order / orders
constexpr std::uint32_t kReordered = 3;        // order_line / line_order
constexpr std::uint32_t kShortened = 5;        // cust / customer, for a word
constexpr std::uint32_t kMissingWord = 8;      // plus kPerLetter for each of its letters
constexpr std::uint32_t kAffix = 6;            // orders / orders_archive; plus kPerLetter a letter
constexpr std::uint32_t kOtherSchema = 25;     // at most, for a wrong schema
constexpr std::uint32_t kLostSchema = 3;       // s0_orders for s0.orders
constexpr std::size_t kAffixShortest = 3;      // letters
constexpr std::size_t kNameBytesMax = 512;     // the rest of a longer name is not compared
constexpr std::size_t kWordsComparedMax = 12;  // a name of more words is compared by edits alone
constexpr std::uint32_t kTypoInWord = 25;      // words farther apart are different words

using Bag = std::array<std::uint8_t, 64>;

Bag BagOf(std::u32string_view text) {
  Bag bag{};
  for (const char32_t c : text) {
    if (c < 0x80 && !(c >= U'a' && c <= U'z') && !(c >= U'0' && c <= U'9')) continue;
    auto& count = bag[c % bag.size()];
    if (count < 255) ++count;
  }
  return bag;
}

/// The letters that only one of two texts has; swapped and repeated ones count by number.
std::uint32_t LettersApart(const Bag& a, const Bag& b) {
  std::uint32_t apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart += static_cast<std::uint32_t>(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
  }
  return apart;
}

bool IsQuote(char c) { return c == '"' || c == '`' || c == '[' || c == ']'; }

/// A word of a name. The singular pairs order with orders.
struct Word {
  std::u32string written, singular;
  std::uint64_t letters = 0;  ///< a bit for each letter that `written` has
};

std::uint64_t LettersOf(std::u32string_view word) {
  std::uint64_t letters = 0;
  for (const char32_t c : word) letters |= std::uint64_t{1} << (c % 64);
  return letters;
}

/// A name made ready for comparison; its words only when asked for. Made to be used again, since
/// names are many and memory is slow.
class Name {
 public:
  void Assign(std::string_view name) {
    plain_.clear();
    has_words_ = false;
    bool ascii = true;
    std::size_t split = 0;
    for (const char c : name.substr(0, kNameBytesMax)) {
      if (IsQuote(c)) continue;
      plain_.push_back(c);
      if (c == '.') split = plain_.size();
      ascii &= static_cast<unsigned char>(c) < 0x80;
    }
    split_ = split;
    const std::string_view plain = plain_;
    const std::string_view before = plain.substr(0, split > 0 ? split - 1 : 0);
    if (ascii) {
      FoldAscii(plain.substr(split), last);
      FoldAscii(before, qualifier);
    } else {
      last = ToCodePoints(Fold(plain.substr(split)));
      qualifier = ToCodePoints(Fold(before));
    }
    bag = BagOf(last);
  }

  const std::vector<Word>& Words() const {
    if (!has_words_) {
      words_.clear();
      for (const auto& word : SplitWords(std::string_view(plain_).substr(split_))) {
        words_.push_back({ToCodePoints(word), ToCodePoints(Singular(word)), 0});
        words_.back().letters = LettersOf(words_.back().written);
      }
      has_words_ = true;
    }
    return words_;
  }

  std::u32string last, qualifier;
  Bag bag{};

 private:
  static void FoldAscii(std::string_view text, std::u32string& out) {
    out.clear();
    for (const char c : text) out.push_back(static_cast<char32_t>(LowerAscii(c)));
  }

  std::string plain_;
  std::size_t split_ = 0;
  mutable bool has_words_ = false;
  mutable std::vector<Word> words_;
};

/// The cost of the letters by which two words differ in length.
std::uint32_t Letters(const Word& a, const Word& b) {
  const std::size_t x = a.written.size(), y = b.written.size();
  return kPerLetter * static_cast<std::uint32_t>(x < y ? y - x : x - y);
}

/// The cost of reading word `b` for word `a`, or nothing where they are different words or it is
/// above `most`.
std::optional<std::uint32_t> WordCost(const Word& a, const Word& b, std::uint32_t most) {
  if (a.written == b.written) return 0;
  if (a.singular == b.singular) return kPlural;
  if (most <= kPlural) return std::nullopt;
  const std::u32string_view x = a.singular, y = b.singular;
  const auto& [small, large] = x.size() < y.size() ? std::pair(x, y) : std::pair(y, x);
  if (small.size() >= kAffixShortest && large.starts_with(small)) {
    return kShortened + Letters(a, b);
  }
  // Half of a word must be right: "hist" is no typo of "dim".
  const auto limit = std::min({kTypoInWord, static_cast<std::uint32_t>(small.size()) * 5, most});
  // An edit costs kEditLeast at least and changes two letters at most.
  const auto apart = static_cast<std::uint32_t>(std::popcount(a.letters ^ b.letters));
  if (apart > 2 * (limit / kEditLeast)) return std::nullopt;
  const std::uint32_t cost = EditCost(a.written, b.written, limit);
  return cost <= limit ? std::optional(cost) : std::nullopt;
}

/// Which word of the candidate stands for each word of the wrong name, and what that costs.
struct Pairing {
  std::vector<std::size_t> partner;  ///< kNoPartner where none does
  std::vector<bool> taken;           ///< the candidate's words in use
  std::uint32_t cost = 0;
};
constexpr std::size_t kNoPartner = SIZE_MAX;

/// Gives word `i` the cheapest free partner that costs at most `limit`.
void PairWord(std::size_t i, const std::vector<Word>& a, const std::vector<Word>& b,
              std::uint32_t limit, Pairing& pairing) {
  std::uint32_t least = limit + 1;
  for (std::size_t j = 0; j < b.size() && least > 0; ++j) {
    if (pairing.taken[j]) continue;
    const auto cost = WordCost(a[i], b[j], least - 1);
    if (!cost || *cost >= least) continue;
    least = *cost;
    pairing.partner[i] = j;
  }
  if (pairing.partner[i] == kNoPartner) return;
  pairing.taken[pairing.partner[i]] = true;
  pairing.cost += least;
}

Pairing PairWords(const std::vector<Word>& a, const std::vector<Word>& b) {
  Pairing pairing{std::vector<std::size_t>(a.size(), kNoPartner), std::vector<bool>(b.size()), 0};
  for (std::size_t i = 0; i < a.size(); ++i) PairWord(i, a, b, kPlural, pairing);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (pairing.partner[i] == kNoPartner) PairWord(i, a, b, kFarthest, pairing);
  }
  return pairing;
}

/// The cost word by word: plural, another order, a word more or less, a word misspelt.
std::uint32_t WordsCost(const Name& wrong, const Name& candidate) {
  const auto &a = wrong.Words(), &b = candidate.Words();
  if (a.empty() || b.empty() || a.size() > kWordsComparedMax || b.size() > kWordsComparedMax) {
    return kFarthest;
  }
  const Pairing pairing = PairWords(a, b);
  std::uint32_t cost = pairing.cost + kOtherSeparator;
  std::size_t last = 0, pairs = 0;
  bool reordered = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (pairing.partner[i] == kNoPartner) {
      cost += kMissingWord + kPerLetter * static_cast<std::uint32_t>(a[i].written.size());
      continue;
    }
    reordered |= pairing.partner[i] < last;
    last = pairing.partner[i];
    ++pairs;
  }
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (!pairing.taken[j]) {
      cost += kMissingWord + kPerLetter * static_cast<std::uint32_t>(b[j].written.size());
    }
  }
  return pairs > 0 ? cost + (reordered ? kReordered : 0) : kFarthest;
}

/// The cost of one name being the beginning or the end of the other.
std::uint32_t AffixCost(std::u32string_view a, std::u32string_view b) {
  const auto& [small, large] = a.size() < b.size() ? std::pair(a, b) : std::pair(b, a);
  if (small.size() < kAffixShortest) return kFarthest;
  if (!large.starts_with(small) && !large.ends_with(small)) return kFarthest;
  return kAffix + kPerLetter * static_cast<std::uint32_t>(large.size() - small.size());
}

std::uint32_t QualifierCost(const Name& wrong, const Name& candidate) {
  if (wrong.qualifier.empty() || wrong.qualifier == candidate.qualifier) return 0;
  if (candidate.qualifier.empty()) return kLostSchema;
  // source:schema.table may be meant by schema.table, and the other way round.
  if (candidate.qualifier.ends_with(wrong.qualifier) ||
      wrong.qualifier.ends_with(candidate.qualifier)) {
    return kLostSchema;
  }
  return std::min(kOtherSchema, EditCost(wrong.qualifier, candidate.qualifier, kOtherSchema));
}

/// The whole name written with one separator, as where s0.orders was written s0_orders.
std::u32string Joined(const Name& name) {
  std::u32string out = name.qualifier;
  if (!out.empty()) out.push_back(U'_');
  out += name.last;
  std::replace(out.begin(), out.end(), U'.', U'_');
  return out;
}

/// The distance of the parts after the dot, or any value above `limit`.
std::uint32_t LastPartCost(const Name& wrong, const Name& candidate, std::uint32_t limit) {
  if (wrong.last == candidate.last) return kOtherCase;
  const std::uint32_t apart = LettersApart(wrong.bag, candidate.bag);
  std::uint32_t best = AffixCost(wrong.last, candidate.last);
  best = std::min(best, limit + 1);
  if (kEditPerLetter * apart < best) {
    best = std::min(best, EditCost(wrong.last, candidate.last, best - 1));
  }
  // Word by word a letter costs kPerLetter at least, but for plurals: five letters for kPlural.
  const std::uint32_t plurals =
      kPlural * static_cast<std::uint32_t>(std::min(wrong.Words().size(), kWordsComparedMax));
  if (kOtherSeparator + kPerLetter * apart < best + plurals) {
    best = std::min(best, WordsCost(wrong, candidate));
  }
  return best;
}

std::uint32_t DistanceOf(const Name& wrong, const Name& candidate, std::uint32_t limit) {
  std::uint32_t best = limit + 1;
  const std::uint32_t schema = QualifierCost(wrong, candidate);
  if (schema <= limit) {
    best = std::min(best, schema + LastPartCost(wrong, candidate, limit - schema));
  }
  const bool one_is_bare = wrong.qualifier.empty() != candidate.qualifier.empty();
  if (one_is_bare && best > kLostSchema + 1) {
    const auto a = Joined(wrong), b = Joined(candidate);
    if (kEditPerLetter * LettersApart(BagOf(a), BagOf(b)) + kLostSchema < best) {
      best = std::min(best, EditCost(a, b, best - kLostSchema - 1) + kLostSchema);
    }
  }
  return best;
}

struct Kept {
  std::uint32_t distance;
  std::string name;
  bool operator<(const Kept& other) const {
    return std::tie(distance, name) < std::tie(other.distance, other.name);
  }
};

}  // namespace

struct NearestNames::State {
  State(std::string_view wrong_name, std::size_t k_names) : text(wrong_name), k(k_names) {
    wrong.Assign(wrong_name);
  }
  std::string text;
  Name wrong, candidate;
  std::size_t k;
  std::vector<Kept> kept;  ///< sorted, at most k
};

NearestNames::NearestNames(std::string_view wrong, std::size_t k)
    : state_(std::make_unique<State>(wrong, k)) {}
NearestNames::~NearestNames() = default;
NearestNames::NearestNames(NearestNames&&) noexcept = default;
NearestNames& NearestNames::operator=(NearestNames&&) noexcept = default;

void NearestNames::Offer(std::string_view candidate) {
  auto& kept = state_->kept;
  if (state_->k == 0) return;
  const bool full = kept.size() == state_->k;
  const std::uint32_t limit = full ? kept.back().distance : kFarthest;
  std::uint32_t distance = 0;
  if (candidate != state_->text) {
    state_->candidate.Assign(candidate);
    distance =
        std::min(DistanceOf(state_->wrong, state_->candidate, limit), full ? limit + 1 : kFarthest);
  }
  if (distance > limit) return;
  Kept entry{distance, std::string(candidate)};
  const auto at = std::lower_bound(kept.begin(), kept.end(), entry);
  if (at != kept.end() && at->name == entry.name) return;
  kept.insert(at, std::move(entry));
  if (kept.size() > state_->k) kept.pop_back();
}

std::vector<std::string> NearestNames::Take() {
  std::vector<std::string> names;
  for (auto& kept : state_->kept) names.push_back(std::move(kept.name));
  state_->kept.clear();
  return names;
}

std::vector<std::string> FindNearestNames(std::string_view wrong,
                                          const std::vector<std::string>& candidates,
                                          std::size_t k) {
  NearestNames nearest(wrong, k);
  for (const auto& candidate : candidates) nearest.Offer(candidate);
  return nearest.Take();
}

std::uint32_t NameDistance(std::string_view wrong, std::string_view candidate,
                           std::uint32_t limit) {
  if (wrong == candidate) return 0;
  limit = std::min(limit, kFarthest);
  Name a, b;
  a.Assign(wrong);
  b.Assign(candidate);
  return std::min(DistanceOf(a, b, limit), limit + 1);
}

}  // namespace schemaward::text
