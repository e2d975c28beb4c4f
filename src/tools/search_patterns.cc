// search_patterns: SQL patterns for a need.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tools/pattern_answer.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using patterns::Hit;
using patterns::Pattern;

constexpr std::int64_t kLimitMax = 100;
constexpr std::int64_t kCardsMax = 10;
constexpr std::size_t kBroad = 20;  // hits without a filter; more are a question back
constexpr std::size_t kQueryMax = 2'000;
constexpr std::size_t kShortMax = 200;  // bytes of a description in the list
constexpr std::size_t kCardMax = 1'000;
constexpr std::size_t kCardLines = 20;  // of its example
constexpr std::size_t kNotes = 2, kRelated = 3, kDiscoveryIds = 10;
constexpr std::string_view kIndexMarker = "<!-- kind:pattern-index:v1 -->";
constexpr std::string_view kCardMarker = "<!-- kind:pattern-card:v1 -->";

const std::vector<std::string>& SamplePhrases() {
  static const std::vector<std::string> phrases = {"latest row per customer", "gaps and islands",
                                                   "running total by month",
                                                   "rows without a match"};
  return phrases;
}

struct In {
  std::optional<std::string> q;
  std::optional<patterns::Category> category;
  std::optional<patterns::Difficulty> difficulty;
  std::optional<std::int64_t> limit;
  tool::Format format = tool::Format::Markdown;
  std::int64_t cards = kCardsMax;
  bool provenance = false;
  std::optional<bool> structured;
  void Bind(json::Fields& f) {
    f("q", q, "the need in a few words; * is every pattern", {.length_max = kQueryMax});
    f("category", category, "only patterns of this category");
    f("difficulty", difficulty, "only patterns of this difficulty");
    f("limit", limit, "most patterns to return; all where absent",
      {.minimum = 1, .maximum = kLimitMax});
    f("format", format, "markdown, json or both");
    f("limitCards", cards, "most patterns shown in full in markdown",
      {.minimum = 1, .maximum = kCardsMax});
    f("includeProvenancePanel", provenance, "say where the patterns come from");
    f("includeStructuredPatterns", structured, "false leaves the list of patterns out");
  }
};

struct QueryOut {
  std::string q;
  std::optional<patterns::Category> category;
  std::optional<patterns::Difficulty> difficulty;
  std::optional<std::int64_t> limit;
  tool::Format format = tool::Format::Markdown;
  void Bind(json::Fields& f) {
    f("q", q, "as given", {.omit_empty = true});
    f("category", category, "as given", {.omit_empty = true});
    f("difficulty", difficulty, "as given", {.omit_empty = true});
    f("limit", limit, "as given", {.omit_empty = true});
    f("format", format, "of this answer");
  }
};

struct MarkersOut {
  std::int64_t index = 0, cards = 0;
  std::string version = "v1";
  void Bind(json::Fields& f) {
    f("index", index, "index markers in the markdown, 0 or 1");
    f("cards", cards, "card markers in the markdown");
    f("version", version, "of the markers");
  }
};

struct MetadataOut {
  std::int64_t total = 0;
  json::Raw categories, difficulties;
  std::int64_t cards = 0;
  std::vector<std::string> card_ids;
  MarkersOut markers;
  void Bind(json::Fields& f) {
    f("totalCount", total, "patterns that match, before the limit");
    f("categories", categories, "category to number of matches", {.omit_empty = true});
    f("difficulties", difficulties, "difficulty to number of matches", {.omit_empty = true});
    f("renderedCards", cards, "patterns shown in full in the markdown");
    f("renderedCardIds", card_ids, "their ids, in order");
    f("contractMarkers", markers, "hidden markers in the markdown");
  }
};

struct SummaryOut {
  std::string id, title;
  patterns::Category category = patterns::Category::Aggregation;
  patterns::Difficulty difficulty = patterns::Difficulty::Beginner;
  std::string description;
  std::vector<std::string> tags;
  void Bind(json::Fields& f) {
    f("id", id, "as get_pattern takes it");
    f("title", title, "title");
    f("category", category, "category");
    f("difficulty", difficulty, "difficulty");
    f("description", description, "what it answers, in short");
    f("tags", tags, "words for it", {.omit_empty = true});
  }
};

struct DiscoveryOut {
  json::Raw categories;
  std::vector<std::string> ids, suggestions;
  void Bind(json::Fields& f) {
    f("categories", categories, "category to number of patterns");
    f("ids", ids, "some ids");
    f("suggestions", suggestions, "words that find something");
  }
};

struct SourceOut {
  std::string source = "Schemaward pattern library", timestamp, version;
  void Bind(json::Fields& f) {
    f("source", source, "where the patterns come from");
    f("timestamp", timestamp, "of this answer, UTC");
    f("version", version, "of the library");
  }
};

