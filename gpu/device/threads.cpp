// Reads affinity and control groups, and asks for samples of the cores; the start with passive waiting is at the end.
#include "gpu/device/threads.h"

#include <ATen/Parallel.h>
#include <omp.h>
#include <sched.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "gpu/device/free_cores.h"

namespace tl {
namespace {

constexpr double no_limit = std::numeric_limits<double>::max();

// Of one group: "50000 100000" in cpu.max (version 2), or two files (version 1).
double quota_in(const std::filesystem::path& folder) {
  double quota = 0, period = 0;
  if (std::ifstream both(folder / "cpu.max"); both >> quota >> period) return period > 0 ? quota / period : no_limit;
  std::ifstream first(folder / "cpu.cfs_quota_us"), second(folder / "cpu.cfs_period_us");
  if (first >> quota && second >> period && quota > 0 && period > 0) return quota / period;
  return no_limit;  // "max", -1, or no file
}

double quota_up_from(const std::filesystem::path& mount, std::filesystem::path group) {
  double least = quota_in(mount);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    least = std::min(least, quota_in(mount / group));
  return least;
}

double quota_of_this_process() { return cores_of_group("/proc/self/cgroup", "/sys/fs/cgroup"); }

int allowed_cores() {
  cpu_set_t set;
  int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = std::max(1, CPU_COUNT(&set));
  const double quota = quota_of_this_process();
  return quota < cores ? std::max(1, static_cast<int>(std::ceil(quota))) : cores;
}

// Cores of the machine without threads that run or wait for a core at this moment, apart from this one:
// "0.20 0.18 0.12 3/80 11206". The fewest of a few looks, since something runs for a moment on every machine.
double cores_free_at_the_moment() {
  constexpr int looks = 3;
  constexpr auto between = std::chrono::milliseconds(1);
  int others = std::numeric_limits<int>::max();
  for (int i = 0; i < looks; ++i) {
    if (i > 0) std::this_thread::sleep_for(between);
    std::ifstream in("/proc/loadavg");
    double load = 0;
    int running = 1;
    in >> load >> load >> load >> running;
    others = std::min(others, std::max(0, running - 1));
  }
  return static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)) - others);
}

bool may_follow() {
  const char* dynamic = std::getenv("OMP_DYNAMIC");
  return dynamic == nullptr || strcasecmp(dynamic, "false") != 0;
}

// The coarse clock, which advances every few milliseconds, takes a fifth of the time to read: every loop does.
int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

// Of the whole process: its threads share the cores.
class Following {
 public:
  // 0: none was set.
  [[nodiscard]] int limit() const { return limit_.load(std::memory_order_relaxed); }

  void begin(int limit) {
    const std::lock_guard lock(mutex_);
    follower_.emplace(limit, quota_of_this_process(), may_follow() ? sample_cores() : CoreSample{});
    threads_ = limit;
    next_look_ = may_follow() ? 0 : std::numeric_limits<int64_t>::max();
    limit_ = limit;
  }

  int threads() {
    const int64_t now = now_ns(CLOCK_MONOTONIC_COARSE);
    if (now >= next_look_.load(std::memory_order_relaxed)) look(now);
    return threads_.load(std::memory_order_relaxed);
  }

  ThreadsUsed used() {
    const std::lock_guard lock(mutex_);
    if (!follower_) return {thread_limit(), thread_limit(), thread_limit(), 0};
    return {limit(), follower_->fewest(), follower_->most(), follower_->busiest()};
  }

 private:
  void look(int64_t now) {
    // The counters of many cores take long to read: that is at most a two-hundredth of all time.
    constexpr int64_t interval = 100'000'000, share = 200;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !follower_) return;  // another thread looks
    const int64_t began = now_ns(CLOCK_MONOTONIC);
    const CoreSample sample = sample_cores();
    const int64_t cost = now_ns(CLOCK_MONOTONIC) - began;
    threads_ = follower_->follow(sample, cores_free_at_the_moment);
    next_look_ = now + std::max(interval, share * cost);
  }

  std::mutex mutex_;
  std::optional<ThreadFollower> follower_;
  std::atomic<int> limit_{0}, threads_{1};
  std::atomic<int64_t> next_look_{0};
};

Following& following() {
  static Following instance;
  return instance;
}

thread_local bool stays_serial = false;

}  // namespace

double cores_of_group(const std::filesystem::path& membership, const std::filesystem::path& mount) {
  double least = std::min(quota_up_from(mount, {}), quota_up_from(mount / "cpu", {}));
  std::ifstream in(membership);
  // "0::/user.slice" of version 2, "4:cpu,cpuacct:/user.slice" of version 1.
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",", group = line.substr(second + 1);
    if (kinds == ",,") least = std::min(least, quota_up_from(mount, group));
    if (kinds.find(",cpu,") != std::string::npos) least = std::min(least, quota_up_from(mount / "cpu", group));
  }
  return least;
}

void limit_threads(int limit) {
  if (limit < 1) limit = std::getenv("OMP_NUM_THREADS") != nullptr ? at::get_num_threads() : allowed_cores();
  following().begin(limit);
  at::set_num_threads(limit);
}

int thread_limit() {
  const int limit = following().limit();
  return limit > 0 ? limit : at::get_num_threads();
}

void follow_free_cores() {
  Following& all = following();
  const int limit = all.limit();
  if (limit == 0 || stays_serial || at::in_parallel_region()) return;
  const int threads = limit > 1 ? all.threads() : 1;
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
}

void keep_to_one_thread() {
  stays_serial = true;
  omp_set_num_threads(1);  // counts for this thread only
}

ThreadsUsed threads_used() { return following().used(); }

std::string to_text(const ThreadsUsed& used) {
  std::array<char, 32> busy{};
  std::snprintf(busy.data(), busy.size(), "%.1f", used.busy);
  std::string text = std::to_string(used.fewest);
  if (used.most > used.fewest) text += " to " + std::to_string(used.most);
  text += " of " + std::to_string(used.limit) + (used.limit == 1 ? " thread" : " threads");
  if (used.fewest < used.limit) text += ": other programs kept up to " + std::string(busy.data()) + " cores busy";
  return text;
}

namespace {

// Runs before any constructor, that of the C library and of sanitizers included: no function of a library is called.
__attribute__((no_sanitize("address", "undefined"))) void start_with_passive_waiting(int, char** argv, char** given) {
  static char passive[] = "OMP_WAIT_POLICY=passive";
  constexpr int most = 4096;
  static char* environment[most];
  const auto names_policy = [](const char* entry) __attribute__((no_sanitize("address", "undefined"))) {
    for (const char* name = passive; entry[0] == name[0]; ++entry, ++name)
      if (name[0] == '=') return true;
    return false;
  };
  int count = 0;
  for (; given[count] != nullptr; ++count) {
    if (count == most - 2 || names_policy(given[count])) return;
    environment[count] = given[count];
  }
  environment[count] = passive;
  environment[count + 1] = nullptr;
  syscall(SYS_execve, "/proc/self/exe", argv, environment);  // where it fails, threads wait awake
}

}  // namespace

}  // namespace tl

__attribute__((section(".preinit_array"),
               used)) static void (*const tl_before_all)(int, char**, char**) = tl::start_with_passive_waiting;
