#pragma once

// Inside tools/: the words that untrusted_text looks for.

#include <cstdint>
#include <span>
#include <string_view>

namespace schemaward::tools {

/// What a word can be part of. Any: a word that begins one of the lists' entries, or looks so.
enum class WordKind : std::uint8_t { Ignore, Earlier, Instruction, Send, Sent, Web, Tool, Any };

constexpr unsigned BitOf(WordKind kind) { return 1U << static_cast<unsigned>(kind); }

/// Returns the bits of what a folded word is; 0 for most words, at little cost. Thread: any.
unsigned KindsOf(std::string_view word);

/// Phrases to a reader, of folded words with one blank between.  Lifetime: static.
std::span<const std::string_view> Phrases();

/// Marks of speakers in prompts, in lower case.  Lifetime: static.
std::span<const std::string_view> SpeakerTags();

}  // namespace schemaward::tools
