#include "rpc/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rpc/duplicates.h"

namespace schemaward::rpc {
namespace {

using testing::HasSubstr;

// Returns the one message of `text`.
Message One(std::string_view text) {
  Decoded decoded = Decode(text);
  EXPECT_EQ(decoded.messages.size(), 1u);
  return std::move(decoded.messages.front());
}

TEST(RpcDecode, ReadsARequest) {
  const Message message =
      One(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}})");
  const auto& request = std::get<Request>(message);
  EXPECT_EQ(request.id, "7");
  EXPECT_EQ(request.method, "tools/call");
  EXPECT_EQ(request.params.value()["name"], "x");
}

TEST(RpcDecode, ReadsANotificationAndAnAnswer) {
  EXPECT_EQ(std::get<Notification>(One(R"({"jsonrpc":"2.0","method":"n"})")).method, "n");
  EXPECT_EQ(std::get<Response>(One(R"({"jsonrpc":"2.0","id":1,"result":{}})")).id, "1");
}

TEST(RpcDecode, ANotificationIsNeverAnswered) {
  const Message message = One(R"({"jsonrpc":"2.0","method":"n","params":[1]})");
  EXPECT_TRUE(std::get<Notification>(message).params.value().is_null());
}

TEST(RpcDecode, ParamsMayBeAbsent) {
  EXPECT_TRUE(
      std::get<Request>(One(R"({"jsonrpc":"2.0","id":1,"method":"m"})")).params.value().is_null());
}

struct IdRow {
  std::string_view name, json, expected;
};

class RpcIds : public testing::TestWithParam<IdRow> {};

