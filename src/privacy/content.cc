#include "privacy/content.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

namespace schemaward::privacy {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
int Digit(char c) { return c - '0'; }

// The text in capitals, without the signs in `dropped`.
std::string Compact(std::string_view text, std::string_view dropped) {
  std::string out;
  for (const char c : text)
    if (dropped.find(c) == std::string_view::npos)
      out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

bool AllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

// 1111111... fits many sums and is nobody's.
bool AllSame(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [&](char c) { return c == text.front(); });
}

bool FitsLuhn(std::string_view digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int d = Digit(digits[digits.size() - 1 - i]);
    if (i % 2 == 1) d = d * 2 > 9 ? d * 2 - 9 : d * 2;
    sum += d;
  }
  return sum % 10 == 0;
}

// The number that the text is, letters as 10 to 35, modulo 97.
int Mod97(std::string_view text) {
  int rest = 0;
  for (const char c : text) {
    const int value = IsDigit(c) ? Digit(c) : c - 'A' + 10;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

template <std::size_t N>
int Weighted(std::string_view digits, const std::array<int, N>& weights) {
  int sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += Digit(digits[i]) * weights[i];
  return sum;
}

// The check digit of a CPF over the first `n` digits.
int CpfDigit(std::string_view digits, std::size_t n) {
  int sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += Digit(digits[i]) * static_cast<int>(n + 1 - i);
  const int rest = sum * 10 % 11;
  return rest == 10 ? 0 : rest;
}

struct Check {
  Category category;
  std::string_view name;
  bool (*fits)(std::string_view);
};

// Of checks that fit equally well the first is taken.
constexpr std::array kChecks = std::to_array<Check>({
    {Category::Contact, "email", IsEmail},
    {Category::PaymentCard, "luhn", IsCardNumber},
    {Category::Financial, "iban", IsIban},
    {Category::GovernmentId, "dni", IsSpanishId},
    {Category::GovernmentId, "cpf", IsBrazilianCpf},
    {Category::GovernmentId, "tckn", IsTurkishId},
    {Category::GovernmentId, "nir", IsFrenchNir},
    {Category::GovernmentId, "steuer_id", IsGermanTaxId},
    {Category::GovernmentId, "codice_fiscale", IsItalianTaxCode},
    {Category::GovernmentId, "pesel", IsPolishPesel},
    {Category::GovernmentId, "ssn", IsUsSsn},
});

}  // namespace

std::string ToText(const Verdict& verdict) {
  return std::string(NameOf(verdict.category)) + ':' + std::string(verdict.check);
}

bool IsCardNumber(std::string_view text) {
  constexpr std::size_t kMin = 13, kMax = 19;
  const std::string digits = Compact(text, " -");
  if (digits.size() < kMin || digits.size() > kMax || !AllDigits(digits) || AllSame(digits))
    return false;
  const int first = Digit(digits[0]);
  const int second = Digit(digits[1]);
  const bool is_network = (first >= 3 && first <= 6) || (first == 2 && second >= 2 && second <= 7);
  return is_network && FitsLuhn(digits);
}

bool IsIban(std::string_view text) {
  constexpr std::size_t kMin = 15, kMax = 34;
  const std::string iban = Compact(text, " ");
  if (iban.size() < kMin || iban.size() > kMax) return false;
  if (!IsUpper(iban[0]) || !IsUpper(iban[1]) || !IsDigit(iban[2]) || !IsDigit(iban[3]))
    return false;
  if (!std::all_of(iban.begin(), iban.end(), [](char c) { return IsDigit(c) || IsUpper(c); }))
    return false;
  return Mod97(iban.substr(4) + iban.substr(0, 4)) == 1;
}

bool IsEmail(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0 || text.find('@', at + 1) != std::string_view::npos)
    return false;
  const std::string_view domain = text.substr(at + 1);
  const std::size_t dot = domain.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 2 >= domain.size()) return false;
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == ',' || c == ';' || c == '<' || c == '>';
  });
}

bool IsSpanishId(std::string_view text) {
  constexpr std::string_view kLetters = "TRWAGMYFPDXBNJZSQVHLCKE";
  std::string id = Compact(text, " -.");
  if (id.size() != 9) return false;
  if (id[0] >= 'X' && id[0] <= 'Z') id[0] = static_cast<char>('0' + (id[0] - 'X'));
  if (!AllDigits(std::string_view(id).substr(0, 8))) return false;
  std::size_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number * 10 + static_cast<std::size_t>(Digit(id[i]));
  return id[8] == kLetters[number % kLetters.size()];
}

bool IsBrazilianCpf(std::string_view text) {
  const std::string cpf = Compact(text, " -.");
  return cpf.size() == 11 && AllDigits(cpf) && !AllSame(cpf) && CpfDigit(cpf, 9) == Digit(cpf[9]) &&
         CpfDigit(cpf, 10) == Digit(cpf[10]);
}

