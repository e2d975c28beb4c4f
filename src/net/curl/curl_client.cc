#include "net/curl/curl_client.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <curl/curl.h>
#include <fmt/format.h>

#include "net/url.h"

namespace schemaward::net {
namespace {

constexpr int kPollMs = 200;             // how late a deadline is noticed; a stop wakes at once
constexpr long kConnectMs = 10'000;      // longest wait for a connection
constexpr std::int64_t kRetryMax = 600;  // seconds of Retry-After that are believed

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiDeleter {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;
using Multi = std::unique_ptr<CURLM, MultiDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

/// Where libcurl puts the body.
struct Sink {
  CURL* easy = nullptr;
  const OnPiece* on_piece = nullptr;  // null: everything goes into the body
  std::size_t bytes_max = 0;
  std::string body{};
  std::size_t bytes = 0;  // that arrived, wherever they went
  bool is_full = false;
  std::optional<Error> refusal{};  // of on_piece
};

bool IsSuccess(CURL* easy) {
  constexpr long kFirst = 200;
  constexpr long kLast = 299;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status >= kFirst && status <= kLast;
}

std::size_t TakeBytes(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& sink = *static_cast<Sink*>(user);
  const std::size_t length = size * count;
  sink.bytes += length;
  if (sink.bytes > sink.bytes_max) {
    sink.is_full = true;
    return 0;
  }
  if (sink.on_piece == nullptr || !IsSuccess(sink.easy)) {
    sink.body.append(bytes, length);
    return length;
  }
  Status taken = (*sink.on_piece)(std::string_view(bytes, length));
  if (taken) return length;
  sink.refusal = std::move(taken).error();
  return 0;
}

List HeadersOf(const HttpRequest& request) {
  List list;
  const auto add = [&](const std::string& line) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer != nullptr) {
      list.release();  // NOLINT(bugprone-unused-return-value): the longer list owns it
      list.reset(longer);
    }
  };
  for (const auto& [name, value] : request.headers) add(name + ": " + value);
  add("Expect:");  // no wait for 100-continue
  return list;
}

void Configure(CURL* easy, const HttpRequest& request, curl_slist* headers, Sink& sink) {
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.time_max.count()));
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "schemaward/" WARD_VERSION);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, TakeBytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &sink);
  if (IsLoopback(HostOf(request.url))) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  if (!request.authority.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, request.authority.c_str());
  if (!request.body.empty() || request.method == "POST") {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

Error Unreachable(std::string_view message, std::string_view why) {
  return std::move(
      Error(ErrorKind::SourceUnreachable, message)
          .Hint("Check that it runs, its address in the configuration, and the network between.")
          .Private(why));
}

HttpResponse ResponseOf(CURL* easy, Sink sink) {
  HttpResponse response;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  char* type = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type != nullptr) {
    const std::string_view text = type;
    response.content_type = std::string(text.substr(0, text.find_first_of("; ")));
  }
  curl_off_t wait = 0;
  if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK && wait > 0) {
    constexpr std::int64_t kMillis = 1'000;
    response.retry_after_ms = std::min<std::int64_t>(wait, kRetryMax) * kMillis;
  }
  response.body = std::move(sink.body);
  return response;
}

class CurlClient final : public HttpClient {
 public:
  Result<HttpResponse> Send(const HttpRequest& request, CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    if (!IsSafeUrl(request.url))
      return Error(ErrorKind::InvalidArgument,
                   "a service must be asked by https, or by http on this machine");
    const List headers = HeadersOf(request);
    const Multi multi(curl_multi_init());
    const Easy easy(curl_easy_init());
    if (easy == nullptr || multi == nullptr)
      return Error(ErrorKind::Internal, "no memory for an HTTP request");
    Sink sink{easy.get(), request.on_piece ? &request.on_piece : nullptr, request.bytes_max};
    Configure(easy.get(), request, headers.get(), sink);
    curl_multi_add_handle(multi.get(), easy.get());
    auto result = Drive(multi.get(), ctx);
    curl_multi_remove_handle(multi.get(), easy.get());
    if (!result) return std::move(result).error();
    if (sink.refusal) return *std::move(sink.refusal);
    if (sink.is_full)
      return Error(ErrorKind::ByteCap,
                   fmt::format("the answer of a service has more than {} bytes", sink.bytes_max));
    if (*result == CURLE_OPERATION_TIMEDOUT)
      return Unreachable("a service did not answer in time", curl_easy_strerror(*result));
    if (*result != CURLE_OK)
      return Unreachable("a service does not answer",
                         HostOf(request.url) + ": " + curl_easy_strerror(*result));
    return ResponseOf(easy.get(), std::move(sink));
  }

 private:
  // Runs the one transfer of `multi` to its end. Errors: Cancelled, DeadlineExceeded.
  static Result<CURLcode> Drive(CURLM* multi, CallContext& ctx) {
    const std::stop_callback wake(ctx.stop, [multi] { curl_multi_wakeup(multi); });
    int running = 1;
    while (running > 0) {
      WARD_CHECK(ctx.Check());
      if (curl_multi_perform(multi, &running) != CURLM_OK) return CURLE_FAILED_INIT;
      if (running > 0) curl_multi_poll(multi, nullptr, 0, kPollMs, nullptr);
    }
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(multi, &left);
    return message == nullptr ? CURLE_FAILED_INIT : message->data.result;
  }
};

}  // namespace

std::unique_ptr<HttpClient> MakeCurlClient() {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  return std::make_unique<CurlClient>();
}

}  // namespace schemaward::net
