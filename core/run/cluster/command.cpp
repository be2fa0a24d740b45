// Starts a program with two pipes and reads both until they close.
#include "core/run/cluster/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/io/bytes/file_descriptor.h"

namespace tl {
namespace {

constexpr std::size_t max_output = std::size_t{64} << 20;

struct Pipe {
  io::FileDescriptor read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return io_error(std::string("no pipe can be made: ") + std::strerror(errno));
  return Pipe{io::FileDescriptor(ends[0]), io::FileDescriptor(ends[1])};
}

// Reads both pipes as data arrive: a program that fills one pipe while we wait for the other would hang.
void read_both(const Pipe& first, std::string& to_first, const Pipe& second, std::string& to_second) {
  struct Stream {
    int handle;
    std::string* text;
  };
  std::vector<Stream> open = {{first.read.get(), &to_first}, {second.read.get(), &to_second}};
  std::array<char, 1 << 14> buffer{};
  while (!open.empty()) {
    std::vector<pollfd> waiting;
    for (const Stream& s : open) waiting.push_back({s.handle, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      const ssize_t got = ::read(open[i].handle, buffer.data(), buffer.size());
      if (got > 0 && open[i].text->size() < max_output)
        open[i].text->append(buffer.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace

Result<CommandOutput> run_command(const std::vector<std::string>& words) {
  TL_CHECK(!words.empty(), "a command needs a program");
  TL_TRY(Pipe out, make_pipe());
  TL_TRY(Pipe err, make_pipe());
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT)
    return unavailable("the program " + words[0] + " is not installed here", words[0],
                       "Use a machine of the cluster, or install it");
  if (failed != 0) return io_error(words[0] + " cannot be started: " + std::strerror(failed), words[0]);
  out.write.reset();
  err.write.reset();
  CommandOutput output;
  read_both(out, output.out, err, output.err);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace tl
