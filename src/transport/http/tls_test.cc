// TLS: a server on loopback, clients of OpenSSL, pairs that the test makes and changes.
#include "transport/http/tls.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mutex.h"
#include "base/result_matchers.h"
#include "transport/http/server.h"

namespace schemaward::transport::http {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* handle) const {
    Free(handle);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using File = std::unique_ptr<FILE, int (*)(FILE*)>;

constexpr long kYear = 365L * 24 * 3600;

// A certificate that signs itself, for `name`, and its key, as files.
class Pair {
 public:
  explicit Pair(const std::string& name) : folder_(testing::TempDir() + "ward_tls_" + name) {
    fs::create_directories(folder_);
    Write("first.example", kYear);
  }
  ~Pair() { fs::remove_all(folder_); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  TlsFiles files() const {
    return {.certificate = folder_ + "/cert.pem", .key = folder_ + "/key.pem"};
  }
  void Write(const std::string& name, long seconds) const {
    const Key key(EVP_EC_gen("P-256"));
    WriteCertificate(key.get(), name, seconds);
    WriteKey(key.get());
  }
  void WriteKey(EVP_PKEY* key) const {
    {
      const File out(std::fopen((folder_ + "/new").c_str(), "w"), std::fclose);
      PEM_write_PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
    }
    fs::permissions(folder_ + "/new", fs::perms(0600));
    fs::rename(folder_ + "/new", folder_ + "/key.pem");
  }

 private:
  void WriteCertificate(EVP_PKEY* key, const std::string& name, long seconds) const {
    const std::unique_ptr<X509, Freed<X509_free>> made(X509_new());
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -kYear);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), seconds);
    X509_set_pubkey(made.get(), key);
    X509_NAME* subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(made.get(), subject);
    const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + name).c_str()));
    X509_add_ext(made.get(), names.get(), -1);
    X509_sign(made.get(), key, EVP_sha256());
    {
      const File out(std::fopen((folder_ + "/new").c_str(), "w"), std::fclose);
      PEM_write_X509(out.get(), made.get());
    }
    fs::permissions(folder_ + "/new", fs::perms(0644));
    fs::rename(folder_ + "/new", folder_ + "/cert.pem");
  }

  const std::string folder_;
};

// Says who it is spoken to by; "keep" is answered by nobody, and its end is waited for.
class Echo final : public Handler {
 public:
  void OnMessage(std::string_view text, const PeerPtr& peer) override {
    if (text != "keep") return peer->Answer(fmt::format("heard {}", text), kStatusOk);
    peer->WhenGone([this](Gone) {
      const MutexLock lock(mutex_);
      is_gone_ = true;
      changed_.notify_all();
    });
    const MutexLock lock(mutex_);
    kept_ = peer;
    changed_.notify_all();
  }
  void OnOversized(std::size_t, const PeerPtr& peer) override { peer->Answer("long", 413); }
  void OnClose(const std::string&, Ending) override {}
  PeerPtr AwaitKept() {
    const MutexLock lock(mutex_);
    while (kept_ == nullptr) changed_.wait(mutex_);
    return kept_;
  }
  void AwaitGone() {
    const MutexLock lock(mutex_);
    while (!is_gone_) changed_.wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  PeerPtr kept_ GUARDED_BY(mutex_);
  bool is_gone_ GUARDED_BY(mutex_) = false;
};

// A client that trusts anybody. Waits are bounded, so that a fault of the server fails the test.
class Client {
 public:
  explicit Client(std::uint16_t port, int version_max = TLS1_3_VERSION)
      : context_(SSL_CTX_new(TLS_client_method())), fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    SSL_CTX_set_max_proto_version(context_.get(), version_max);
    SSL_CTX_set_security_level(context_.get(), 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    tls_.reset(SSL_new(context_.get()));
    SSL_set_fd(tls_.get(), fd_);
    is_open_ = SSL_connect(tls_.get()) == 1;
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_open() const { return is_open_; }
  std::string version() const { return SSL_get_version(tls_.get()); }
  // The name on the certificate that the server has shown.
  std::string shown() const {
    const std::unique_ptr<X509, Freed<X509_free>> certificate(
        SSL_get1_peer_certificate(tls_.get()));
    char name[64] = {};
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                              sizeof name);
    return name;
  }
  void Say(const std::string& text) {
    EXPECT_GT(SSL_write(tls_.get(), text.data(), static_cast<int>(text.size())), 0);
  }
  std::string HearUntil(std::string_view end) {
    std::string heard;
    char byte = 0;
    while (!heard.ends_with(end) && SSL_read(tls_.get(), &byte, 1) == 1) heard += byte;
    return heard;
  }
  void SayGoodbye() { SSL_shutdown(tls_.get()); }

 private:
  std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context_;
  std::unique_ptr<SSL, Freed<SSL_free>> tls_;
  int fd_;
  bool is_open_ = false;
};

std::string Post(std::string_view body, std::string_view more = {}) {
  return fmt::format(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json\r\nContent-Length: {}\r\n{}\r\n{}",
      body.size(), more, body);
}

class TlsTest : public testing::Test {
 protected:
  void SetUp() override {
    TlsFiles files = pair_.files();
    files.look_every = std::chrono::milliseconds(0);
    files.said = [this](const Status& read) {
      said_.push_back(read ? "" : read.error().message());
    };
    auto made = Listen({.address = {}, .tls = std::move(files)});
    ASSERT_THAT(made, IsOk());
    server_ = *std::move(made);
    thread_ = std::thread([this] { EXPECT_THAT(server_->Run(echo_), IsOk()); });
  }
  void TearDown() override { Stop(); }
  void Stop() {
    if (!thread_.joinable()) return;
    server_->Stop();
    thread_.join();
  }

