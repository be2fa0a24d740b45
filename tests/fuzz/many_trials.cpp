// Child processes for trials, a page of shared memory for where they are, a pipe for what they say.
#include "tests/fuzz/many_trials.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <new>

namespace tl::fuzz {
namespace {

constexpr int64_t in_one_child = 250;
constexpr int64_t most_failures = 10;
constexpr int patience = 60;  // [s] by the clock, for one trial on a busy machine

int64_t number_of(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == 0 ? otherwise : std::strtoll(text, nullptr, 10);
}

struct Progress {
  std::atomic<int64_t> trial;  // the one that runs
};

[[noreturn]] void run_child(int64_t first, int64_t end, const std::function<std::string(int64_t)>& trial,
                            Progress& progress, int out) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) std::signal(number, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (int64_t i = first; i < end; ++i) {
    progress.trial = i;
    std::string complaint;
    try {
      complaint = trial(i);
    } catch (const std::exception& error) {
      complaint = std::string("an exception came out: ") + error.what();
    }
    if (complaint.empty()) continue;
    complaint = complaint.substr(0, 2000);
    (void)!write(out, complaint.data(), complaint.size());
    _exit(1);
  }
  progress.trial = end;
  _exit(0);
}

// What the child says until it ends; it is killed where one trial takes too long.
std::string watched(pid_t child, int in, const Progress& progress, bool& hung) {
  std::string said;
  int64_t before = -1;
  for (int waited = 0;;) {
    pollfd ready = {in, POLLIN, 0};
    const int events = poll(&ready, 1, 1000);
    if (events > 0) {
      std::array<char, 4096> buffer{};
      const ssize_t n = read(in, buffer.data(), buffer.size());
      if (n <= 0) return said;
      said.append(buffer.data(), static_cast<std::size_t>(n));
      continue;
    }
    const int64_t now = progress.trial;
    waited = now == before ? waited + 1 : 0;
    before = now;
    if (waited < patience) continue;
    hung = true;
    kill(child, SIGKILL);
    return said;
  }
}

}  // namespace

int64_t trials(int64_t usual) { return number_of("TL_FUZZ_MUTANTS", usual); }
uint64_t seed() { return static_cast<uint64_t>(number_of("TL_FUZZ_SEED", 1)); }

int64_t peak_memory() {
  int64_t most = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    most = std::max(most, int64_t{1024} * usage.ru_maxrss);
  }
  return most;
}

namespace {
void put_into(const char* variable, const std::string& bytes, const std::string& name) {
  if (const char* folder = std::getenv(variable))
    std::ofstream(std::string(folder) + "/" + name, std::ios::binary) << bytes;
}
}  // namespace

std::string complaint_within_limits(const std::function<std::string()>& read, int64_t resident, int64_t bytes) {
  const double before = processor_seconds();
  std::string complaint = read();
  if (!complaint.empty()) return complaint;
  if (const double took = processor_seconds() - before; took > longest_trial)
    return "took " + std::to_string(took) + " s of the processor";
  if (const int64_t peak = peak_memory(); peak > resident + 4 * bytes + spare_memory)
    return "took " + std::to_string(peak >> 20) + " MiB";
  return {};
}

void keep(const std::string& bytes, const std::string& name) { put_into("TL_FUZZ_KEEP", bytes, name); }
void keep_sound(const std::string& bytes, const std::string& name) { put_into("TL_FUZZ_CORPUS", bytes, name); }

double processor_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }
  return sum;
}

std::vector<Failure> run_trials(int64_t count, const std::function<std::string(int64_t)>& trial) {
  std::vector<Failure> failures;
  void* page = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  auto& progress = *new (page) Progress{};
  for (int64_t next = 0; next < count && static_cast<int64_t>(failures.size()) < most_failures;) {
    progress.trial = next;
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::bad_alloc();
    const int64_t end = std::min(next + in_one_child, count);
    const pid_t child = fork();
    if (child < 0) {
      failures.push_back({next, "no child could be started"});
      break;
    }
    if (child == 0) run_child(next, end, trial, progress, ends[1]);
    close(ends[1]);
    bool hung = false;
    const std::string said = watched(child, ends[0], progress, hung);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    const int64_t reached = progress.trial;
    if (hung) {
      failures.push_back({reached, "takes more than " + std::to_string(patience) + " s"});
    } else if (WIFSIGNALED(status)) {
      failures.push_back({reached, "signal " + std::to_string(WTERMSIG(status))});
    } else if (!said.empty() || WEXITSTATUS(status) != 0) {
      failures.push_back(
          {reached, said.empty() ? "the child ended with " + std::to_string(WEXITSTATUS(status)) : said});
    }
    next = reached >= end ? end : reached + 1;
  }
  munmap(page, sizeof(Progress));
  return failures;
}

std::string complaint_about(const Error& error) {
  if (error.what.empty()) return "an error without words";
  return error.kind == ErrorKind::internal ? "an internal error: " + error.message() : "";
}

std::string told(const std::vector<Failure>& failures) {
  std::string text = "seed " + std::to_string(seed()) + " (TL_FUZZ_SEED, TL_FUZZ_MUTANTS repeat it):";
  for (const Failure& f : failures) text += "\n  trial " + std::to_string(f.trial) + ": " + f.what;
  return text;
}

}  // namespace tl::fuzz
