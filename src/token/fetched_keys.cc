// FetchedKeys.
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "token/key_source.h"

namespace schemaward::token {

FetchedKeys::FetchedKeys(FetchKeys fetch, const Clock& clock)
    : fetch_(std::move(fetch)), clock_(clock) {
  {
    const MutexLock lock(mutex_);
    Ask(clock_.Now());
  }
  thread_ = std::thread([this] { Work(); });
}

FetchedKeys::~FetchedKeys() {
  {
    const MutexLock lock(mutex_);
    is_ending_ = true;
    wake_.notify_all();
  }
  stop_.request_stop();
  thread_.join();
}

KeysPtr FetchedKeys::Now() {
  const auto now = clock_.Now();
  const MutexLock lock(mutex_);
  if (keys_ == nullptr) return nullptr;
  if (now >= had_ + kKeysGoodFor && MayAsk(now)) Ask(now);
  return now < had_ + kKeysKeptMax ? keys_ : nullptr;
}

void FetchedKeys::Renew(std::function<void()> then) {
  {
    const auto now = clock_.Now();
    const MutexLock lock(mutex_);
    if (MayAsk(now)) Ask(now);
    if (is_asking_ && waiting_.size() < kKeysWaitingMax) {
      waiting_.push_back(std::move(then));
      return;
    }
  }
  then();
}

bool FetchedKeys::MayAsk(Time now) const {
  if (is_asking_ || is_ending_) return false;
  return !asked_ || now >= *asked_ + (has_failed_ ? kKeysRetryEvery : kKeysAskEvery);
}

// The time is that of whoever asks: the thread looks at no clock.
void FetchedKeys::Ask(Time now) {
  asked_ = now;
  is_asking_ = true;
  wake_.notify_all();
}

// Returns false where there is none any more.
bool FetchedKeys::AwaitWork() {
  const MutexLock lock(mutex_);
  while (!is_asking_ && !is_ending_) wake_.wait(mutex_);
  return !is_ending_;
}

void FetchedKeys::Take(Result<Keys> answer) {
  std::vector<std::function<void()>> waiting;
  std::string why;
  {
    const MutexLock lock(mutex_);
    is_asking_ = false;
    has_failed_ = !answer.has_value();
    if (answer) {
      keys_ = std::make_shared<const Keys>(*std::move(answer));
      had_ = *asked_;
    } else {
      why = answer.error().ToLogText();
    }
    waiting.swap(waiting_);
  }
  if (!why.empty()) log::Write(log::Level::Warn, "http", "keys_not_fetched", why);
  for (const auto& then : waiting) then();
}

void FetchedKeys::Work() {
  while (AwaitWork()) {
    const auto text = fetch_(stop_.get_token());
    Take(text ? ReadKeySet(*text) : Result<Keys>(text.error()));
  }
}

}  // namespace schemaward::token