struct Out : PatternAnswer {
  std::optional<QueryOut> query;
  std::optional<MetadataOut> metadata;
  std::optional<std::vector<SummaryOut>> found;
  std::optional<DiscoveryOut> discovery;
  std::optional<SourceOut> provenance;
  void Bind(json::Fields& f) {
    f("kind", kind, "patternSearchResults:v1 or needsInput:v1");
    f("query", query, "what was asked", {.omit_empty = true});
    f("metadata", metadata, "counts", {.omit_empty = true});
    f("patterns", found, "best first", {.omit_empty = true});
    f("discovery", discovery, "where to go on when nothing was found", {.omit_empty = true});
    f("provenance", provenance, "where the patterns come from", {.omit_empty = true});
    BindQuestion(f);
  }
};

std::string_view NameOf(patterns::Category category) {
  return json::EnumNames<patterns::Category>::kNames[static_cast<std::size_t>(category)];
}
std::string_view NameOf(patterns::Difficulty difficulty) {
  return json::EnumNames<patterns::Difficulty>::kNames[static_cast<std::size_t>(difficulty)];
}

using Counts = std::map<std::string, std::int64_t>;

std::string CountsJson(const Counts& counts) {
  std::string out = "{";
  for (const auto& [name, count] : counts)
    out += fmt::format("{}{}:{}", out.size() > 1 ? "," : "", json::Quote(name), count);
  return out + '}';
}

template <class Name>
Counts CountBy(const std::vector<Hit>& hits, const Name& name) {
  Counts counts;
  for (const Hit& hit : hits) ++counts[std::string(name(*hit.pattern))];
  return counts;
}

Counts Categories(const std::vector<Hit>& hits) {
  return CountBy(hits, [](const Pattern& pattern) { return NameOf(pattern.category); });
}
Counts Difficulties(const std::vector<Hit>& hits) {
  return CountBy(hits, [](const Pattern& pattern) { return NameOf(pattern.difficulty); });
}

std::vector<std::string> NamesOf(const Counts& counts) {
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(name);
  return names;
}

std::string Joined(const std::vector<std::string>& items, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < items.size() && i < most; ++i) out += (i == 0 ? "" : ", ") + items[i];
  return out;
}

std::string Card(const Pattern& pattern) {
  std::string out = fmt::format("\n# {}\n\n{}\n\n`{}` | {} | {}\n\n{}\n", pattern.title,
                                kCardMarker, pattern.id, NameOf(pattern.category),
                                NameOf(pattern.difficulty), Abridged(pattern.summary, kCardMax));
  out += ListMarkdown("Use when", pattern.use_when);
  out += ListMarkdown("Avoid when", pattern.avoid_when);
  out += SqlMarkdown(patterns::ExampleOf(pattern, pattern.texts.front().sql), kCardLines);
  std::vector<std::string> notes = pattern.pitfalls;
  if (notes.size() > kNotes) notes.resize(kNotes);
  out += ListMarkdown("Notes", notes);
  if (!pattern.related.empty())
    out += fmt::format("\nRelated: {}\n", Joined(pattern.related, kRelated));
  return out;
}

std::string Index(const std::vector<Hit>& hits) {
  std::string out = fmt::format(
      "\n## Index\n\n{}\n\n| Pattern | Category | Difficulty | Tags |\n|---|---|---|---|\n",
      kIndexMarker);
  for (const Hit& hit : hits)
    out += fmt::format("| **{}** `{}` | {} | {} | {} |\n", hit.pattern->title, hit.pattern->id,
                       NameOf(hit.pattern->category), NameOf(hit.pattern->difficulty),
                       Joined(hit.pattern->tags, hit.pattern->tags.size()));
  return out;
}

std::string Markdown(const std::vector<Hit>& hits, const Out& out) {
  const MetadataOut& metadata = *out.metadata;
  std::string text = fmt::format("{} of {} matching patterns.\n", hits.size(), metadata.total);
  if (out.discovery) {
    text = fmt::format("No pattern matches.\n\n**Categories**: {}\n\n**Some patterns**: {}\n",
                       out.discovery->categories.text, Joined(out.discovery->ids, kDiscoveryIds));
    text += ListMarkdown("Try", out.discovery->suggestions);
  } else {
    text += Index(hits);
    text += fmt::format("\n## Top {}\n", metadata.card_ids.size());
    for (std::size_t i = 0; i < metadata.card_ids.size(); ++i)
      text += (i == 0 ? "" : "\n---\n") + Card(*hits[i].pattern);
  }
  if (out.provenance)
    text += fmt::format("\n---\n\nSource: {}, version {}, {}\n", out.provenance->source,
                        out.provenance->version, out.provenance->timestamp);
  return text;
}

