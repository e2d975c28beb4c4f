#include "text/stemmer.h"

// libstemmer's one entry, sb_stemmer_new, refers to the tables of every language: 330 KiB of
// pointers that each start of the program would relocate and keep. What is declared here is what
// Snowball's compiler makes for one language. Source: Snowball 2, runtime/api.h and
// stem_UTF_8_english.h; the tests of this module fail where they differ.
// NOLINTBEGIN(readability-identifier-naming): the library's own names
extern "C" {
struct SN_env {
  unsigned char* p;  // the word; its stem after a call
  int c;             // cursor
  int l;             // length of the word in bytes
  // More follows; the library makes and ends the whole.
};
SN_env* english_UTF_8_create_env();
void english_UTF_8_close_env(SN_env* env);
int english_UTF_8_stem(SN_env* env);
int SN_set_current(SN_env* env, int size, const unsigned char* characters);
}
// NOLINTEND(readability-identifier-naming)

namespace schemaward::text {

void Stemmer::Delete::operator()(SN_env* stemmer) const { english_UTF_8_close_env(stemmer); }

Stemmer::Stemmer() : stemmer_(english_UTF_8_create_env()) {}
Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string Stemmer::Stem(std::string_view word) const {
  SN_env* env = stemmer_.get();
  const bool is_out_of_memory =
      env == nullptr || SN_set_current(env, static_cast<int>(word.size()),
                                       reinterpret_cast<const unsigned char*>(word.data())) != 0;
  if (is_out_of_memory) return std::string(word);
  env->c = 0;
  if (english_UTF_8_stem(env) < 0) return std::string(word);
  return {reinterpret_cast<const char*>(env->p), static_cast<std::size_t>(env->l)};
}

}  // namespace schemaward::text
