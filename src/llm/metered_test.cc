#include "llm/metered.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"

namespace schemaward::llm {
namespace {

const Price test_price{.input = 1, .output = 0, .cache_read = 1, .cache_write = 1};

/// Says how many tokens each request took, or fails.
class CountingEmbedder final : public Embedder {
 public:
  const EmbedderInfo& info() const override { return info_; }
  Result<Embedded> Embed(std::span<const std::string> texts, CallContext&) override {
    ++requests;
    if (requests == failing) return Error(ErrorKind::SourceUnreachable, "no answer");
    Embedded made;
    made.vectors.assign(texts.size(), {1.0F});
    made.usage.input_tokens = tokens;
    return made;
  }
  int requests = 0;
  int failing = 0;  ///< the request that fails; 0: none
  std::int64_t tokens = 10;

 private:
  const EmbedderInfo info_{"scripted", "e"};
};

class Metered : public ::testing::Test {
 protected:
  SystemClock clock_;
  CallContext ctx_{clock_};
  std::shared_ptr<CountingEmbedder> inner_ = std::make_shared<CountingEmbedder>();
  const std::vector<std::string> texts_ = {"orders of customers"};
};

TEST_F(Metered, CountsTokensAndMoneyAndFailuresForNothing) {
  inner_->failing = 2;
  MeteredEmbedder embedder(inner_, {.price = test_price});
  EXPECT_THAT(embedder.Embed(texts_, ctx_), IsOk());
  EXPECT_THAT(embedder.Embed(texts_, ctx_), IsError(ErrorKind::SourceUnreachable));
  const Spent spent = embedder.spent();
  EXPECT_EQ(spent.calls, 2);
  EXPECT_EQ(spent.failed_calls, 1);
  EXPECT_EQ(spent.usage.input_tokens, 10);
  EXPECT_EQ(spent.cost, 10 * kNanoPerUsd / 1'000'000);
}

TEST_F(Metered, AsksNothingThatCouldPassItsLimit) {
  MeteredEmbedder none(inner_, {.price = test_price, .cost_max = 1'000});
  EXPECT_THAT(none.Embed(texts_, ctx_), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(inner_->requests, 0);
  // Room for one request of 10 tokens, and not for another of the estimate.
  MeteredEmbedder one(inner_, {.price = test_price, .cost_max = 11'000});
  EXPECT_THAT(one.Embed(texts_, ctx_), IsOk());
  EXPECT_THAT(one.Embed(texts_, ctx_), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(inner_->requests, 1);
}

TEST_F(Metered, WhatWasSpentBeforeCounts) {
  MeterOptions options{.price = test_price, .cost_max = kNanoPerUsd};
  options.before.cost = kNanoPerUsd;
  EXPECT_THAT(MeteredEmbedder(inner_, options).Embed(texts_, ctx_), IsError(ErrorKind::MoneyCap));
}

TEST_F(Metered, MetersOfOnePurseSpendTogether) {
  const auto purse = std::make_shared<Purse>(21'000);
  MeteredEmbedder first(inner_, {.price = test_price, .purse = purse});
  MeteredEmbedder second(inner_, {.price = test_price, .purse = purse});
  EXPECT_THAT(first.Embed(texts_, ctx_), IsOk());
  EXPECT_THAT(second.Embed(texts_, ctx_), IsOk());
  EXPECT_THAT(first.Embed(texts_, ctx_), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(first.spent().cost, 10'000) << "each counts its own";
  EXPECT_EQ(second.spent().cost, 10'000);
}

}  // namespace
}  // namespace schemaward::llm
