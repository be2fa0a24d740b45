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

#include "core/io/bytes/reader_limits.h"
#include "tests/fuzz/crashes.h"

namespace tl::fuzz {
namespace {

constexpr int64_t in_one_child = 250;
constexpr int64_t max_failures = 10;
constexpr int64_t elsewhere_every = 32;  // one trial in so many
#ifdef __SANITIZE_ADDRESS__
constexpr bool with_sanitizer = true;
#else
constexpr bool with_sanitizer = false;
#endif
constexpr int patience = 60;  // [s] by the clock, for one trial on a busy machine

int64_t number_of(const char* name, int64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == 0 ? fallback : std::strtoll(text, nullptr, 10);
}

struct Progress {
  std::atomic<int64_t> trial;  // the one that runs
};

[[noreturn]] void run_child(int64_t first, int64_t end, const Trial& trial, Progress& progress, int out) {
  distinguish_crashes();
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

namespace {

void put_into(const char* variable, const std::string& bytes, const std::string& name) {
  if (const char* folder = std::getenv(variable))
    std::ofstream(std::string(folder) + "/" + name, std::ios::binary) << bytes;
}

// The most memory that this process has taken, and what it takes now [bytes].
int64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{1024} * usage.ru_maxrss;
}
int64_t memory_now() {
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0;
  file >> pages >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

std::string complaint_within_limits(const std::function<std::string()>& read, int64_t bytes) {
  const double before = processor_seconds();
  const int64_t had = memory_now(), highest = peak_memory();
  std::string complaint = read();
  if (!complaint.empty()) return complaint;
  if (const double took = processor_seconds() - before; took > longest_trial)
    return "took " + std::to_string(took) + " s of the processor";
  if (const int64_t peak = peak_memory();
      io::memory_is_bounded && peak > highest && peak > had + 4 * bytes + spare_memory)
    return "took " + std::to_string((peak - had) >> 20) + " MiB";
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

namespace {

// How a child fared: the trial it reached, what went wrong there, the signal that ended it.
struct Outcome {
  int64_t reached = 0;
  std::string what;
  int signal = 0;
};

Outcome run_in_child(int64_t first, int64_t end, const Trial& trial, Progress& progress) {
  progress.trial = first;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::bad_alloc();
  const pid_t child = fork();
  if (child < 0) throw std::bad_alloc();
  if (child == 0) run_child(first, end, trial, progress, ends[1]);
  close(ends[1]);
  bool hung = false;
  const std::string said = watched(child, ends[0], progress, hung);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const int64_t reached = progress.trial;
  if (hung) return {reached, "takes more than " + std::to_string(patience) + " s"};
  if (WIFSIGNALED(status)) return {reached, "signal " + std::to_string(WTERMSIG(status)), WTERMSIG(status)};
  if (!said.empty()) return {reached, said};
  if (WEXITSTATUS(status) == our_crash) return {reached, "a crash, or no end, outside of HDF5's library"};
  if (WEXITSTATUS(status) != 0) return {reached, "the child ended with " + std::to_string(WEXITSTATUS(status))};
  return {reached, {}};
}

// `decide` may change how a child fared, and run others.
std::vector<Failure> run(int64_t count, const Trial& trial, const std::function<void(Outcome&, Progress&)>& decide) {
  std::vector<Failure> failures;
  void* page = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  auto& progress = *new (page) Progress{};
  for (int64_t next = 0; next < count && static_cast<int64_t>(failures.size()) < max_failures;) {
    const int64_t end = std::min(next + in_one_child, count);
    Outcome outcome = run_in_child(next, end, trial, progress);
    const int64_t reached = outcome.reached;
    decide(outcome, progress);
    if (!outcome.what.empty()) failures.push_back({reached, outcome.what});
    next = reached >= end ? end : reached + 1;
  }
  munmap(page, sizeof(Progress));
  return failures;
}

}  // namespace

std::vector<Failure> run_trials(int64_t count, const Trial& trial) {
  return run(count, trial, [](Outcome&, Progress&) {});
}

std::vector<Failure> run_reading_trials(int64_t count, const Trial& here, const Trial& elsewhere, Library library) {
  const Trial trial = [&](int64_t i) { return i % elsewhere_every == 0 ? elsewhere(i) : here(i); };
  return run(count, trial, [&](Outcome& outcome, Progress& progress) {
    if (library != Library::hdf5 || outcome.signal == 0) return;
    if (outcome.signal == SIGXCPU || with_sanitizer)
      outcome.what.clear();
    else
      outcome = run_in_child(outcome.reached, outcome.reached + 1, elsewhere, progress);
  });
}

std::string complaint_about(const Error& error) {
  if (error.what.empty()) return "an error without words";
  // A library that crashes is ended by a signal; a sanitizer exits.
  const auto says = [&](const char* words) { return error.what.find(words) != std::string::npos; };
  if (with_sanitizer && says("the library that reads it crashes") && !says("(signal"))
    return "a sanitizer ended the process that reads: " + error.message();
  return error.kind == ErrorKind::internal ? "an internal error: " + error.message() : "";
}

void limit_as_reader() {
  static const bool limited = (io::limit_this_process(), true);
  if (limited) io::allow_cpu_time(io::cpu_time_for(0));
}

std::string describe(const std::vector<Failure>& failures) {
  std::string text = "seed " + std::to_string(seed()) + " (TL_FUZZ_SEED, TL_FUZZ_MUTANTS repeat it):";
  for (const Failure& f : failures) text += "\n  trial " + std::to_string(f.trial) + ": " + f.what;
  return text;
}

}  // namespace tl::fuzz