Out AskForWords() {
  Out out;
  Ask(out, "Say in a few words what the query must do.", "the words of the need are absent", {"q"},
      {{"q", SamplePhrases()}}, {});
  return out;
}

Out AskForFilter(const std::vector<Hit>& hits) {
  Out out;
  Ask(out,
      fmt::format("{} patterns match. Choose a category or a difficulty, or say more.",
                  hits.size()),
      fmt::format("more than {} patterns match", kBroad), {"category", "difficulty"},
      {{"category", NamesOf(Categories(hits))}, {"difficulty", NamesOf(Difficulties(hits))}},
      {"category", "difficulty"});
  return out;
}

Result<DiscoveryOut> Discover(const Services& s) {
  WARD_TRY(const std::vector<Hit> all, s.patterns.Search({"*", std::nullopt, std::nullopt}));
  DiscoveryOut discovery;
  discovery.categories.text = CountsJson(Categories(all));
  for (std::size_t i = 0; i < all.size() && i < kDiscoveryIds; ++i)
    discovery.ids.push_back(all[i].pattern->id);
  discovery.suggestions = SamplePhrases();
  return discovery;
}

MetadataOut MetadataOf(const std::vector<Hit>& hits, const In& in) {
  MetadataOut metadata;
  metadata.total = static_cast<std::int64_t>(hits.size());
  metadata.categories.text = CountsJson(Categories(hits));
  metadata.difficulties.text = CountsJson(Difficulties(hits));
  if (in.format == tool::Format::Json) return metadata;
  const std::int64_t most = std::min(in.cards, in.limit.value_or(kLimitMax));
  for (const Hit& hit : hits)
    if (static_cast<std::int64_t>(metadata.card_ids.size()) < most)
      metadata.card_ids.push_back(hit.pattern->id);
  metadata.cards = static_cast<std::int64_t>(metadata.card_ids.size());
  metadata.markers.cards = metadata.cards;
  metadata.markers.index = metadata.cards > 0 ? 1 : 0;
  return metadata;
}

std::vector<SummaryOut> SummariesOf(const std::vector<Hit>& hits) {
  std::vector<SummaryOut> summaries;
  for (const Hit& hit : hits) {
    const Pattern& pattern = *hit.pattern;
    summaries.push_back({pattern.id, pattern.title, pattern.category, pattern.difficulty,
                         Abridged(pattern.summary, kShortMax), pattern.tags});
  }
  return summaries;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  const std::string words = in.q.value_or("");
  const auto ask = [](Out out) {
    std::string markdown = QuestionMarkdown(out);
    tool::Outcome<Out> outcome(std::move(out));
    outcome.markdown = std::move(markdown);
    return outcome;
  };
  if (words.find_first_not_of(" \t\r\n") == std::string::npos) return ask(AskForWords());
  WARD_TRY(std::vector<Hit> hits, s.patterns.Search({words, in.category, in.difficulty}));
  if (hits.size() > kBroad && !in.category && !in.difficulty) return ask(AskForFilter(hits));

  Out out;
  out.kind = "patternSearchResults:v1";
  out.query = QueryOut{words, in.category, in.difficulty, in.limit, in.format};
  out.metadata = MetadataOf(hits, in);
  if (hits.empty()) {
    WARD_TRY(out.discovery, Discover(s));
  }
  if (in.limit && hits.size() > static_cast<std::size_t>(*in.limit))
    hits.resize(static_cast<std::size_t>(*in.limit));
  if (in.structured.value_or(true)) out.found = SummariesOf(hits);
  if (in.provenance) {
    SourceOut& source = out.provenance.emplace();
    source.timestamp = ToIsoUtc(ctx.clock.UnixMicros());
    WARD_TRY(source.version, s.patterns.Version());
  }
  std::string markdown = Markdown(hits, out);
  tool::Outcome<Out> outcome(std::move(out));
  outcome.markdown = std::move(markdown);
  return outcome;
}

}  // namespace

tool::ToolPtr search_patterns(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "search_patterns",
       .title = "Search SQL patterns",
       .description =
           "Use this when you look for SQL patterns by what a query must do. Returns patterns that "
           "were run on four engines, best first, in the pattern family's shape. Use get_pattern "
           "instead when you know the id. Common compositions: search_patterns then get_pattern.",
       .family = tool::Family::Pattern,
       .effect = tool::Effect::Pure,
       .tokens_estimate = 2'500,
       .set = "patterns",
       .example_json = R"({"q":"latest row per customer"})",
       .has_format = true},
      services, Run);
}

}  // namespace schemaward::tools