TEST_P(RpcIds, AreEchoedAsGiven) {
  const Message message =
      One(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(GetParam().json) + "}");
  EXPECT_EQ(std::get<Request>(message).id, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Rows, RpcIds,
                         testing::Values(IdRow{"zero", "0", "0"}, IdRow{"negative", "-5", "-5"},
                                         IdRow{"large", "18446744073709551615",
                                               "18446744073709551615"},
                                         IdRow{"string", R"("a\"b")", R"("a\"b")"},
                                         IdRow{"empty_string", R"("")", R"("")"},
                                         IdRow{"digits_as_string", R"("7")", R"("7")"},
                                         IdRow{"integral_fraction", "3.0", "3"}),
                         [](const auto& row) { return std::string(row.param.name); });

struct RejectRow {
  std::string_view name, text;
  int code;
  std::string_view id, part;
};

class RpcRejects : public testing::TestWithParam<RejectRow> {};

TEST_P(RpcRejects, WithCodeAndId) {
  const Message message = One(GetParam().text);
  const auto& rejected = std::get<Rejected>(message);
  EXPECT_EQ(rejected.failure.code, GetParam().code);
  EXPECT_EQ(rejected.id, GetParam().id);
  EXPECT_THAT(rejected.failure.message, HasSubstr(std::string(GetParam().part)));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RpcRejects,
    testing::Values(
        RejectRow{"not_json", "{oops", -32700, "null", "not JSON"},
        RejectRow{"empty", "", -32700, "null", "not JSON"},
        RejectRow{"number_overflow",
                  R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":1e999}})", -32700, "null",
                  "not JSON"},
        RejectRow{"not_utf8", "{\"jsonrpc\":\"\xff\"}", -32700, "null", "not JSON"},
        RejectRow{"scalar", "3", -32600, "null", "object"},
        RejectRow{"no_version", R"({"id":4,"method":"m"})", -32600, "4", "jsonrpc"},
        RejectRow{"old_version", R"({"jsonrpc":"1.0","id":4,"method":"m"})", -32600, "4",
                  "jsonrpc"},
        RejectRow{"no_method", R"({"jsonrpc":"2.0","id":4})", -32600, "4", "method"},
        RejectRow{"method_number", R"({"jsonrpc":"2.0","id":4,"method":1})", -32600, "4", "method"},
        RejectRow{"method_empty", R"({"jsonrpc":"2.0","id":4,"method":""})", -32600, "4", "method"},
        RejectRow{"id_null", R"({"jsonrpc":"2.0","id":null,"method":"m"})", -32600, "null", "id"},
        RejectRow{"id_fraction", R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", -32600, "null",
                  "id"},
        RejectRow{"id_object", R"({"jsonrpc":"2.0","id":{},"method":"m"})", -32600, "null", "id"},
        RejectRow{"id_twice", R"({"jsonrpc":"2.0","id":1,"id":2,"method":"m"})", -32600, "null",
                  "\"id\" occurs twice"},
        RejectRow{"call_and_answer", R"({"jsonrpc":"2.0","id":1,"method":"m","result":1})", -32600,
                  "1", "either"},
        RejectRow{"params_list", R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})", -32602,
                  "1", "object"},
        RejectRow{"params_text", R"({"jsonrpc":"2.0","id":1,"method":"m","params":"x"})", -32600,
                  "1", "object"},
        RejectRow{"empty_batch", "[]", -32600, "null", "at least one"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(RpcDecode, RefusesALongId) {
  const std::string head = R"({"jsonrpc":"2.0","method":"m","id":")";
  const std::string fits(kIdBytesMax - 2, 'i');
  EXPECT_TRUE(std::holds_alternative<Request>(One(head + fits + "\"}")));
  EXPECT_TRUE(std::holds_alternative<Rejected>(One(head + fits + "i\"}")));
}

TEST(RpcDecode, RefusesDeepNestingAndLongText) {
  const std::string head = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":)";
  const std::string open(kDepthMax - 2, '['), close(kDepthMax - 2, ']');
  EXPECT_TRUE(std::holds_alternative<Request>(One(head + open + close + "}}")));
  EXPECT_EQ(std::get<Rejected>(One(head + "[" + open + close + "]}}")).failure.code, -32700);
  const std::string pad(kMessageBytesMax, ' ');
  EXPECT_EQ(std::get<Rejected>(One(pad + "{}")).failure.code, -32600);
}

TEST(RpcDecode, ABatchKeepsItsOrderAndItsBound) {
  const Decoded decoded = Decode(R"([{"jsonrpc":"2.0","id":1,"method":"a"},3,)"
                                 R"({"jsonrpc":"2.0","method":"b"}])");
  ASSERT_TRUE(decoded.is_batch);
  ASSERT_EQ(decoded.messages.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Request>(decoded.messages[0]));
  EXPECT_TRUE(std::holds_alternative<Rejected>(decoded.messages[1]));
  EXPECT_TRUE(std::holds_alternative<Notification>(decoded.messages[2]));

  std::string full = "[1";
  for (std::size_t i = 1; i < kBatchMax; ++i) full += ",1";
  EXPECT_EQ(Decode(full + "]").messages.size(), kBatchMax);
  EXPECT_EQ(Decode(full + ",1]").messages.size(), 1u);
}

TEST(RpcDuplicates, LooksAtTheMessageOnly) {
  EXPECT_EQ(DuplicateMember(R"({"a":1,"b":{"a":1,"a":2}})"), "");
  EXPECT_EQ(DuplicateMember(R"({"a":"b","b":"a"})"), "");
  EXPECT_EQ(DuplicateMember(R"( {"a\"":1 , "a\"" :2})"), R"("a\"")");
  EXPECT_EQ(DuplicateMember(R"([{"a":1},{"a":2}])"), "");
  EXPECT_EQ(DuplicateMember(R"([{"a":1},{"b":[],"b":2}])"), R"("b")");
}

TEST(RpcEncode, WritesTheThreeShapes) {
  EXPECT_EQ(EncodeResult("1", "{}"), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(EncodeFailure("null", Failure(Code::ParseError, "no \"x\"")),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no \"x\""}})");
  EXPECT_EQ(EncodeFailure("\"a\"", Failure(Code::InvalidParams, "m", "[1]")),
            R"({"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"m","data":[1]}})");
  EXPECT_EQ(EncodeNotification("n", "{}"), R"({"jsonrpc":"2.0","method":"n","params":{}})");
}

// COVERS: R-FAM-3
TEST(RpcEncode, AnErrorHasTheCodeOfItsRow) {
  for (const ErrorRow& row : AllErrorRows())
    EXPECT_EQ(FailureOf(Error(row.id, "what")).code, row.rpc_code) << row.reason;
}

TEST(RpcEncode, AnErrorKeepsItsPrivateDetail) {
  const Failure failure =
      FailureOf(Error(ErrorKind::Internal, "it broke").Private("host db7.example"));
  EXPECT_EQ(failure.code, -32603);
  EXPECT_THAT(EncodeFailure("1", failure), testing::Not(HasSubstr("db7")));
}

}  // namespace
}  // namespace schemaward::rpc
