#pragma once

// Word stems by Snowball's English rules.

#include <memory>
#include <string>
#include <string_view>

struct SN_env;  // NOLINT(readability-identifier-naming): Snowball's own name

namespace schemaward::text {

/// Returns stems. Costs a few KiB. Thread: owner.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;

  /// Returns the stem of a folded word; words that share it are forms of one another, more or less
  /// ("departs" and "departments" share one too: a stem is weaker evidence than the word).
  std::string Stem(std::string_view word) const;

 private:
  struct Delete {
    void operator()(SN_env* stemmer) const;
  };
  std::unique_ptr<SN_env, Delete> stemmer_;
};

}  // namespace schemaward::text