bool IsTurkishId(std::string_view text) {
  const std::string id = Compact(text, " ");
  if (id.size() != 11 || !AllDigits(id) || id[0] == '0') return false;
  int odd = 0, even = 0, all = 0;
  for (std::size_t i = 0; i < 9; ++i) (i % 2 == 0 ? odd : even) += Digit(id[i]);
  for (std::size_t i = 0; i < 10; ++i) all += Digit(id[i]);
  return ((odd * 7 - even) % 10 + 10) % 10 == Digit(id[9]) && all % 10 == Digit(id[10]);
}

bool IsFrenchNir(std::string_view text) {
  std::string nir = Compact(text, " ");
  if (nir.size() != 15 || (nir[0] != '1' && nir[0] != '2')) return false;
  std::int64_t corsica = 0;
  if (nir[5] == '2' && (nir[6] == 'A' || nir[6] == 'B')) {
    corsica = nir[6] == 'A' ? 0 : 1;
    nir[6] = static_cast<char>('9' - corsica);  // 2A counts as 19, 2B as 18
    nir[5] = '1';
  }
  if (!AllDigits(nir)) return false;
  const std::string month = nir.substr(3, 2);
  const bool is_month = (month >= "01" && month <= "12") || (month >= "20" && month <= "42");
  const int key = Digit(nir[13]) * 10 + Digit(nir[14]);
  return is_month && 97 - Mod97(std::string_view(nir).substr(0, 13)) == key;
}

bool IsGermanTaxId(std::string_view text) {
  const std::string id = Compact(text, " ");
  if (id.size() != 11 || !AllDigits(id) || id[0] == '0') return false;
  std::array<int, 10> seen{};
  int product = 10;
  for (std::size_t i = 0; i < 10; ++i) {
    ++seen[static_cast<std::size_t>(Digit(id[i]))];
    const int sum = (Digit(id[i]) + product) % 10;
    product = (sum == 0 ? 10 : sum) * 2 % 11;
  }
  // One digit stands there two or three times, the others once at most.
  const auto repeated = std::count_if(seen.begin(), seen.end(), [](int n) { return n > 1; });
  const int most = *std::max_element(seen.begin(), seen.end());
  const int check = product == 1 ? 0 : 11 - product;
  return repeated == 1 && most <= 3 && check % 10 == Digit(id[10]);
}

bool IsItalianTaxCode(std::string_view text) {
  // Values of the places that count from one: 0 or A is 1, 1 or B is 0, ...
  constexpr std::array<int, 26> kOdd = {1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                                        20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
  constexpr std::string_view kForm = "AAAAAA00A00A000A";
  const std::string code = Compact(text, " ");
  if (code.size() != kForm.size()) return false;
  int sum = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool is_letter = IsUpper(code[i]);
    if (!is_letter && !IsDigit(code[i])) return false;
    if ((kForm[i] == 'A') != is_letter) return false;
    const int value = is_letter ? code[i] - 'A' : Digit(code[i]);
    if (i + 1 < code.size()) sum += i % 2 == 0 ? kOdd[static_cast<std::size_t>(value)] : value;
  }
  return code.back() == 'A' + sum % 26;
}

bool IsPolishPesel(std::string_view text) {
  constexpr std::array<int, 10> kWeights = {1, 3, 7, 9, 1, 3, 7, 9, 1, 3};
  if (text.size() != 11 || !AllDigits(text)) return false;
  const int month = (Digit(text[2]) * 10 + Digit(text[3])) % 20;  // centuries add 20, 40, 60, 80
  const int day = Digit(text[4]) * 10 + Digit(text[5]);
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return (10 - Weighted(text, kWeights) % 10) % 10 == Digit(text[10]);
}

bool IsUsSsn(std::string_view text) {
  constexpr std::string_view kForm = "000-00-0000";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((kForm[i] == '-') != (text[i] == '-') || (kForm[i] == '0' && !IsDigit(text[i])))
      return false;
  const std::string_view area = text.substr(0, 3);
  return area != "000" && area != "666" && area[0] != '9' && text.substr(4, 2) != "00" &&
         text.substr(7) != "0000";
}

std::optional<Verdict> JudgeValues(const std::vector<std::string_view>& values) {
  const std::set<std::string_view> different(values.begin(), values.end());
  if (different.size() < kContentValuesMin) return std::nullopt;
  for (const Check& check : kChecks) {
    const auto fit = std::count_if(different.begin(), different.end(), [&](std::string_view text) {
      return text.size() <= kContentValueBytesMax && check.fits(text);
    });
    if (static_cast<double>(fit) >= kContentShareMin * static_cast<double>(different.size()))
      return Verdict{check.category, check.name};
  }
  return std::nullopt;
}

}  // namespace schemaward::privacy
