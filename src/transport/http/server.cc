#include "transport/http/server.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "transport/http/connection.h"

namespace schemaward::transport::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptAgain{100};  // after the system had no descriptor left
// Most calls end before it, and to watch a connection costs as much as to write to it.
constexpr std::chrono::milliseconds kWatchAfter{20};

// Asks the system for as many descriptors as the connections need; what it gives must do.
void RaiseDescriptorLimit(std::size_t connections_max) {
  constexpr rlim_t kBesides = 256;  // the store, the sources, the modules
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(connections_max + kBesides, limit.rlim_max);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// One thread, the one of Run, does all that is here; calls run elsewhere and post their answers.
class Server final : public HttpServer {
 public:
  explicit Server(HttpOptions options)
      : options_(std::move(options)),
        acceptor_(*io_),
        signals_(*io_),
        timer_(*io_),
        accept_timer_(*io_),
        watch_timer_(*io_),
        tick_timer_(*io_) {}

  Status Open() {
    if (options_.tls) {
      WARD_TRY(tls_, Tls::Open(*options_.tls));
    }
    error_code failed;
    const auto address = asio::ip::make_address(options_.address.host, failed);
    const tcp::endpoint endpoint(address, options_.address.port);
    if (!failed) acceptor_.open(endpoint.protocol(), failed);
    if (!failed) acceptor_.set_option(tcp::acceptor::reuse_address(true), failed);
    if (!failed) acceptor_.bind(endpoint, failed);
    if (!failed) acceptor_.listen(asio::socket_base::max_listen_connections, failed);
    if (!failed) port_ = acceptor_.local_endpoint(failed).port();
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
      if (!failed) signals_.add(signal, failed);
    if (!failed) RaiseDescriptorLimit(options_.limits.connections_max);
    if (!failed) return Ok();
    return std::move(Error(ErrorKind::InvalidArgument,
                           fmt::format("could not listen on {}:{}: {}", options_.address.host,
                                       options_.address.port, failed.message()))
                         .Hint("Another process may hold the port; choose another, or 0 for one "
                               "that is free."));
  }

  std::uint16_t port() const override { return port_; }

  void Stop() override {
    asio::post(*io_, [this] { BeginEnding(); });
  }

  Result<Ending> Run(Handler& handler) override {
    shared_ = std::make_unique<Shared>(Shared{
        .options = options_,
        .handler = handler,
        .sessions = std::make_shared<Sessions>(Sessions::Bounds{
            .all = options_.limits.sessions_max, .of_one = options_.limits.principal_sessions_max}),
        .say = MakeSay(),
        .on_closed = [this] { OnClosed(); },
        .watch_later = [this](std::weak_ptr<Connection> connection,
                              std::uint64_t number) { WatchLater(std::move(connection), number); },
        .keeps_context = io_,
    });
    AwaitSignal();
    AwaitTick();
    Accept();
    while (!RunGuarded()) {
    }
    for (const std::string& session : shared_->sessions->Names())
      handler.OnClose(session, Ending::Deleted);
    return Ending::Interrupted;
  }

 private:
  // What a library throws ends the handler that it was thrown in and nothing else. Returns false
  // where there is more to do.
  bool RunGuarded() {
    try {
      io_->run();
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  // What is said when the server is no more is never looked at.
  std::shared_ptr<const Say> MakeSay() {
    return std::make_shared<const Say>(
        [context = io_, this](const std::string& session, Outgoing outgoing) {
          asio::dispatch(*context, [this, session, outgoing = std::move(outgoing)] {
            SayInSession(*shared_, session, kListeningStream, outgoing);
          });
        });
  }

  void AwaitTick() {
    tick_timer_.expires_after(options_.limits.keep_alive);
    tick_timer_.async_wait([this](error_code failed) {
      if (failed || shared_->is_draining) return;
      const auto now = std::chrono::steady_clock::now();
      Each([now](Connection& connection) { connection.Tick(now); });
      AwaitTick();
    });
  }

  void AwaitSignal() {
    signals_.async_wait([this](error_code failed, int) {
      if (failed) return;
      if (shared_->is_draining) return CloseAll();
      AwaitSignal();  // first: with nothing left to end, nothing is awaited any more
      BeginEnding();
    });
  }

  // Where there are too many connections, further ones wait in the system's queue.
  void Accept() {
    if (is_accepting_ || shared_->is_draining ||
        shared_->open.size() >= options_.limits.connections_max)
      return;
    is_accepting_ = true;
    acceptor_.async_accept([this](error_code failed, tcp::socket socket) {
      is_accepting_ = false;
      if (shared_->is_draining) return;
      if (failed) return AcceptLater();
      Take(std::move(socket));
      Accept();
    });
  }

  void AcceptLater() {
    accept_timer_.expires_after(kAcceptAgain);
    accept_timer_.async_wait([this](error_code failed) {
      if (!failed) Accept();
    });
  }

  void Take(tcp::socket socket) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    ++shared_->counters.connections;
    const auto connection = std::make_shared<Connection>(
        std::move(socket), tls_ == nullptr ? nullptr : tls_->Now(), *shared_);
    shared_->open.insert(connection);
    connection->Open();
  }

  // One timer for all: those that wait when it is due were handed over at most twice as long ago.
  void WatchLater(std::weak_ptr<Connection> connection, std::uint64_t number) {
    to_watch_.emplace_back(std::move(connection), number);
    if (to_watch_.size() > 1) return;
    watch_timer_.expires_after(kWatchAfter);
    watch_timer_.async_wait([this](error_code) {
      for (const auto& [weak, request] : std::exchange(to_watch_, {}))
        if (const auto open = weak.lock()) open->Watch(request);
    });
  }

  void OnClosed() {
    if (!shared_->is_draining) return Accept();
    if (shared_->open.empty()) Finish();
  }

  void BeginEnding() {
    if (shared_->is_draining) return;
    shared_->is_draining = true;
    error_code ignored;
    acceptor_.close(ignored);
    accept_timer_.cancel();
    tick_timer_.cancel();
    Each([](Connection& connection) { connection.Drain(); });
    if (shared_->open.empty()) return Finish();
    After(options_.limits.drain_max, [this] {
      Each([](Connection& connection) { connection.StopCall(); });
      After(options_.limits.stop_max, [this] { CloseAll(); });
    });
  }

  void CloseAll() {
    Each([](Connection& connection) { connection.Close(); });
    Finish();
  }

  // With nothing left to wait for, Run returns.
  void Finish() {
    timer_.cancel();
    watch_timer_.cancel();
    error_code ignored;
    signals_.cancel(ignored);
  }

  template <class Then>
  void After(std::chrono::milliseconds span, Then then) {
    timer_.expires_after(span);
    timer_.async_wait([then](error_code failed) {
      if (!failed) then();
    });
  }

  // Of a copy: what is done closes connections.
  template <class What>
  void Each(const What& what) {
    const std::vector<std::shared_ptr<Connection>> open(shared_->open.begin(), shared_->open.end());
    for (const auto& connection : open) what(*connection);
  }

  const HttpOptions options_;
  // Shared with calls that end later than the server: what they post is thrown away.
  const std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  std::unique_ptr<Shared> shared_;
  std::unique_ptr<Tls> tls_;
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer timer_, accept_timer_, watch_timer_, tick_timer_;
  std::vector<std::pair<std::weak_ptr<Connection>, std::uint64_t>> to_watch_;
  std::uint16_t port_ = 0;
  bool is_accepting_ = false;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> Listen(HttpOptions options) {
  try {
    auto server = std::make_unique<Server>(std::move(options));
    WARD_CHECK(server->Open());
    return std::unique_ptr<HttpServer>(std::move(server));
  } catch (const std::exception& e) {
    return std::move(
        Error(ErrorKind::Internal, "the HTTP server could not be made").Private(e.what()));
  }
}

}  // namespace schemaward::transport::http
