#pragma once

// Where an issuer's keys come from, and newer ones of them: a file, or its address.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/file_watch.h"
#include "base/mutex.h"
#include "base/result.h"
#include "token/public_key.h"

namespace schemaward::token {

inline constexpr std::chrono::seconds kKeysLookEvery{1};   ///< at a file, where somebody calls
inline constexpr std::chrono::minutes kKeysGoodFor{15};    ///< then an address is asked again
inline constexpr std::chrono::hours kKeysKeptMax{24};      ///< where it does not answer any more
inline constexpr std::chrono::seconds kKeysAskEvery{30};   ///< at most, whatever is asked for
inline constexpr std::chrono::seconds kKeysRetryEvery{5};  ///< after an answer that was none
inline constexpr std::size_t kKeysWaitingMax = 256;        ///< that wait for one answer

/// Thread: any.
class KeySource {
 public:
  virtual ~KeySource() = default;
  /// Returns the keys that are known now, or null where there are none yet.
  virtual KeysPtr Now() = 0;
  /// Looks for newer keys and calls `then` when that is done, on any thread; at once where it was
  /// done too lately, or too many wait for it. `then` is not called where the source goes before.
  virtual void Renew(std::function<void()> then) = 0;
};

/// Keys of a file, which is read again where it has changed. One that cannot be read then changes
/// nothing, and the log says `keys_kept`. Lifetime: the clock outlives it.
class FileKeys final : public KeySource {
 public:
  /// Errors: InputUnreadable, also where others than the owner may write the file.
  static Result<std::unique_ptr<FileKeys>> Open(std::string path, const Clock& clock);
  KeysPtr Now() override EXCLUDES(mutex_);
  void Renew(std::function<void()> then) override { then(); }  // Now() looks

 private:
  FileKeys(std::string path, FileWatch watch, Keys keys);
  static Result<Keys> Read(const std::string& path);

  const std::string path_;
  Mutex mutex_;
  FileWatch watch_ GUARDED_BY(mutex_);
  KeysPtr keys_ GUARDED_BY(mutex_);
};

/// Returns the text of a key set. May block; obeys the stop token.
using FetchKeys = std::function<Result<std::string>(std::stop_token stop)>;

/// Keys of an address, which a thread of its own asks: at the start, where a key is not known, and
/// where they are no longer good. An answer that is none changes nothing until kKeysKeptMax.
/// Lifetime: the clock outlives it.
class FetchedKeys final : public KeySource {
 public:
  FetchedKeys(FetchKeys fetch, const Clock& clock);
  ~FetchedKeys() override;
  KeysPtr Now() override EXCLUDES(mutex_);
  void Renew(std::function<void()> then) override EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool MayAsk(Time now) const REQUIRES(mutex_);
  void Ask(Time now) REQUIRES(mutex_);
  bool AwaitWork() EXCLUDES(mutex_);
  void Take(Result<Keys> answer) EXCLUDES(mutex_);
  void Work();

  const FetchKeys fetch_;
  const Clock& clock_;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar wake_;
  KeysPtr keys_ GUARDED_BY(mutex_);
  std::optional<Time> asked_ GUARDED_BY(mutex_);  // last
  Time had_ GUARDED_BY(mutex_);                   // when the present keys were asked for
  bool is_asking_ GUARDED_BY(mutex_) = false;
  bool has_failed_ GUARDED_BY(mutex_) = false;  // last
  bool is_ending_ GUARDED_BY(mutex_) = false;
  std::vector<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace schemaward::token
