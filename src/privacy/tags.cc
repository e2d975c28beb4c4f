#include "privacy/tags.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "privacy/classify.h"

namespace schemaward::privacy {
namespace {

struct Everyday {
  std::string_view word;
  Category category;
};

// Words that people use for categories.
constexpr auto kEveryday = std::to_array<Everyday>({
    {"pii", Category::Contact},
    {"true", Category::Contact},
    {"yes", Category::Contact},
    {"personal", Category::Contact},
    {"email", Category::Contact},
    {"email_address", Category::Contact},
    {"phone", Category::Contact},
    {"phone_number", Category::Contact},
    {"address", Category::Contact},
    {"name", Category::Contact},
    {"person_name", Category::Contact},
    {"full_name", Category::Contact},
    {"first_name", Category::Contact},
    {"last_name", Category::Contact},
    {"ssn", Category::GovernmentId},
    {"social_security_number", Category::GovernmentId},
    {"passport", Category::GovernmentId},
    {"national_id", Category::GovernmentId},
    {"tax_id", Category::GovernmentId},
    {"drivers_license", Category::GovernmentId},
    {"password", Category::Credential},
    {"secret", Category::Credential},
    {"token", Category::Credential},
    {"credentials", Category::Credential},
    {"card", Category::PaymentCard},
    {"credit_card", Category::PaymentCard},
    {"pan", Category::PaymentCard},
    {"pci", Category::PaymentCard},
    {"phi", Category::Health},
    {"medical", Category::Health},
    {"dna", Category::Genetic},
    {"biometrics", Category::Biometric},
    {"fingerprint", Category::Biometric},
    {"ip", Category::OnlineIdentifier},
    {"ip_address", Category::OnlineIdentifier},
    {"device_id", Category::OnlineIdentifier},
    {"cookie", Category::OnlineIdentifier},
    {"username", Category::OnlineIdentifier},
    {"online_id", Category::OnlineIdentifier},
    {"iban", Category::Financial},
    {"bank_account", Category::Financial},
    {"salary", Category::Financial},
    {"income", Category::Financial},
    {"behavioural", Category::Behavioral},
    {"gps", Category::Location},
    {"geo", Category::Location},
    {"gender", Category::DemographicProtected},
    {"birth_date", Category::DemographicProtected},
    {"date_of_birth", Category::DemographicProtected},
    {"dob", Category::DemographicProtected},
    {"age", Category::DemographicProtected},
    {"race", Category::DemographicProtected},
    {"ethnicity", Category::DemographicProtected},
    {"religion", Category::DemographicProtected},
    {"demographic", Category::DemographicProtected},
});

constexpr std::string_view kPii = "pii";

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string Folded(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c == '-' ? '_' : LowerAscii(c); });
  return folded;
}

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

std::string_view WordAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && IsWordByte(text[end])) ++end;
  return text.substr(at, end - at);
}

// Reads "email, phone" from `at`; stops at the first word that names no category.
std::vector<Category> ReadList(std::string_view text, std::size_t at, std::string& evidence) {
  std::vector<Category> categories;
  while (categories.size() < kTagsMax) {
    at = SkipBlanks(text, at);
    const std::string_view word = WordAt(text, at);
    const auto meant = CategoriesOfTag(word);
    if (meant.empty()) break;
    categories.insert(categories.end(), meant.begin(), meant.end());
    evidence += (evidence.size() > kPii.size() ? "," : ":") + std::string(word);
    at = SkipBlanks(text, at + word.size());
    if (at >= text.size() || (text[at] != ',' && text[at] != '|' && text[at] != '/')) break;
    ++at;
  }
  return categories;
}

// What follows the word pii: a list after : = or (, or nothing where the word is marked.
std::optional<Declared> ReadTag(std::string_view text, std::size_t after, bool is_marked) {
  Declared tag;
  tag.evidence = kPii;
  const std::size_t at = SkipBlanks(text, after);
  const bool has_list = at < text.size() && (text[at] == ':' || text[at] == '=' || text[at] == '(');
  if (has_list) {
    const std::size_t list = SkipBlanks(text, at + 1);
    tag.categories = ReadList(text, list, tag.evidence);
    if (!tag.categories.empty()) return tag;
    const std::string_view word = WordAt(text, list);
    if (word == "none" || word == "no" || word == "false" || word == "0") return std::nullopt;
  }
  if (!is_marked && !has_list) return std::nullopt;
  tag.categories = {Category::Contact};
  tag.is_bare = true;
  return tag;
}

// Marked: @pii, #pii, [pii], (pii), the comment is nothing but "pii" or opens with it as a heading
// ("PII - the e-mail", "PII. ..."), or says that the column contains some.
bool IsMarked(std::string_view text, std::size_t at) {
  if (SkipBlanks(text, 0) == at) {
    const std::size_t next = SkipBlanks(text, at + kPii.size());
    return next == text.size() || text.substr(next, 1).find_first_of(".;,_!|\r\n") == 0;
  }
  if (at == 0) return false;
  if (std::string_view("@#[{<(*").find(text[at - 1]) != std::string_view::npos) return true;
  constexpr std::string_view kContains = "contains ";
  return text.substr(0, at).ends_with(kContains);
}

}  // namespace

std::vector<Category> CategoriesOfTag(std::string_view word) {
  const std::string folded = Folded(word);
  if (const auto category = CategoryNamed(folded)) return {*category};
  for (const Everyday& everyday : kEveryday)
    if (everyday.word == folded) return {everyday.category};
  return {};
}

std::vector<Declared> TagsOfComment(std::string_view comment) {
  std::vector<Declared> tags;
  const std::string text = Folded(comment.substr(0, kCommentBytesMax));
  for (std::size_t at = text.find(kPii); at != std::string::npos && tags.size() < kTagsMax;
       at = text.find(kPii, at + kPii.size())) {
    const std::size_t after = at + kPii.size();
    const bool is_word = (at == 0 || !IsWordByte(text[at - 1])) &&
                         (after == text.size() || !IsWordByte(text[after]));
    if (!is_word) continue;
    if (auto tag = ReadTag(text, after, IsMarked(text, at))) tags.push_back(*std::move(tag));
  }
  return tags;
}

std::optional<Declared> TagOfSource(std::string_view tag) {
  const std::string folded = Folded(tag.substr(0, kCommentBytesMax));
  std::string_view word = folded;
  for (const std::string_view prefix : {"pii:", "pii_", "pii.", "pii=", "personal_data:"})
    if (word.starts_with(prefix)) {
      word.remove_prefix(prefix.size());
      auto categories = CategoriesOfTag(word);
      // A tag under pii whose word is not known is personal all the same.
      if (categories.empty() && word != "none" && word != "false" && word != "no")
        categories = {Category::Contact};
      if (categories.empty()) return std::nullopt;
      return Declared{std::move(categories), folded, word == "true" || word == "yes"};
    }
  if (word == kPii || word == "personal_data" || word == "phi" || CategoryNamed(word)) {
    if (word == "location" || word == "contact" || word == "financial") return std::nullopt;
    auto categories = CategoriesOfTag(word);
    if (categories.empty()) categories = {Category::Contact};
    return Declared{std::move(categories), folded, word == kPii || word == "personal_data"};
  }
  return std::nullopt;
}

}  // namespace schemaward::privacy
