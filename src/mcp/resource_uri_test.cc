#include "mcp/resource_uri.h"

#include <set>

#include <gtest/gtest.h>

namespace schemaward::mcp {
namespace {

std::vector<std::string> NamesOf(const ResourceKind& kind) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kind.parts.size(); ++i)
    names.push_back("a/b %{}?#\"" + std::to_string(i) + "\xC3\xA5");
  return names;
}

TEST(ResourceUri, WhatIsWrittenIsReadAgain) {
  std::set<std::string> uris;
  for (const ResourceKind& kind : ResourceKinds()) {
    const std::string uri = UriOf(kind, NamesOf(kind));
    EXPECT_TRUE(uris.insert(uri).second) << uri;
    const auto read = ReadUri(uri);
    ASSERT_TRUE(read) << uri;
    EXPECT_EQ(read->kind, &kind) << uri;
    EXPECT_EQ(read->names, NamesOf(kind)) << uri;
  }
}

TEST(ResourceUri, TemplatesNameTheirParts) {
  std::set<std::string> templates;
  for (const ResourceKind& kind : ResourceKinds()) templates.insert(TemplateOf(kind));
  EXPECT_TRUE(templates.contains("schemaward://schemas"));
  EXPECT_TRUE(templates.contains("schemaward://tables/{source}/{table}"));
  EXPECT_EQ(templates.size(), ResourceKinds().size());
}

TEST(ResourceUri, WhatIsNoneOfOursNamesNothing) {
  for (const char* uri :
       {"", "schemaward:", "schemaward://", "schemaward://nothing", "schemaward://tables",
        "schemaward://tables/shop", "schemaward://tables/shop/", "schemaward://tables//t",
        "schemaward://tables/shop/t/x", "schemaward://schemas/", "schemaward://tables/shop/a%FFb",
        "SCHEMAWARD://schemas", "https://schemas", "file:///etc/passwd"})
    EXPECT_FALSE(ReadUri(uri)) << uri;
  EXPECT_FALSE(ReadUri("schemaward://schemas/" + std::string(5'000, 'a')));
}

}  // namespace
}  // namespace schemaward::mcp
