#include "mcp/tasks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "base/cut.h"
#include "base/sha256.h"
#include "mcp/client_wait.h"
#include "mcp/method.h"

namespace schemaward::mcp {
namespace {

constexpr std::size_t kIdBytes = 16;  // random
constexpr std::string_view kWasCancelled = "the task was cancelled";

std::string NewId() {
  std::string bytes(kIdBytes, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return ToHex(bytes);
}

bool MaySpeak(const Call& call) {
  return call.reply.peer().CanSend() && call.session->MaySpeak(call.request.id);
}

}  // namespace

Task::Task(std::string id, const Clock& clock, std::chrono::milliseconds life)
    : id_(std::move(id)),
      clock_(clock),
      life_(life),
      created_us_(clock.UnixMicros()),
      expires_(clock.Now() + life),
      updated_us_(created_us_) {}

TaskView Task::view() const {
  const MutexLock lock(mutex_);
  TaskView view{status_, words_, updated_us_, {}, end_};
  if (status_ != TaskStatus::Working) return view;
  for (const auto& [key, asked] : asked_)
    if (!asked.answer) view.questions.emplace(key, asked.question);
  if (wants_input_ || !view.questions.empty()) view.status = TaskStatus::InputRequired;
  return view;
}

void Task::Say(std::string_view words) {
  const MutexLock lock(mutex_);
  if (status_ != TaskStatus::Working) return;
  words_ = CutText(words, kTaskWordsMax);
  Touch();
}

void Task::Settle(TaskStatus status, std::string_view words, TaskEnd end) {
  status_ = status;
  words_ = CutText(words, kTaskWordsMax);
  end_ = std::make_shared<const TaskEnd>(std::move(end));
  asked_.clear();
  Touch();
}

void Task::End(TaskEnd end) {
  {
    const MutexLock lock(mutex_);
    ended_ = clock_.Now();
    const auto* answer = std::get_if<TaskAnswer>(&end);
    if (status_ != TaskStatus::Working) {
      // Cancelled before: it stays so.
    } else if (answer == nullptr) {
      const std::string words = std::get<rpc::Failure>(end).message;
      Settle(TaskStatus::Failed, words, std::move(end));
    } else if (answer->members.size() > kTaskBytesMax) {
      const std::string words =
          fmt::format("the answer is longer than the {} bytes that a task keeps", kTaskBytesMax);
      Settle(TaskStatus::Failed, words, rpc::Failure(rpc::Code::InternalError, words));
    } else {
      const std::string words = answer->message;
      Settle(TaskStatus::Completed, words, std::move(end));
    }
  }
  Tell();
}

bool Task::Cancel() {
  {
    const MutexLock lock(mutex_);
    if (status_ != TaskStatus::Working) return false;
    Settle(TaskStatus::Cancelled, kWasCancelled,
           rpc::Failure(rpc::Code::InvalidRequest, std::string(kWasCancelled)));
  }
  stop_.request_stop();  // outside the lock: stop callbacks run here
  Tell();
  return true;
}

void Task::Tell() {
  std::vector<Reader> readers;
  {
    const MutexLock lock(mutex_);
    if (status_ != TaskStatus::Working) readers = std::move(readers_);
    readers_.clear();
  }
  changed_.notify_all();
  for (const Reader& reader : readers) reader.tell();
}

Result<std::vector<std::string>> Task::Ask(const std::vector<TaskQuestion>& questions,
                                           CallContext& ctx) {
  ClientWait wait(mutex_, changed_, ctx);
  const MutexLock lock(mutex_);
  std::vector<std::string> keys;
  for (const TaskQuestion& question : questions) {
    keys.push_back(fmt::format("ask-{}", ++last_key_));
    asked_.insert_or_assign(keys.back(), Asked{question});
  }
  Touch();
  const auto is_answered = [](const auto& asked) { return asked.second.answer.has_value(); };
  while (!std::all_of(asked_.begin(), asked_.end(), is_answered)) {
    if (const Status alive = wait.Next(mutex_); !alive) {
      asked_.clear();
      return alive.error();
    }
  }
  if (status_ != TaskStatus::Working)  // and so has no questions left
    return Error(ErrorKind::Cancelled, std::string(kWasCancelled));
  std::vector<std::string> answers;
  for (const std::string& key : keys) answers.push_back(*std::move(asked_[key].answer));
  asked_.clear();
  return answers;
}

void Task::Give(const std::string& key, std::string answer_json) {
  {
    const MutexLock lock(mutex_);
    const auto found = asked_.find(key);
    if (found == asked_.end() || found->second.answer) return;
    found->second.answer = std::move(answer_json);
    Touch();
  }
  changed_.notify_all();
}

void Task::WantInput(bool wants) {
  const MutexLock lock(mutex_);
  wants_input_ = wants;
  if (status_ == TaskStatus::Working) Touch();
}

void Task::AddReader(std::shared_ptr<const Call> reader, std::function<void()> tell) {
  {
    const MutexLock lock(mutex_);
    if (status_ == TaskStatus::Working) {
      // Those that were cancelled will never speak again.
      std::erase_if(readers_, [](const Reader& one) {
        return !one.call->session->MaySpeak(one.call->request.id);
      });
      readers_.push_back({std::move(reader), std::move(tell)});
      changed_.notify_all();
      return;
    }
  }
  tell();
}

Result<std::shared_ptr<const Call>> Task::AwaitReader(CallContext& ctx) {
  ClientWait wait(mutex_, changed_, ctx);
  const MutexLock lock(mutex_);
  while (true) {
    for (auto reader = readers_.rbegin(); reader != readers_.rend(); ++reader)
      if (MaySpeak(*reader->call)) return reader->call;
    WARD_CHECK(wait.Next(mutex_));
  }
}

std::optional<std::chrono::steady_clock::time_point> Task::ended() const {
  const MutexLock lock(mutex_);
  return ended_;
}

bool Task::AwaitEnd(std::chrono::steady_clock::time_point until) const {
  const MutexLock lock(mutex_);
  while (!ended_)
    if (changed_.wait_until(mutex_, until) == std::cv_status::timeout) return ended_.has_value();
  return true;
}

Result<TaskPtr> Tasks::Begin(const std::string& owner, std::chrono::milliseconds life) {
  Tidy();
  const MutexLock lock(mutex_);
  if (is_closed_) return Error(ErrorKind::SourceUnreachable, "the server is about to end");
  const auto own = std::count_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.owner == owner; });
  if (static_cast<std::size_t>(own) >= kTasksOfOwnerMax && !MakePlace(&owner))
    return Error(ErrorKind::RateLimited, "this caller has as many tasks under way as it may")
        .Hint("Make the call without a task, or again when a task has ended.");
  if (entries_.size() >= kTasksMax && !MakePlace(&owner) && !MakePlace(nullptr))
    return Error(ErrorKind::RateLimited, "there are as many tasks under way as there may be")
        .Hint("Make the call without a task, or again later.");
  auto task = std::make_shared<Task>(NewId(), clock_,
                                     std::clamp(life, std::chrono::milliseconds(1), kTaskLifeMax));
  entries_.push_back({owner, task});
  return task;
}