  Pair pair_{testing::UnitTest::GetInstance()->current_test_info()->name()};
  Echo echo_;
  std::vector<std::string> said_;  // by the server's thread
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

TEST_F(TlsTest, AConnectionServesManyRequests) {
  Client client(server_->port());
  EXPECT_EQ(client.version(), "TLSv1.3");
  for (int i = 0; i < 3; ++i) {
    client.Say(Post("x"));
    EXPECT_THAT(client.HearUntil("heard x"), StartsWith("HTTP/1.1 200 "));
  }
  client.Say(Post("x") + Post("y"));
  EXPECT_THAT(client.HearUntil("heard x"), HasSubstr("heard x"));
  EXPECT_THAT(client.HearUntil("heard y"), HasSubstr("heard y"));
}

TEST_F(TlsTest, LongBodiesArriveWhole) {
  Client client(server_->port());
  const std::string body(300'000, 'b');
  client.Say(Post(body, "Connection: close\r\n"));
  EXPECT_THAT(client.HearUntil("no such end"), HasSubstr("heard " + body));
}

TEST_F(TlsTest, OldVersionsAreNotSpoken) {
  EXPECT_EQ(Client(server_->port(), TLS1_2_VERSION).version(), "TLSv1.2");
  EXPECT_FALSE(Client(server_->port(), TLS1_1_VERSION).is_open());
}

TEST_F(TlsTest, WhoDoesNotSpeakTlsIsLeft) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server_->port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string words = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  send(fd, words.data(), words.size(), MSG_NOSIGNAL);
  std::string heard(512, '\0');
  const ssize_t size = recv(fd, heard.data(), heard.size(), 0);
  EXPECT_THAT(heard.substr(0, static_cast<std::size_t>(std::max<ssize_t>(size, 0))),
              testing::Not(HasSubstr("HTTP")));
  close(fd);
}

TEST_F(TlsTest, ACallHearsThatItsClientSaysGoodbye) {
  Client client(server_->port());
  client.Say(Post("keep"));
  echo_.AwaitKept();
  client.SayGoodbye();
  echo_.AwaitGone();
}

TEST_F(TlsTest, ARequestThatComesEarlyWaitsForItsTurn) {
  Client client(server_->port());
  client.Say(Post("keep"));
  const PeerPtr kept = echo_.AwaitKept();
  client.Say(Post("y"));
  kept->Answer("late", kStatusOk);
  EXPECT_THAT(client.HearUntil("late"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(client.HearUntil("heard y"), HasSubstr("heard y"));
}

TEST_F(TlsTest, APairThatHasChangedIsShownToThoseWhoComeAfter) {
  Client before(server_->port());
  EXPECT_EQ(before.shown(), "first.example");
  pair_.Write("second.example", kYear);
  EXPECT_EQ(Client(server_->port()).shown(), "second.example");
  before.Say(Post("x"));
  EXPECT_THAT(before.HearUntil("heard x"), StartsWith("HTTP/1.1 200 "));
  Stop();
  EXPECT_THAT(said_, ElementsAre(""));
}

TEST_F(TlsTest, APairThatCannotBeReadLeavesTheOneOfBefore) {
  pair_.WriteKey(Key(EVP_EC_gen("P-256")).get());
  EXPECT_EQ(Client(server_->port()).shown(), "first.example");
  std::ofstream(pair_.files().certificate) << "no certificate";
  EXPECT_EQ(Client(server_->port()).shown(), "first.example");
  pair_.Write("second.example", kYear);
  EXPECT_EQ(Client(server_->port()).shown(), "second.example");
  Stop();
  EXPECT_THAT(said_, ElementsAre(HasSubstr("another certificate's"),
                                 HasSubstr("certificate of TLS cannot be read"), ""));
}

TEST(TlsFiles, WhatIsWrongWithAPairIsSaid) {
  const Pair pair("wrong");
  TlsFiles files = pair.files();
  EXPECT_THAT(FactsOf(files), IsOk());
  EXPECT_THAT(FactsOf(files)->names, ElementsAre("first.example"));
  EXPECT_THAT(ReadTls({.certificate = files.certificate, .key = "/no/such"}),
              IsError(ErrorKind::InputUnreadable));
  fs::permissions(files.key, fs::perms(0644));
  EXPECT_THAT(ReadTls(files).error().message(), HasSubstr("read or written by others"));
  fs::permissions(files.key, fs::perms(0640));
  EXPECT_THAT(ReadTls(files), IsOk());
  fs::permissions(files.certificate, fs::perms(0666));
  EXPECT_THAT(ReadTls(files).error().message(), HasSubstr("read or written by others"));
  pair.Write("old.example", -1);
  EXPECT_THAT(ReadTls(files), IsOk());  // a server goes on: its clients say so
  EXPECT_THAT(FactsOf(files).error().message(), HasSubstr("expired"));
  EXPECT_THAT(Listen({.address = {}, .tls = TlsFiles{.certificate = "/no", .key = "/no"}}),
              IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::transport::http
