#pragma once

// Time as an interface, so that tests decide it.

#include <chrono>
#include <cstdint>
#include <string>

namespace schemaward {

/// Two clocks: one for intervals, one for the calendar. Thread: any.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::steady_clock::time_point Now() const = 0;
  /// Microseconds since 1970-01-01T00:00:00Z.
  virtual std::int64_t UnixMicros() const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point Now() const override;
  std::int64_t UnixMicros() const override;
};

/// A clock that moves only when told. Thread: owner.
class FakeClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point Now() const override { return now_; }
  std::int64_t UnixMicros() const override { return unix_micros_; }
  void Advance(std::chrono::microseconds by) {
    now_ += by;
    unix_micros_ += by.count();
  }
  /// Moves the calendar only, as an operator or NTP would.
  void JumpCalendar(std::chrono::microseconds by) { unix_micros_ += by.count(); }

 private:
  std::chrono::steady_clock::time_point now_{};
  std::int64_t unix_micros_ = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
};

/// Returns `unix_micros` as 2026-01-01T00:00:00.000000Z.
std::string ToIsoUtc(std::int64_t unix_micros);

/// When a call must be over. Copyable; no deadline by default.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(std::chrono::steady_clock::time_point at) : at_(at) {}
  static Deadline After(const Clock& clock, std::chrono::milliseconds span) {
    return Deadline(clock.Now() + span);
  }
  bool IsSet() const { return at_ != std::chrono::steady_clock::time_point::max(); }
  bool HasPassed(const Clock& clock) const { return IsSet() && clock.Now() >= at_; }
  /// Milliseconds left, at least 0; `cap` where there is no deadline or more is left.
  std::chrono::milliseconds Left(const Clock& clock, std::chrono::milliseconds cap) const;
  Deadline Earlier(Deadline other) const { return Deadline(at_ < other.at_ ? at_ : other.at_); }
  std::chrono::steady_clock::time_point at() const { return at_; }

 private:
  std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace schemaward