TaskPtr Tasks::Find(const std::string& owner, const std::string& id) {
  for (const TaskPtr& task : Of(owner))
    if (task->id() == id) return task;
  return nullptr;
}

std::vector<TaskPtr> Tasks::Of(const std::string& owner) {
  Tidy();
  std::vector<TaskPtr> own;
  const MutexLock lock(mutex_);
  for (const Entry& entry : entries_)
    if (entry.owner == owner && !entry.task->HasExpired()) own.push_back(entry.task);
  return own;
}

bool Tasks::MakePlace(const std::string* owner) {
  auto first = entries_.end();
  std::optional<std::chrono::steady_clock::time_point> first_ended;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (owner != nullptr && entry->owner != *owner) continue;
    const auto ended = entry->task->ended();
    if (!ended || (first_ended && *ended >= *first_ended)) continue;
    first = entry;
    first_ended = ended;
  }
  if (first == entries_.end()) return false;
  entries_.erase(first);
  return true;
}

void Tasks::Tidy() {
  std::vector<TaskPtr> overdue;
  {
    const MutexLock lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) {
      return entry.task->HasExpired() && entry.task->ended();
    });
    for (const Entry& entry : entries_)
      if (entry.task->HasExpired()) overdue.push_back(entry.task);
  }
  for (const TaskPtr& task : overdue) task->Cancel();
}

std::vector<TaskPtr> Tasks::All() {
  std::vector<TaskPtr> all;
  const MutexLock lock(mutex_);
  is_closed_ = true;
  for (const Entry& entry : entries_) all.push_back(entry.task);
  return all;
}

bool Tasks::Close(std::chrono::milliseconds drain_max, std::chrono::milliseconds stop_max) {
  const std::vector<TaskPtr> all = All();
  const auto end_by = [&](std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    return std::all_of(all.begin(), all.end(),
                       [&](const TaskPtr& task) { return task->AwaitEnd(until); });
  };
  for (const TaskPtr& task : all)  // no client can answer any more
    if (task->view().status == TaskStatus::InputRequired) task->Cancel();
  if (end_by(drain_max)) return true;
  for (const TaskPtr& task : all) task->Cancel();
  return end_by(stop_max);
}

}  // namespace schemaward::mcp
