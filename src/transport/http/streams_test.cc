#include "transport/http/streams.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::transport::http {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> TextsOf(const std::optional<Streams::Opened>& opened) {
  std::vector<std::string> texts;
  if (opened)
    for (const Streams::Event& event : opened->events) texts.push_back(event.text);
  return texts;
}

TEST(Streams, AnIdIsReadAsItIsWritten) {
  EXPECT_EQ(TextOf({7, 12}), "7-12");
  EXPECT_EQ(ReadEventId("7-12"), (EventId{7, 12}));
  for (const char* text : {"", "7", "-", "7-", "-1", "7-12 ", "+7-1", "7-99999999999999999999"})
    EXPECT_EQ(ReadEventId(text), std::nullopt) << text;
}

TEST(Streams, WhatComesAfterAnEventIsKept) {
  Streams streams({});
  streams.Open("s", kListeningStream, {});
  for (const char* text : {"a", "b", "c"}) streams.Keep("s", kListeningStream, text, false);
  EXPECT_THAT(TextsOf(streams.Resume("s", {0, 1}, {})), ElementsAre("b", "c"));
  EXPECT_THAT(TextsOf(streams.Resume("s", {0, 3}, {})), IsEmpty());
  EXPECT_EQ(streams.Resume("s", {0, 4}, {}), std::nullopt);
  EXPECT_EQ(streams.Resume("other", {0, 1}, {}), std::nullopt);
}

TEST(Streams, TheOldestEventsOfAStreamGiveWayAndAreMissed) {
  Streams streams({.stream_events = 2, .stream_bytes = 4});
  streams.Open("s", 1, {});
  for (const char* text : {"a", "b", "c"}) streams.Keep("s", 1, text, false);
  const auto all = streams.Resume("s", {1, 1}, {});
  EXPECT_THAT(TextsOf(all), ElementsAre("b", "c"));
  EXPECT_FALSE(all->has_missed);
  EXPECT_TRUE(streams.Resume("s", {1, 0}, {})->has_missed);
  streams.Keep("s", 1, "dddd", true);
  EXPECT_THAT(TextsOf(streams.Resume("s", {1, 1}, {})), ElementsAre("dddd"));
  EXPECT_TRUE(streams.Resume("s", {1, 3}, {})->has_ended);
  streams.Keep("s", 1, "eeeee", false);
  EXPECT_THAT(TextsOf(streams.Resume("s", {1, 4}, {})), IsEmpty()) << "more than a stream keeps";
  EXPECT_TRUE(streams.Resume("s", {1, 4}, {})->has_missed);
}

TEST(Streams, TheOldestAnswersOfASessionGiveWay) {
  Streams streams({.session_streams = 2});
  streams.Open("s", kListeningStream, {});
  for (std::uint64_t number = 1; number <= 3; ++number) streams.Open("s", number, {});
  EXPECT_FALSE(streams.Has("s", 1));
  EXPECT_TRUE(streams.Has("s", 2));
  EXPECT_TRUE(streams.Has("s", kListeningStream));
}

TEST(Streams, TheOldestEventsOfAllGiveWay) {
  Streams streams({.all_bytes = 3});
  for (const char* session : {"s", "t"}) streams.Open(session, 1, {});
  for (const char* text : {"a", "b"}) streams.Keep("s", 1, text, false);
  for (const char* text : {"c", "d"}) streams.Keep("t", 1, text, false);
  EXPECT_THAT(TextsOf(streams.Resume("s", {1, 0}, {})), ElementsAre("b"));
  EXPECT_THAT(TextsOf(streams.Resume("t", {1, 0}, {})), ElementsAre("c", "d"));
  EXPECT_EQ(streams.kept_bytes(), 3u);
  streams.Forget("t");
  EXPECT_EQ(streams.kept_bytes(), 1u);
}

TEST(Streams, OneThatSaysMuchLeavesNoTrace) {
  Streams streams({.stream_events = 2});
  for (const char* session : {"s", "t"}) streams.Open(session, 1, {});
  streams.Keep("s", 1, "stays", false);
  for (int i = 0; i < 10'000; ++i) streams.Keep("t", 1, "x", false);
  EXPECT_LT(streams.place_count(), 2'000u);
  EXPECT_THAT(TextsOf(streams.Resume("s", {1, 0}, {})), ElementsAre("stays"));
}

TEST(Streams, WhatNobodyHasGotIsSaidToTheNextWhoListens) {
  Streams streams({});
  streams.Keep("s", kListeningStream, "to nobody", false);
  EXPECT_EQ(streams.kept_bytes(), 0u);
  EXPECT_TRUE(streams.Open("s", kListeningStream, {}).has_missed);
  EXPECT_FALSE(streams.Open("s", kListeningStream, {}).has_missed);
  streams.NoteUnheard("s", kListeningStream);
  EXPECT_TRUE(streams.Open("s", kListeningStream, {}).has_missed);
}

}  // namespace
}  // namespace schemaward::transport::http
