#include "audit/merkle.h"

#include <gtest/gtest.h>

#include "base/hex.h"

namespace schemaward::audit {
namespace {

std::string Hex(const Digest& digest) { return ToHex(BytesOf(digest)); }

std::vector<Digest> Leaves(std::size_t count) {
  TreeHasher hasher;
  std::vector<Digest> leaves;
  for (std::size_t i = 0; i < count; ++i)
    leaves.push_back(hasher.Leaf("leaf " + std::to_string(i)));
  return leaves;
}

// Leaves and roots that implementations of RFC 6962 share as test vectors.
TEST(AuditMerkle, MakesTheRootsOfRfc6962) {
  const char* const leaves[] = {"",
                                "00",
                                "10",
                                "2021",
                                "3031",
                                "40414243",
                                "5051525354555657",
                                "606162636465666768696a6b6c6d6e6f"};
  const char* const roots[] = {"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                               "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                               "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                               "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                               "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                               "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                               "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                               "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
  Frontier tree;
  EXPECT_EQ(Hex(tree.Root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (std::size_t i = 0; i < std::size(leaves); ++i) {
    tree.Add(*FromHex(leaves[i]));
    EXPECT_EQ(Hex(tree.Root()), roots[i]) << i + 1;
  }
}

TEST(AuditMerkle, EveryPathOfEveryTreeLeadsToItsRootAndToNoOther) {
  for (std::size_t size = 1; size <= 33; ++size) {
    const std::vector<Digest> leaves = Leaves(size);
    Frontier tree;
    for (std::size_t i = 0; i < size; ++i) tree.Add("leaf " + std::to_string(i));
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<Digest> path = InclusionPath(leaves, i);
      EXPECT_EQ(RootOf(leaves[i], i, size, path), tree.Root()) << size << " " << i;
      EXPECT_EQ(RootOf(leaves[i], size, size, path), std::nullopt);
      EXPECT_NE(RootOf(TreeHasher().Leaf("other"), i, size, path), tree.Root());
      path.push_back(leaves[i]);
      EXPECT_EQ(RootOf(leaves[i], i, size, path), std::nullopt);
      path.resize(path.size() - 1);
      if (path.empty()) continue;
      path.pop_back();
      EXPECT_EQ(RootOf(leaves[i], i, size, path), std::nullopt);
    }
  }
}

TEST(AuditMerkle, IsReadBackFromItsBytesAndFromNoOthers) {
  Frontier tree;
  for (int i = 0; i < 21; ++i) {
    std::optional<Frontier> again = Frontier::Parse(tree.ToBytes());
    ASSERT_TRUE(again);
    tree.Add("x");
    again->Add("x");
    EXPECT_EQ(again->Root(), tree.Root());
    EXPECT_EQ(again->size(), i + 1);
  }
  EXPECT_FALSE(Frontier::Parse(""));
  EXPECT_FALSE(Frontier::Parse(tree.ToBytes() + "x"));
  EXPECT_FALSE(Frontier::Parse(std::string(8, '\xFF')));
}

}  // namespace
}  // namespace schemaward::audit
