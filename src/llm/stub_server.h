#pragma once

// A server on loopback for tests of those that speak HTTP: it answers as it is told, byte by byte.

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace schemaward::llm {

/// What is done with one connection after its request was read whole.
struct StubAnswer {
  std::vector<std::string> pieces;  ///< raw bytes, the status line included, written in turn
  bool holds = false;               ///< then says nothing more and keeps the connection open until
                                    ///< the other side or the server ends it
};

/// Returns a whole HTTP/1.1 answer that closes its connection.
StubAnswer Answer(int status, const std::string& body, const std::string& headers = "");

/// Answers one connection after another, the n-th as the n-th answer says; the last one again where
/// there are no more. Thread: any.
class StubServer {
 public:
  explicit StubServer(std::vector<StubAnswer> answers);
  ~StubServer();
  StubServer(const StubServer&) = delete;
  StubServer& operator=(const StubServer&) = delete;

  /// http://127.0.0.1:PORT
  std::string url() const;
  /// The requests so far as they came, head and body.
  std::vector<std::string> Requests() EXCLUDES(mutex_);

 private:
  void Serve();
  void AnswerOne(int connection, const StubAnswer& answer);
  std::string ReadRequest(int connection) const;
  bool WaitReadable(int socket) const;

  const std::vector<StubAnswer> answers_;
  int listener_ = -1;
  int end_ = -1;  ///< an eventfd, written at the end
  int port_ = 0;
  Mutex mutex_;
  std::vector<std::string> requests_ GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses the others
};

}  // namespace schemaward::llm
