#include <algorithm>
#include <array>
#include <unordered_map>

#include "privacy/spellings.h"
#include "privacy/words.h"

namespace schemaward::privacy {
namespace {

constexpr std::size_t kPrefixBytesMax = 4;  // of a table's name before its columns: cust_

struct Short {
  std::string_view word;
  std::string_view written_out;
};

// clang-format off
constexpr auto kShort = std::to_array<Short>({
    // What numbers and names are called.
    {"nbr", "number numero nummer"}, {"num", "number numero nummer"}, {"no", "number numero nummer"}, {"nr", "number numero nummer"},
    {"nro", "numero"}, {"numb", "number"}, {"nm", "name nome nom"}, {"nme", "name"}, {"cd", "code"}, {"cod", "codigo code"}, {"cde", "code"},
    {"dt", "date data"}, {"dte", "date"}, {"dat", "datum date"}, {"fec", "fecha"}, {"fch", "fecha"}, {"f", "fecha"}, {"tar", "tarihi"},
    {"hist", "history historia historial historico historique"}, {"grp", "group"}, {"typ", "type"}, {"stat", "status"}, {"sts", "status"},
    {"rec", "record"}, {"desc", "description"}, {"ident", "identification"},
    // People.
    {"cust", "customer"}, {"cli", "cliente client"}, {"clt", "client"}, {"kd", "kunden"}, {"emp", "employee empleado"}, {"mgr", "manager"}, {"usr", "user"},
    {"pat", "patient"}, {"mus", "musteri"}, {"ape", "apellido"}, {"ap", "apellido"}, {"mit", "mitarbeiter"},
    // Ways to reach them.
    {"addr", "address"}, {"addrs", "address"}, {"adr", "adresse address"}, {"dir", "direccion"}, {"ph", "phone"}, {"phn", "phone"}, {"mob", "mobile"},
    {"tel", "telephone telefono telefone telefon"}, {"tlf", "telefono"}, {"frst", "first"}, {"fst", "first"}, {"lst", "last"}, {"mid", "middle"}, {"emerg", "emergency"},
    // Birth.
    {"nac", "nacimiento"}, {"nasc", "nascimento"}, {"naiss", "naissance"}, {"geb", "geburts"}, {"brth", "birth"}, {"dog", "dogum"},
    // Numbers that are given to people and their accounts.
    {"soc", "social"}, {"sec", "security"}, {"seg", "seguridad"}, {"ss", "socialsecurity securitesociale"}, {"nat", "national nationality"}, {"natl", "national"}, {"lic", "license"},
    {"gov", "government"}, {"govt", "government"}, {"ins", "insurance"}, {"pasp", "passport"}, {"steuerident", "steueridentifikations"},
    {"sozialvers", "sozialversicherungs"}, {"sv", "sozialversicherungs"}, {"kv", "krankenversicherungs"},
    {"acct", "account"}, {"acc", "account"}, {"kto", "konto"}, {"crdt", "credit"}, {"crd", "card"}, {"exp", "expiry expiration"}, {"sal", "salary"}, {"ann", "annual"},
    // Secrets.
    {"tok", "token"}, {"auth", "authentication"}, {"pwd", "password"}, {"pswd", "password"}, {"sess", "session"}, {"cred", "credential"}, {"priv", "private"}, {"enc", "encryption"},
    // The body.
    {"diag", "diagnosis"}, {"dx", "diagnosis"}, {"med", "medical"}, {"bld", "blood"}, {"preg", "pregnancy"}, {"vacc", "vaccination"}, {"fp", "fingerprint"}, {"bio", "biometric"},
    {"emb", "embedding"}, {"tmpl", "template"}, {"seq", "sequence"},
    // What they are.
    {"gend", "gender"}, {"gndr", "gender"}, {"eth", "ethnic"}, {"mar", "marital"}, {"marit", "marital"}, {"relig", "religion"}, {"fam", "familien"},
});

// Types that programs of another age write before a name.
constexpr auto kTypePrefixes = std::to_array<std::string_view>({
    "str", "sz", "lpsz", "txt", "tx", "ds", "fld", "vc", "vch", "chr", "s",
});
// clang-format on

}  // namespace

std::string_view WrittenOut(std::string_view word) {
  static const auto forms = [] {
    std::unordered_map<std::string_view, std::string_view> made;
    for (const Short& one : kShort) made.emplace(one.word, one.written_out);
    return made;
  }();
  const auto found = forms.find(word);
  return found == forms.end() ? std::string_view() : found->second;
}

bool BeginsOne(const std::vector<std::string_view>& sorted, std::string_view joined) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), joined);
  return at != sorted.end() && at->starts_with(joined);
}

bool OpensWithPrefix(const std::vector<std::string>& words, std::string_view table) {
  if (words.size() < 2) return false;
  const std::string& first = words.front();
  if (std::find(kTypePrefixes.begin(), kTypePrefixes.end(), first) != kTypePrefixes.end())
    return true;
  if (first.size() > kPrefixBytesMax) return false;
  const std::vector<std::string> of_table = WordsOf(table);
  return std::any_of(of_table.begin(), of_table.end(), [&](const std::string& word) {
    return word.size() > first.size() + 1 && word.starts_with(first);
  });
}

}  // namespace schemaward::privacy
