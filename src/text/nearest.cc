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
#include <unordered_map>
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

Word MakeWord(std::string_view word) {
  Word made{ToCodePoints(word), ToCodePoints(Singular(word)), 0};
  made.letters = LettersOf(made.written);
  return made;
}

/// A name made ready for comparison; its words only when asked for. Made to be used again, since
/// names are many and memory is slow.
class Name {
 public:
  Name() = default;
  explicit Name(std::string_view name) { Assign(name); }

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

  const std::vector<std::string>& Words() const {
    if (!has_words_) words_ = SplitWords(std::string_view(plain_).substr(split_));
    has_words_ = true;
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
  mutable std::vector<std::string> words_;
};

/// The cost of the letters by which two words differ in length.
std::uint32_t Letters(const Word& a, const Word& b) {
  const std::size_t x = a.written.size(), y = b.written.size();
  return kPerLetter * static_cast<std::uint32_t>(x < y ? y - x : x - y);
}

constexpr std::uint32_t kOtherWord = UINT32_MAX;

/// The cost of reading word `b` for word `a`; kOtherWord where they are different words.
std::uint32_t WordCost(const Word& a, const Word& b) {
  if (a.written == b.written) return 0;
  if (a.singular == b.singular) return kPlural;
  const std::u32string_view x = a.singular, y = b.singular;
  const auto& [small, large] = x.size() < y.size() ? std::pair(x, y) : std::pair(y, x);
  if (small.size() >= kAffixShortest && large.starts_with(small)) {
    return kShortened + Letters(a, b);
  }
  // Half of a word must be right: "hist" is no typo of "dim".
  const auto limit = std::min(kTypoInWord, static_cast<std::uint32_t>(small.size()) * 5);
  // An edit costs kEditLeast at least and changes two letters at most.
  const auto apart = static_cast<std::uint32_t>(std::popcount(a.letters ^ b.letters));
  if (apart > 2 * (limit / kEditLeast)) return kOtherWord;
  const std::uint32_t cost = EditCost(a.written, b.written, limit);
  return cost <= limit ? cost : kOtherWord;
}

/// A word of candidates beside the words of the wrong name.
struct KnownWord {
  std::uint32_t letters = 0;
  std::vector<std::uint32_t> costs;  ///< of reading it for each word of the wrong name
};

/// What words cost. Names are many and made of few words, so each is compared once.
class WordCosts {
 public:
  explicit WordCosts(const Name& wrong) {
    for (const std::string& word : wrong.Words()) wrong_.push_back(MakeWord(word));
  }

  const std::vector<Word>& wrong() const { return wrong_; }

  /// Lifetime of the answer: until the next call.
  const std::vector<const KnownWord*>& Of(const std::vector<std::string>& words) {
    if (known_.size() > kKnownMax) known_.clear();
    found_.clear();
    for (const std::string& word : words) {
      const auto [at, is_new] = known_.try_emplace(word);
      if (is_new) Compare(word, at->second);
      found_.push_back(&at->second);
    }
    return found_;
  }

 private:
  static constexpr std::size_t kKnownMax = 20'000;

  void Compare(std::string_view written, KnownWord& known) const {
    const Word word = MakeWord(written);
    known.letters = static_cast<std::uint32_t>(word.written.size());
    for (const Word& wrong : wrong_) known.costs.push_back(WordCost(wrong, word));
  }

