#pragma once

// Connection texts (URIs and libpq keyword strings) taken apart just far enough to take the secret
// out. What is left goes to the engine's own client, which has the last word on what it means.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::connect {

/// A part of a text: [begin, end).
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct ConnectionText {
  std::string location;  ///< the text without its secret
  std::string secret;    ///< decoded; empty where the text holds none
  std::string database;  ///< decoded; empty where the text does not say
  std::string user;
  std::string service;
  std::string passfile;
  std::vector<TextSpan> secret_spans;  ///< where secrets stand in the text as given, undecoded
};

/// True for scheme://....
bool LooksLikeUri(std::string_view text);

/// True when `text` starts with a keyword of libpq and '='.
bool LooksLikeKeywords(std::string_view text);

/// Takes the secret out of a URI. The authority ends at the first '/' or '?', the user part at its
/// last '@', so that a password may hold '@' and ':' as they are; %xx is decoded, '+' is a plus,
/// and a '%' before anything else stands for itself. Errors: InputUnreadable where the text cannot
/// be split without doubt, or holds a second kind of secret.
Result<ConnectionText> TakeApartUri(std::string_view text);

/// The same for key=value pairs, quoted as libpq quotes them.
Result<ConnectionText> TakeApartKeywords(std::string_view text);

}  // namespace schemaward::connect
