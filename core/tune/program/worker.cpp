// JSON lines over a Unix socket.
#include "core/tune/program/worker.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/graph/json_document.h"

namespace tl::tune {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using json::Json;

constexpr std::size_t most_bytes = std::size_t{1} << 20;  // of a message
constexpr Seconds patience_to_connect{.5}, patience_to_greet{5};
constexpr int look_ms = 20;  // between two looks at the clock and the cancel token
constexpr int protocol_version = 1;

constexpr const char* start_it =
    "Start it again (python3 tomoloom_worker.py SOCKET FILE.py); the same command then goes on";

Json value_for(const SearchAxis& axis, double coordinate) {
  if (axis.kind == SearchAxis::Kind::real) return coordinate;
  if (axis.kind == SearchAxis::Kind::integer) return static_cast<int64_t>(coordinate);
  const std::string& item = axis.items[static_cast<std::size_t>(coordinate)];
  int64_t integer = 0;
  const char* const end = item.data() + item.size();
  if (const auto read = std::from_chars(item.data(), end, integer); read.ec == std::errc{} && read.ptr == end)
    return integer;
  double number = 0;
  if (const auto read = std::from_chars(item.data(), end, number);
      read.ec == std::errc{} && read.ptr == end && std::isfinite(number))
    return number;
  return item;
}

std::string shown(const std::string& text) { return printable(text.substr(0, 100)); }

}  // namespace

Error WorkerSource::broken(std::string what) const { return io_error(std::move(what), socket_.string(), start_it); }

Result<std::unique_ptr<WorkerSource>> WorkerSource::connect(const std::filesystem::path& socket,
                                                            const std::vector<SearchAxis>& axes,
                                                            std::optional<Seconds> timeout, CancelToken cancel) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string name = socket.string();
  if (name.empty() || name.size() >= sizeof address.sun_path)
    return invalid("the path is too long for a socket", name,
                   "Give one of at most " + std::to_string(sizeof address.sun_path - 1) + " bytes");
  std::copy(name.begin(), name.end(), address.sun_path);
  const auto start = Clock::now();
  for (;;) {
    io::FileDescriptor handle(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!handle.is_open()) return io_error(std::string("no socket can be made: ") + std::strerror(errno), name);
    if (::connect(handle.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      std::unique_ptr<WorkerSource> source(new WorkerSource(socket, std::move(handle), timeout, std::move(cancel)));
      TL_TRY(source->greet(axes));
      return source;
    }
    const int failed = errno;
    if (cancel.cancelled()) return cancelled();
    const bool may_come = failed == ENOENT || failed == ECONNREFUSED || failed == EAGAIN;
    if (!may_come || Clock::now() - start > patience_to_connect)
      return io_error(std::string("no worker listens there: ") + std::strerror(failed), name, start_it);
    std::this_thread::sleep_for(std::chrono::milliseconds(look_ms));
  }
}

Result<void> WorkerSource::greet(const std::vector<SearchAxis>& axes) {
  TL_TRY(const std::string line, receive(patience_to_greet));
  const auto document = json::read_document(line, socket_.string());
  if (!document.ok() || !document.value().root.is_object() ||
      document.value().root.value("protocol", Json()) != "tomoloom-worker")
    return unavailable("what listens there is not a worker: " + shown(line), socket_.string(),
                       "Start resources/python/tomoloom_worker.py, or speak its protocol");
  const Json& root = document.value().root;
  if (root.value("version", Json()) != protocol_version)
    return unavailable("the worker speaks another version of the protocol: " + shown(line), socket_.string(),
                       "Use the tomoloom_worker.py of this version");
  const Json parameters = root.value("parameters", Json());
  if (parameters.is_null()) return ok();
  std::set<std::string> theirs, ours;
  for (const Json& name : parameters)
    if (name.is_string()) theirs.insert(name.get<std::string>());
  for (const SearchAxis& axis : axes) ours.insert(axis.name);
  if (theirs == ours) return ok();
  std::string names;
  for (const std::string& name : theirs) names += (names.empty() ? "" : ", ") + printable(name);
  return invalid("the worker's function has other parameters: " + names, socket_.string(),
                 "Vary just these, or give the others a default value");
}

Result<void> WorkerSource::send(const std::string& line) {
  if (line.size() > most_bytes) return broken("the message is longer than " + std::to_string(most_bytes) + " bytes");
  for (std::size_t done = 0; done < line.size();) {
    if (cancel_.cancelled()) return cancelled();
    const ssize_t sent = ::send(handle_.get(), line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
      continue;
    }
    if (errno == EAGAIN) {
      pollfd waiting = {handle_.get(), POLLOUT, 0};
      poll(&waiting, 1, look_ms);
    } else if (errno != EINTR) {
      return broken("the worker is dead");
    }
  }
  return ok();
}

Result<std::string> WorkerSource::receive(const std::optional<Seconds>& limit) {
  const auto start = Clock::now();
  std::array<char, 1 << 14> buffer;  // NOLINT(*-member-init): filled by recv()
  for (;;) {
    if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (received_.size() > most_bytes)
      return broken("the worker's message is longer than " + std::to_string(most_bytes) + " bytes");
    if (cancel_.cancelled()) return cancelled();
    if (limit && Clock::now() - start > *limit)
      return broken("the worker did not answer within " + formatted("%.4g s", limit->count()));
    pollfd waiting = {handle_.get(), POLLIN, 0};
    poll(&waiting, 1, look_ms);
    const ssize_t got = recv(handle_.get(), buffer.data(), buffer.size(), 0);
    if (got > 0) {
      received_.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      return broken("the worker is dead: it closed the connection");
    }
  }
}

Result<CallOutcome> WorkerSource::call(const std::vector<SearchAxis>& axes, const AxisPoint& point) {
  const auto start = Clock::now();
  Json values = Json::object();
  for (std::size_t i = 0; i < axes.size(); ++i) values[axes[i].name] = value_for(axes[i], point[i]);
  TL_TRY(send(Json({{"id", ++id_}, {"evaluate", values}}).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"));
  TL_TRY(const std::string line, receive(timeout_));
  const auto document = json::read_document(line, socket_.string());
  if (!document.ok() || !document.value().root.is_object() || document.value().root.value("id", Json()) != id_)
    return broken("the worker answered another question: " + shown(line));
  const Json& root = document.value().root;
  CallOutcome outcome;
  outcome.seconds = Seconds(Clock::now() - start).count();
  if (const auto error = root.find("error"); error != root.end()) {
    outcome.failure = printable(error->is_string() ? error->get<std::string>().substr(0, 300) : "the worker failed");
    return outcome;
  }
  const auto score = root.find("score");
  if (score == root.end() || !score->is_number() || !std::isfinite(score->get<double>()))
    return broken("the worker's answer has neither a score nor an error: " + shown(line));
  outcome.score = score->get<double>();
  return outcome;
}

}  // namespace tl::tune
