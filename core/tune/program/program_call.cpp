// Starts a program in a process group of its own, reads both of its outputs, and ends the group.
#include "core/tune/program/program_call.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/bytes/file_descriptor.h"

namespace tl::tune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_bytes = std::size_t{64} << 10;  // of the end of each output: the last line is in it
constexpr int look_ms = 20;                                // between two looks at the clock and the cancel token

struct Pipe {
  io::FileDescriptor read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return io_error(std::string("no pipe can be made: ") + std::strerror(errno));
  return Pipe{io::FileDescriptor(ends[0]), io::FileDescriptor(ends[1])};
}

// The end of what an output has given so far.
class Tail {
 public:
  explicit Tail(io::FileDescriptor handle) : handle_(std::move(handle)) {
    fcntl(handle_.get(), F_SETFL, fcntl(handle_.get(), F_GETFL) | O_NONBLOCK);
  }
  [[nodiscard]] bool is_open() const { return handle_.is_open(); }
  [[nodiscard]] int handle() const { return handle_.get(); }
  // All that can be read without waiting.
  void read() {
    std::array<char, 1 << 14> buffer;  // NOLINT(*-member-init): filled by read()
    while (handle_.is_open()) {
      const ssize_t got = ::read(handle_.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        handle_.reset();
        return;
      }
      text_.append(buffer.data(), static_cast<std::size_t>(got));
      if (text_.size() > 2 * kept_bytes) text_.erase(0, text_.size() - kept_bytes);
    }
  }
  // The last line that is not empty.
  [[nodiscard]] std::string last_line() const {
    const std::string_view text = trimmed(text_);
    const std::size_t begin = text.find_last_of("\r\n");
    return std::string(trimmed(begin == std::string_view::npos ? text : text.substr(begin + 1)));
  }

 private:
  io::FileDescriptor handle_;
  std::string text_;
};

struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings(const Pipe& out, const Pipe& err) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

// Whether the program has ended; it stays to be waited for, so that its group cannot become another one's.
bool has_ended(pid_t child) {
  siginfo_t info = {};
  const int failed = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return failed == 0 ? info.si_pid == child : errno != EINTR;
}

// Ends the group and returns the status of the program.
int end_group(pid_t child) {
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

CallOutcome failed_call(std::string why, const Tail& err) {
  const std::string said = err.last_line();
  if (!said.empty()) why += ": " + printable(said.substr(0, 300));
  return {std::nullopt, std::move(why), 0};
}

std::string seconds_text(double seconds) { return formatted("%.4g s", seconds); }

}  // namespace

CallOutcome outcome_of_line(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return {std::nullopt, "nothing was printed", 0};
  std::string_view digits = line;
  if (digits.front() == '+') digits.remove_prefix(1);
  double value = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string shown = printable(std::string(line.substr(0, 100)));
  if (end != digits.data() + digits.size() || failed == std::errc::invalid_argument)
    return {std::nullopt, "the last line is not a number: " + shown, 0};
  if (failed != std::errc{} || !std::isfinite(value))
    return {std::nullopt, "the score is not a finite number: " + shown, 0};
  return {value, "", 0};
}

Result<CallOutcome> call_program(const std::vector<std::string>& words,
                                 const std::optional<std::chrono::duration<double>>& timeout,
                                 const CancelToken& cancel) {
  TL_CHECK(!words.empty(), "a command needs a program");
  TL_TRY(Pipe out_pipe, make_pipe());
  TL_TRY(Pipe err_pipe, make_pipe());
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto start = Clock::now();
  pid_t child = 0;
  int failed = 0;
  {
    const SpawnSettings settings(out_pipe, err_pipe);
    failed = posix_spawnp(&child, arguments[0], &settings.actions, &settings.attributes, arguments.data(), environ);
  }
  if (failed == ENOENT || failed == EACCES)
    return unavailable(failed == ENOENT ? "there is no such program" : "the program may not be run", words[0],
                       "Give its path (./program), or install it");
  if (failed != 0) return io_error(std::string("the program cannot be started: ") + std::strerror(failed), words[0]);
  out_pipe.write.reset();
  err_pipe.write.reset();
  Tail out(std::move(out_pipe.read)), err(std::move(err_pipe.read));
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start); };
  bool is_late = false;
  // Programs that it started may hold the pipes open after its end, so both are looked at.
  while (!has_ended(child)) {
    if (cancel.cancelled()) {
      end_group(child);
      return cancelled();
    }
    if (timeout && elapsed() > *timeout) {
      is_late = true;
      break;
    }
    std::array<pollfd, 2> waiting{};
    nfds_t count = 0;
    for (const Tail* one : {&out, &err})
      if (one->is_open()) waiting[count++] = {one->handle(), POLLIN, 0};
    // Both closed: the program is about to end.
    poll(waiting.data(), count, count > 0 ? look_ms : 1);
    out.read();
    err.read();
  }
  const double seconds = elapsed().count();
  const int status = end_group(child);
  out.read();
  err.read();
  CallOutcome outcome;
  if (is_late) {
    outcome = failed_call("no end within " + seconds_text(timeout->count()), err);
  } else if (WIFSIGNALED(status)) {
    outcome = failed_call("ended by signal " + std::to_string(WTERMSIG(status)), err);
  } else if (WEXITSTATUS(status) != 0) {
    outcome = failed_call("exit code " + std::to_string(WEXITSTATUS(status)), err);
  } else {
    outcome = outcome_of_line(out.last_line());
  }
  outcome.seconds = seconds;
  return outcome;
}

}  // namespace tl::tune
