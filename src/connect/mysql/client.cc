#include "connect/mysql/client.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <mariadb/errmsg.h>
#include <mariadb/mysql.h>
#include <poll.h>
#include <sys/socket.h>

#include "connect/mysql/quiet_pipe.h"

namespace schemaward::connect::mysql {
namespace {

constexpr unsigned kBinaryCharset = 63;
// The longest packet that is taken: one row, whose values are taken whole.
constexpr unsigned long kPacketMax = 64ul << 20;
constexpr std::size_t kBufferLeast = 512;
// What is read on after enough rows have come, before the statement is stopped by a second
// connection.
constexpr std::int64_t kDrainRowsMax = 1000, kDrainBytesMax = 1 << 20;
// Steps in which a call of the library ends once its socket is shut.
constexpr int kEndStepsMax = 1000;
// Over a connection that is not verified nobody gets the password itself, or could ask for it.
constexpr const char* kSafeLogins =
    "mysql_native_password,caching_sha2_password,sha256_password,client_ed25519";

const char* OrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

// A parameter as the library takes it; it refers to the literal.
MYSQL_BIND BindOf(const sql::Literal& literal) {
  MYSQL_BIND bind{};
  const auto refer = [&bind](enum_field_types type, const void* value, std::size_t size) {
    bind.buffer_type = type;
    bind.buffer = const_cast<void*>(value);  // NOLINT(cppcoreguidelines-pro-type-const-cast): read
    bind.buffer_length = size;
  };
  bind.buffer_type = MYSQL_TYPE_NULL;
  if (const auto* flag = std::get_if<bool>(&literal.value)) refer(MYSQL_TYPE_TINY, flag, 1);
  if (const auto* number = std::get_if<std::int64_t>(&literal.value))
    refer(MYSQL_TYPE_LONGLONG, number, sizeof *number);
  if (const auto* number = std::get_if<double>(&literal.value))
    refer(MYSQL_TYPE_DOUBLE, number, sizeof *number);
  if (const auto* text = std::get_if<std::string>(&literal.value))
    refer(MYSQL_TYPE_STRING, text->data(), text->size());
  return bind;
}

Field FieldOf(const MYSQL_FIELD& from) {
  Field field;
  field.name.assign(from.name, from.name_length);
  field.type = static_cast<FieldType>(from.type);
  field.is_unsigned = (from.flags & UNSIGNED_FLAG) != 0;
  field.is_binary = from.charsetnr == kBinaryCharset;
  field.is_enum = (from.flags & ENUM_FLAG) != 0;
  field.is_set = (from.flags & SET_FLAG) != 0;
  field.length_max = from.length;
  field.decimals = from.decimals;
  return field;
}

// Where one column of a row lands. Floats are taken as such: as texts they would lose digits.
struct Column {
  std::vector<char> buffer = std::vector<char>(kBufferLeast);
  union {
    float single;
    double twice;
  } number{};
  unsigned long length = 0;
  my_bool is_null = 0;

