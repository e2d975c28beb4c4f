// The words of untrusted_text: what requests to a reader are made of.

#include <algorithm>
#include <array>

#include "tools/untrusted_words.h"

namespace schemaward::tools {
namespace {

// Words are compared folded: lower case, without accents, a dotless i as an i. English, Spanish,
// German, French, Portuguese, Turkish.
constexpr auto kIgnore = std::to_array<std::string_view>(
    {"bypass",   "desconsidera", "desconsidere", "desconsiderem", "dikkate",    "disregard",
     "esqueca",  "esquece",      "forget",       "gormezden",     "ignora",     "ignorar",
     "ignore",   "ignoren",      "ignorez",      "ignoriere",     "ignorieren", "missachte",
     "olvida",   "olvide",       "olviden",      "oublie",        "oubliez",    "overlook",
     "override", "unut",         "vergesst",     "vergiss",       "yok",        "yoksay"});
constexpr auto kEarlier = std::to_array<std::string_view>(
    {"above",       "all",        "alle",     "any",        "anterior",  "anteriores",
     "anterieures", "bisherigen", "butun",    "deine",      "deinen",    "earlier",
     "every",       "foregoing",  "obigen",   "onceki",     "preceding", "precedente",
     "precedentes", "previas",    "previous", "previously", "prior",     "suas",
     "system",      "tes",        "these",    "todas",      "toutes",    "tum",
     "tus",         "vorherigen", "vorigen",  "vos",        "your",      "yukaridaki"});
// Beginnings of words.
constexpr auto kInstructions = std::to_array<std::string_view>(
    {"anweisung", "consigne", "directive", "direktif", "guardrail", "guideline", "instruc",
     "instruktion", "prompt", "talimat", "vorgabe", "yonerge"});
constexpr auto kSend = std::to_array<std::string_view>(
    {"envia", "enviar", "envie", "envoie", "envoyez", "exfiltrate", "forward", "gonder", "leak",
     "mande", "schicke", "send", "sende", "transmit", "upload"});
constexpr auto kSent = std::to_array<std::string_view>(
    {"answer", "contenido", "content",   "contents",  "conversation", "credentials", "daten",
     "data",   "donnees",   "dados",     "datos",     "ergebnis",     "history",     "inhalt",
     "output", "password",  "passwords", "resultado", "resultados",   "resultats",   "results",
     "rows",   "secrets",   "sonuclari", "tables",    "token",        "tokens",      "verileri"});

// Words that follow one another.
constexpr auto kPhrases = std::to_array<std::string_view>({"a partir de agora voce",
                                                           "a partir de ahora debes",
                                                           "a partir de ahora eres",
                                                           "a partir de maintenant tu",
                                                           "a partir de maintenant vous",
                                                           "ab jetzt bist du",
                                                           "ab sofort bist du",
                                                           "ahora eres",
                                                           "as an ai",
                                                           "before using this tool",
                                                           "bundan sonra sen",
                                                           "call the tool",
                                                           "call this tool",
                                                           "debes ejecutar",
                                                           "debes llamar",
                                                           "der assistent muss",
                                                           "der assistent soll",
                                                           "developer mode",
                                                           "do not mention this",
                                                           "do not tell the user",
                                                           "don t tell the user",
                                                           "du bist jetzt",
                                                           "du musst jetzt",
                                                           "el asistente debe",
                                                           "execute the following",
                                                           "from now on you",
                                                           "important instruction",
                                                           "important instructions",
                                                           "kullaniciya soyleme",
                                                           "kullaniciya haber verme",
                                                           "l assistant doit",
                                                           "ne dis pas a l utilisateur",
                                                           "ne dites pas a l utilisateur",
                                                           "neue anweisung",
                                                           "neue anweisungen",
                                                           "new instructions",
                                                           "nao conte ao usuario",
                                                           "nao diga ao usuario",
                                                           "no le digas al usuario",
                                                           "nouvelles consignes",
                                                           "nouvelles instructions",
                                                           "novas instrucoes",
                                                           "nuevas instrucciones",
                                                           "o assistente deve",
                                                           "ohne den benutzer zu",
                                                           "pretend to be",
                                                           "pretend you are",
                                                           "reveal your",
                                                           "run the following",
                                                           "sag dem benutzer nicht",
                                                           "sans le dire a l utilisateur",
                                                           "sem avisar o usuario",
                                                           "sen artik",
                                                           "sin decirle al usuario",
                                                           "system prompt",
                                                           "the agent must",
                                                           "the agent should",
                                                           "the ai must",
                                                           "the ai should",
                                                           "the assistant must",
                                                           "the assistant should",
                                                           "the model must",
                                                           "tu dois appeler",
                                                           "tu es maintenant",
                                                           "use this tool to",
                                                           "voce agora e",
                                                           "voce deve chamar",
                                                           "vous etes maintenant",
                                                           "without asking the user",
                                                           "without telling the user",
                                                           "yeni talimat",
                                                           "yeni talimatlar",
                                                           "you are now",
                                                           "you must call",
                                                           "you must execute",
                                                           "you must now",
                                                           "you must run",
                                                           "you should call",
                                                           "you should now"});

// Marks of speakers in the prompts of models. Searched as they are, in lower case.
constexpr auto kTags = std::to_array<std::string_view>(
    {"### instruction", "### system", "</assistant",    "</instructions", "</system",
     "<<sys>>",         "<assistant", "<function_call", "<im_start",      "<important>",
     "<instructions",   "<system",    "<tool_call",     "<|assistant",    "<|end",
     "<|im_",           "<|start",    "<|system",       "<|user",         "[/inst]",
     "[assistant]",     "[inst]",     "[system]",       "\nassistant:",   "\nhuman:",
     "\nsystem:"});

// Tools of this server whose names are no words of another trade. Checked against the served list.
constexpr auto kTools = std::to_array<std::string_view>(
    {"analyze_code",         "describe_column",     "describe_entity",
     "describe_table",       "execute_query",       "find_relevant_entities",
     "find_relevant_tables", "get_example_queries", "get_metric",
     "get_pattern",          "list_analysis_rules", "list_entities",
     "list_indexed_schemas", "list_joins",          "list_metrics",
     "resolve_join",         "review_code",         "run_sql",
     "search_patterns",      "suggest_joins",       "validate_query"});

// Most words begin no word of the lists; the first three bytes tell. A false yes costs time only.
constexpr std::size_t kKeys = 4'096;
constexpr std::size_t KeyOf(std::string_view word) {
  constexpr std::size_t kBytes = 3;
  constexpr std::size_t kFactor = 31;
  std::size_t key = 0;
  for (const char c : word.substr(0, kBytes)) key = key * kFactor + static_cast<unsigned char>(c);
  return key % kKeys;
}
constexpr std::array<bool, kKeys> KeysOfLists() {
  std::array<bool, kKeys> keys{};
  const auto add = [&](const auto& words) {
    for (const std::string_view word : words) keys[KeyOf(word.substr(0, word.find(' ')))] = true;
  };
  add(kIgnore);
  add(kEarlier);
  add(kInstructions);
  add(kSend);
  add(kSent);
  add(kPhrases);
  add(kTools);
  keys[KeyOf("http")] = true;
  return keys;
}
constexpr std::array<bool, kKeys> kMayBegin = KeysOfLists();

template <std::size_t n>
bool Has(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsInstructionWord(std::string_view word) {
  return std::any_of(kInstructions.begin(), kInstructions.end(),
                     [&](std::string_view head) { return word.starts_with(head); });
}

}  // namespace

unsigned KindsOf(std::string_view word) {
  if (!kMayBegin[KeyOf(word)]) return 0;
  const auto bit = [](WordKind kind, bool is_it) { return is_it ? BitOf(kind) : 0U; };
  return bit(WordKind::Ignore, Has(kIgnore, word)) | bit(WordKind::Earlier, Has(kEarlier, word)) |
         bit(WordKind::Instruction, IsInstructionWord(word)) |
         bit(WordKind::Send, Has(kSend, word)) | bit(WordKind::Sent, Has(kSent, word)) |
         bit(WordKind::Web, word == "http" || word == "https") |
         bit(WordKind::Tool, Has(kTools, word)) | bit(WordKind::Any, true);
}

std::span<const std::string_view> Phrases() { return kPhrases; }
std::span<const std::string_view> SpeakerTags() { return kTags; }

}  // namespace schemaward::tools
