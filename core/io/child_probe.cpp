// Forking a child that may die.
#include "core/io/child_probe.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace tl::io {
namespace {

[[noreturn]] void run_child(const std::function<void()>& body, unsigned int busy, unsigned int patience) {
  // No handler of the parent may turn a crash into a report, a core file or a debugger, nor a hang into patience.
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGXCPU, SIGTERM})
    std::signal(number, SIG_DFL);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm_only, nullptr);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  const rlimit busy_limit = {busy, busy + 1};
  setrlimit(RLIMIT_CPU, &busy_limit);
  alarm(patience);
  try {
    body();
  } catch (...) {
    _exit(0);
  }
  _exit(0);
}

}  // namespace

ProbeOutcome try_in_child(const std::function<void()>& body, unsigned int busy, unsigned int patience) {
  const pid_t child = fork();
  if (child < 0) return ProbeOutcome::untried;
  if (child == 0) run_child(body, busy, patience);
  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended != child) return ProbeOutcome::untried;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ProbeOutcome::returned;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return signal == SIGALRM || signal == SIGXCPU ? ProbeOutcome::hung : ProbeOutcome::crashed;
}

}  // namespace tl::io