  void Fill(MYSQL_BIND& bind, const Field& field) {
    bind.buffer_type = field.type == FieldType::Float    ? MYSQL_TYPE_FLOAT
                       : field.type == FieldType::Double ? MYSQL_TYPE_DOUBLE
                                                         : MYSQL_TYPE_STRING;
    const bool is_text = bind.buffer_type == MYSQL_TYPE_STRING;
    bind.buffer = is_text ? static_cast<void*>(buffer.data()) : &number;
    bind.buffer_length = is_text ? buffer.size() : sizeof number;
    bind.length = &length;
    bind.is_null = &is_null;
  }
};

// The last error's words as the server's own client prints them: (42S02) Table ...
std::string WithState(MYSQL* connection) {
  return '(' + std::string(mysql_sqlstate(connection)) + ") " + mysql_error(connection);
}

}  // namespace

void StartLibrary() { (void)mysql_server_init(0, nullptr, nullptr); }

void Client::Close::operator()(st_mysql* connection) const {
  const QuietPipe quiet;
  mysql_close(connection);
}

Client::Client() : connection_(mysql_init(nullptr)) {}
Client::~Client() = default;

std::uint64_t Client::id() const { return mysql_thread_id(connection_.get()); }

void Client::GiveUp() {
  is_broken_ = true;
  const auto socket = mysql_get_socket(connection_.get());
  if (socket >= 0) shutdown(socket, SHUT_RDWR);
}

template <class Start, class Continue>
void Client::Drive(Start start, Continue proceed, Wait& wait) {
  const QuietPipe quiet;
  int waits_for = start();
  while (waits_for != 0 && !is_broken_) {
    const int events = waits_for & (MYSQL_WAIT_READ | MYSQL_WAIT_WRITE | MYSQL_WAIT_EXCEPT);
    const Wake wake =
        wait.For(mysql_get_socket(connection_.get()), (waits_for & MYSQL_WAIT_WRITE) != 0);
    if (wake == Wake::Ready)
      waits_for = proceed(events);
    else if (!wait.Stop(CauseOf(wake)))
      GiveUp();
  }
  // The library must leave its call before the connection can be closed.
  for (int steps = 0; waits_for != 0 && steps < kEndStepsMax; ++steps)
    waits_for = proceed(MYSQL_WAIT_TIMEOUT | (waits_for & ~MYSQL_WAIT_TIMEOUT));
  assert(waits_for == 0 && "a call of the library does not end");
}

Error Client::FailureOf(unsigned code, std::string_view text, Wait& wait) {
  is_broken_ = is_broken_ || EndsTheSession(code);
  return ErrorOfCode(code, text, wait.cause());
}

Error Client::Failure(Wait& wait) {
  MYSQL* const connection = connection_.get();
  return FailureOf(mysql_errno(connection), WithState(connection), wait);
}

Status Client::Configure(const Location& location) {
  MYSQL* const connection = connection_.get();
  if (connection == nullptr) return Error(ErrorKind::Internal, "no memory for a connection");
  const unsigned off = 0;
  const my_bool no = 0, yes = 1;
  const unsigned protocol = location.host.empty() ? MYSQL_PROTOCOL_SOCKET : MYSQL_PROTOCOL_TCP;
  const bool verifies = location.tls >= TlsMode::VerifyCa;
  const bool uses_tls = location.tls > TlsMode::Preferred ||
                        (location.tls == TlsMode::Preferred && !location.host.empty());
  mysql_optionsv(connection, MYSQL_OPT_NONBLOCK, nullptr);
  mysql_optionsv(connection, MYSQL_OPT_PROTOCOL, &protocol);
  mysql_optionsv(connection, MYSQL_OPT_LOCAL_INFILE, &off);
  mysql_optionsv(connection, MYSQL_OPT_RECONNECT, &no);
  mysql_optionsv(connection, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  mysql_optionsv(connection, MYSQL_OPT_MAX_ALLOWED_PACKET, &kPacketMax);
  mysql_optionsv(connection, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "schemaward");
  mysql_optionsv(connection, MYSQL_OPT_SSL_ENFORCE, uses_tls ? &yes : &no);
  mysql_optionsv(connection, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, verifies ? &yes : &no);
  if (!location.authority.empty())
    mysql_optionsv(connection, MYSQL_OPT_SSL_CA, location.authority.c_str());
  if (!location.certificate.empty())
    mysql_optionsv(connection, MYSQL_OPT_SSL_CERT, location.certificate.c_str());
  if (!location.key.empty()) mysql_optionsv(connection, MYSQL_OPT_SSL_KEY, location.key.c_str());
  if (!verifies) mysql_optionsv(connection, MARIADB_OPT_RESTRICTED_AUTH, kSafeLogins);
  return Ok();
}

// Thread: host names are resolved in the system's resolver, which cannot be interrupted.
Result<std::unique_ptr<Client>> Client::Connect(const Location& location, const std::string& secret,
                                                Wait& wait) {
  std::unique_ptr<Client> client(new Client());  // the constructor is private
  WARD_CHECK(client->Configure(location));
  MYSQL* const connection = client->connection_.get();
  MYSQL* connected = nullptr;
  client->Drive(
      [&] {
        return mysql_real_connect_start(
            &connected, connection, OrNull(location.host), OrNull(location.user), secret.c_str(),
            OrNull(location.database), location.port, OrNull(location.socket), 0);
      },
      [&](int events) { return mysql_real_connect_cont(&connected, connection, events); }, wait);
  if (wait.cause() == StopCause::TimeLimit)
    return ErrorOfConnect(CR_CONN_HOST_ERROR, "no answer in time", true);
  if (wait.is_stopped()) return ErrorOfCode(0, "stopped by us", wait.cause());
  if (connected == nullptr)
    return ErrorOfConnect(mysql_errno(connection), WithState(connection), !secret.empty());
  // The library falls back to plain text where the server offers no TLS.
  if (location.tls >= TlsMode::Required && mysql_get_ssl_cipher(connection) == nullptr)
    return ErrorOfConnect(CR_SSL_CONNECTION_ERROR, "the server offers no TLS", true);
  // Under TLS the library itself leaves the socket blocking.
  const auto socket = mysql_get_socket(connection);
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  return client;
}

Status Client::Command(std::string_view sql, Wait& wait) {
  MYSQL* const connection = connection_.get();
  int failed = 0;
  ++commands_sent_;
  Drive([&] { return mysql_real_query_start(&failed, connection, sql.data(), sql.size()); },
        [&](int events) { return mysql_real_query_cont(&failed, connection, events); }, wait);
  if (is_broken_ || failed != 0) return Failure(wait);
  assert(mysql_field_count(connection) == 0 && "a command gives no rows");
  return Ok();
}

Status Client::Reset(Wait& wait) {
  MYSQL* const connection = connection_.get();
  int failed = 0;
  ++commands_sent_;
  Drive([&] { return mysql_reset_connection_start(&failed, connection); },
        [&](int events) { return mysql_reset_connection_cont(&failed, connection, events); }, wait);
  if (is_broken_ || failed != 0) return Failure(wait);
  return Ok();
}

Status Client::Ping(Wait& wait) {
  MYSQL* const connection = connection_.get();
  int failed = 0;
  ++commands_sent_;
  Drive([&] { return mysql_ping_start(&failed, connection); },
        [&](int events) { return mysql_ping_cont(&failed, connection, events); }, wait);
  if (is_broken_ || failed != 0) return Failure(wait);
  return Ok();
}

bool Client::HasHungUp() const {
  pollfd socket{mysql_get_socket(connection_.get()), POLLIN, 0};
  return socket.fd < 0 || poll(&socket, 1, 0) != 0;
}

/// A statement of the connection, from its preparation to its last row.
class Client::Prepared {
 public:
  Prepared(Client& client, Wait& wait)
      : client_(client),
        wait_(wait),
        statement_(mysql_stmt_init(client.connection_.get()), mysql_stmt_close) {}

  Status Prepare(const std::string& sql) {
    if (statement_ == nullptr) return Error(ErrorKind::Internal, "no memory for a statement");
    int failed = 0;
    ++client_.commands_sent_;
    client_.Drive(
        [&] { return mysql_stmt_prepare_start(&failed, handle(), sql.data(), sql.size()); },
        [&](int events) { return mysql_stmt_prepare_cont(&failed, handle(), events); }, wait_);
    if (client_.is_broken_ || failed != 0) return Failure();
    // Whatever writes, sets, calls or puts rows into a file or a variable gives no columns.
    if (mysql_stmt_field_count(handle()) == 0)
      return Error(ErrorKind::NotARead, "the statement gives no rows: it is not a read");
    return Ok();
  }

  Status Execute(const std::vector<sql::Literal>& parameters) {
    if (mysql_stmt_param_count(handle()) != parameters.size())
      return Error(ErrorKind::Internal, "a statement has another number of parameters");
    std::vector<MYSQL_BIND> binds;
    binds.reserve(parameters.size());
    for (const sql::Literal& literal : parameters) binds.push_back(BindOf(literal));
    if (!binds.empty() && mysql_stmt_bind_param(handle(), binds.data()) != 0) return Failure();
    int failed = 0;
    ++client_.commands_sent_;
    client_.Drive([&] { return mysql_stmt_execute_start(&failed, handle()); },
                  [&](int events) { return mysql_stmt_execute_cont(&failed, handle(), events); },
                  wait_);
    if (client_.is_broken_ || failed != 0) return Failure();
    return Describe();
  }

  /// Hands rows to the sink to the last one, or until the sink has enough.
  Status Fetch(const RowSink& sink) {
    bool has_enough = false;
    std::int64_t drained_rows = 0, drained_bytes = 0;
    while (true) {
      WARD_TRY(const bool has_row, Next());
      if (!has_row) return Ok();
      if (!has_enough) {
        WARD_TRY(Row row, Take());
        has_enough = !sink(fields_, std::move(row));
        continue;
      }
      for (const Column& column : columns_)
        drained_bytes += static_cast<std::int64_t>(column.length);
      const bool drains = ++drained_rows <= kDrainRowsMax && drained_bytes <= kDrainBytesMax;
      if (!drains && !wait_.is_stopped() && !wait_.Stop(StopCause::Enough)) {
        client_.GiveUp();
        return Ok();
      }
    }
  }

  std::vector<Field> TakeFields() { return std::move(fields_); }

 private:
  MYSQL_STMT* handle() const { return statement_.get(); }

  Error Failure() {
    // What fails between two rows is told to the connection only.
    if (mysql_stmt_errno(handle()) == 0) return client_.Failure(wait_);
    return client_.FailureOf(mysql_stmt_errno(handle()), mysql_stmt_error(handle()), wait_);
  }

  Status Describe() {
    const std::unique_ptr<MYSQL_RES, decltype(&mysql_free_result)> described(
        mysql_stmt_result_metadata(handle()), mysql_free_result);
    if (described == nullptr) return Failure();
    const unsigned count = mysql_num_fields(described.get());
    const MYSQL_FIELD* const fields = mysql_fetch_fields(described.get());
    columns_.resize(count);
    binds_.assign(count, MYSQL_BIND{});
    for (unsigned i = 0; i < count; ++i) {
      fields_.push_back(FieldOf(fields[i]));
      columns_[i].Fill(binds_[i], fields_[i]);
    }
    if (mysql_stmt_bind_result(handle(), binds_.data()) != 0) return Failure();
    return Ok();
  }

  /// False after the last row.
  Result<bool> Next() {
    int outcome = 0;
    client_.Drive([&] { return mysql_stmt_fetch_start(&outcome, handle()); },
                  [&](int events) { return mysql_stmt_fetch_cont(&outcome, handle(), events); },
                  wait_);
    if (!client_.is_broken_ && outcome == MYSQL_NO_DATA) return false;
    if (!client_.is_broken_ && (outcome == 0 || outcome == MYSQL_DATA_TRUNCATED)) return true;
    if (!client_.is_broken_ && wait_.cause() == StopCause::Enough) return false;
    return Failure();
  }

  Result<Row> Take() {
    Row row;
    row.reserve(columns_.size());
    for (unsigned i = 0; i < columns_.size(); ++i) {
      WARD_TRY(std::optional<std::string> value, ValueOf(i));
      row.push_back(std::move(value));
    }
    return row;
  }

  Result<std::optional<std::string>> ValueOf(unsigned at) {
    Column& column = columns_[at];
    if (column.is_null != 0) return std::optional<std::string>();
    if (fields_[at].type == FieldType::Float)
      return std::optional(fmt::format("{}", column.number.single));
    if (fields_[at].type == FieldType::Double)
      return std::optional(fmt::format("{}", column.number.twice));
    if (column.length <= column.buffer.size())
      return std::optional(std::string(column.buffer.data(), column.length));
    std::string value(column.length, '\0');
    MYSQL_BIND whole{};
    unsigned long length = 0;
    my_bool is_null = 0;
    whole.buffer_type = MYSQL_TYPE_STRING;
    whole.buffer = value.data();
    whole.buffer_length = value.size();
    whole.length = &length;
    whole.is_null = &is_null;
    if (mysql_stmt_fetch_column(handle(), &whole, at, 0) != 0) return Failure();
    return std::optional(std::move(value));
  }

  Client& client_;
  Wait& wait_;
  std::unique_ptr<MYSQL_STMT, decltype(&mysql_stmt_close)> statement_;
  std::vector<Field> fields_;
  std::vector<Column> columns_;
  std::vector<MYSQL_BIND> binds_;
};

Result<std::vector<Field>> Client::Run(const Statement& statement, const RowSink& sink,
                                       Wait& wait) {
  const QuietPipe quiet;  // outlives the statement, which tells the server of its end
  Prepared prepared(*this, wait);
  WARD_CHECK(prepared.Prepare(statement.sql));
  WARD_CHECK(prepared.Execute(statement.parameters));
  WARD_CHECK(prepared.Fetch(sink));
  // A stop that came after the last row is a stop all the same.
  if (wait.is_stopped() && wait.cause() != StopCause::Enough)
    return ErrorOfCode(0, "stopped by us", wait.cause());
  return prepared.TakeFields();
}

}  // namespace schemaward::connect::mysql
