#include "llm/transport.h"

#include <utility>

namespace schemaward::llm {
namespace {

constexpr std::size_t kAnswerBytesMax = 64U << 20U;

}  // namespace

// Shared: the function is copied, and the last copy ends the client.
HttpPost PostBy(std::shared_ptr<net::HttpClient> client, std::string authority) {
  return [client = std::move(client), authority = std::move(authority)](
             const HttpAsk& ask, const OnPiece& on_piece, CallContext& ctx) -> Result<HttpSaid> {
    const net::HttpRequest request{.method = "POST",
                                   .url = ask.url,
                                   .headers = ask.headers,
                                   .body = ask.body,
                                   .authority = authority,
                                   .time_max = ask.time_max,
                                   .bytes_max = kAnswerBytesMax,
                                   .on_piece = on_piece};
    auto answer = client->Send(request, ctx);
    if (!answer) return std::move(answer).error();
    return HttpSaid{answer->status, std::move(answer->body), answer->retry_after_ms};
  };
}

}  // namespace schemaward::llm