  std::vector<Word> wrong_;
  std::unordered_map<std::string, KnownWord> known_;
  std::vector<const KnownWord*> found_;
};

/// Which word of the candidate stands for each word of the wrong name, and what that costs.
struct Pairing {
  std::array<std::uint8_t, kWordsComparedMax> partner{};  ///< kNoPartner where none does
  std::uint32_t taken = 0;                                ///< a bit for each of the candidate's
  std::uint32_t cost = 0;
};
constexpr std::uint8_t kNoPartner = UINT8_MAX;
static_assert(kWordsComparedMax < 32);

/// Gives word `i` the cheapest free partner that costs at most `limit`.
void PairWord(std::size_t i, const std::vector<const KnownWord*>& words, std::uint32_t limit,
              Pairing& pairing) {
  std::uint32_t least = limit + 1;
  for (std::size_t j = 0; j < words.size() && least > 0; ++j) {
    if ((pairing.taken >> j & 1U) != 0 || words[j]->costs[i] >= least) continue;
    least = words[j]->costs[i];
    pairing.partner[i] = static_cast<std::uint8_t>(j);
  }
  if (pairing.partner[i] == kNoPartner) return;
  pairing.taken |= 1U << pairing.partner[i];
  pairing.cost += least;
}

Pairing PairWords(std::size_t count, const std::vector<const KnownWord*>& words) {
  Pairing pairing;
  pairing.partner.fill(kNoPartner);
  for (std::size_t i = 0; i < count; ++i) PairWord(i, words, kPlural, pairing);
  for (std::size_t i = 0; i < count; ++i) {
    if (pairing.partner[i] == kNoPartner) PairWord(i, words, kFarthest, pairing);
  }
  return pairing;
}

/// The cost word by word: plural, another order, a word more or less, a word misspelt.
std::uint32_t WordsCost(WordCosts& costs, const Name& candidate) {
  const std::vector<Word>& wrong = costs.wrong();
  const std::vector<std::string>& others = candidate.Words();
  if (wrong.empty() || others.empty() || wrong.size() > kWordsComparedMax ||
      others.size() > kWordsComparedMax) {
    return kFarthest;
  }
  const auto& words = costs.Of(others);
  const Pairing pairing = PairWords(wrong.size(), words);
  std::uint32_t cost = pairing.cost + kOtherSeparator;
  std::size_t last = 0, pairs = 0;
  bool reordered = false;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (pairing.partner[i] == kNoPartner) {
      cost += kMissingWord + kPerLetter * static_cast<std::uint32_t>(wrong[i].written.size());
      continue;
    }
    reordered |= pairing.partner[i] < last;
    last = pairing.partner[i];
    ++pairs;
  }
  for (std::size_t j = 0; j < words.size(); ++j) {
    if ((pairing.taken >> j & 1U) == 0) cost += kMissingWord + kPerLetter * words[j]->letters;
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
std::uint32_t LastPartCost(const Name& wrong, const Name& candidate, WordCosts& costs,
                           std::uint32_t limit) {
  if (wrong.last == candidate.last) return kOtherCase;
  const std::uint32_t apart = LettersApart(wrong.bag, candidate.bag);
  std::uint32_t best = AffixCost(wrong.last, candidate.last);
  best = std::min(best, limit + 1);
  // Word by word a letter costs kPerLetter at least, but for plurals: five letters for kPlural.
  const std::uint32_t plurals =
      kPlural * static_cast<std::uint32_t>(std::min(costs.wrong().size(), kWordsComparedMax));
  if (kOtherSeparator + kPerLetter * apart < best + plurals) {
    best = std::min(best, WordsCost(costs, candidate));
  }
  // Dearer than the words, each of which is compared once.
  if (kEditPerLetter * apart < best) {
    best = std::min(best, EditCost(wrong.last, candidate.last, best - 1));
  }
  return best;
}

std::uint32_t DistanceOf(const Name& wrong, const Name& candidate, WordCosts& costs,
                         std::uint32_t limit) {
  std::uint32_t best = limit + 1;
  const std::uint32_t schema = QualifierCost(wrong, candidate);
  if (schema <= limit) {
    best = std::min(best, schema + LastPartCost(wrong, candidate, costs, limit - schema));
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
  State(std::string_view wrong_name, std::size_t k_names)
      : text(wrong_name), wrong(wrong_name), costs(wrong), k(k_names) {}
  std::string text;
  Name wrong, candidate;
  WordCosts costs;
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
    distance = std::min(DistanceOf(state_->wrong, state_->candidate, state_->costs, limit),
                        full ? limit + 1 : kFarthest);
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
  const Name a(wrong), b(candidate);
  WordCosts costs(a);
  return std::min(DistanceOf(a, b, costs, limit), limit + 1);
}

}  // namespace schemaward::text
