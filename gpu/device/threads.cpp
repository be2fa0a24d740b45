// Reads affinity and control groups, and asks for samples of the cores; the start with passive waiting is at the end.
#include "gpu/device/threads.h"

#include <ATen/Parallel.h>
#include <omp.h>
#include <sched.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/text.h"
#include "gpu/device/free_cores.h"
#include "gpu/device/own_processes.h"

namespace tl {
namespace {

constexpr double no_limit = std::numeric_limits<double>::max();

// The quota of one group: "50000 100000" in cpu.max (version 2), or two files (version 1).
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

// Number of threads of other programs that run or wait for a core at this moment.
int others_now() { return other_running_threads("/proc", getpid(), static_cast<double>(sysconf(_SC_CLK_TCK))); }

bool may_follow() {
  const char* dynamic = std::getenv("OMP_DYNAMIC");
  return dynamic == nullptr || strcasecmp(dynamic, "false") != 0;
}

// The coarse clock, which advances every few milliseconds, takes a fifth of the time to read: every loop reads it.
int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

// State of the whole process: its threads share the cores.
class Following {
 public:
  // 0: none was set.
  [[nodiscard]] int limit() const { return limit_.load(std::memory_order_relaxed); }

  void begin(int limit) {
    const std::lock_guard lock(mutex_);
    follower_.emplace(limit, quota_of_this_process(), may_follow() ? sample_cores() : CoreSample{});
    others_at_begin_ = may_follow() ? others_now() : 0;
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
    // [ns] reading the counters of many cores takes long: limited to a two-hundredth of the total time.
    constexpr int64_t interval = 100'000'000, share = 200;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !follower_) return;  // another thread looks
    const int64_t began = now_ns(CLOCK_MONOTONIC);
    const CoreSample sample = sample_cores();
    const int64_t cost = now_ns(CLOCK_MONOTONIC) - began;
    threads_ = follower_->follow(sample, [this] { return cores_free_at_the_moment(); });
    next_look_ = now + std::max(interval, share * cost);
  }

  // The smallest of several samples, since on every machine other threads run for a moment. The first decision uses the
  // sample from the start: sleeping between samples would take longer than a short loop if others use the cores.
  double cores_free_at_the_moment() {
    const auto cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    const bool first = others_at_begin_.has_value();
    int others = std::min(others_now(), others_at_begin_.value_or(std::numeric_limits<int>::max()));
    others_at_begin_.reset();
    constexpr int more_looks = 2;
    constexpr auto between = std::chrono::milliseconds(1);
    for (int i = 0; i < more_looks && !first && cores - others < limit(); ++i) {
      std::this_thread::sleep_for(between);
      others = std::min(others, others_now());
    }
    return cores - others;
  }

  std::mutex mutex_;
  std::optional<ThreadFollower> follower_;
  std::optional<int> others_at_begin_;  // until the first decision
  std::atomic<int> limit_{0}, threads_{1};
  std::atomic<int64_t> next_look_{0};
};

Following& following() {
  static Following instance;
  return instance;
}

thread_local bool stays_serial = false, stays_as_it_is = false;

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

bool follows_free_cores() {
  return following().limit() > 0 && !stays_serial && !stays_as_it_is && !at::in_parallel_region();
}

void freeze_thread_count() { stays_as_it_is = true; }
void unfreeze_thread_count() { stays_as_it_is = false; }

void follow_free_cores() {
  if (!follows_free_cores()) return;
  Following& all = following();
  const int threads = all.limit() > 1 ? all.threads() : 1;
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
}

void keep_to_one_thread() {
  stays_serial = true;
  omp_set_num_threads(1);  // counts for this thread only
}

ThreadsUsed threads_used() { return following().used(); }

std::string to_text(const ThreadsUsed& used) {
  std::string text = std::to_string(used.fewest);
  if (used.most > used.fewest) text += " to " + std::to_string(used.most);
  text += " of " + std::to_string(used.limit) + (used.limit == 1 ? " thread" : " threads");
  if (used.fewest < used.limit) text += ": other programs kept up to " + formatted("%.1f", used.busy) + " cores busy";
  return text;
}

namespace {

// Runs before all constructors, those of the C library and of sanitizers included, and therefore calls no library
// function. 10 000 iterations of the loop are 0.1 to 0.5 ms, less than the milliseconds for which a core is given to
// another program. A reconstruction of one slice took 1.1 ms with sleeping threads, 0.78 with that spin count, and 0.73
// with three times as many.
__attribute__((no_sanitize("address", "undefined"))) void start_with_passive_waiting(int, char** argv, char** given) {
  static char passive[] = "OMP_WAIT_POLICY=passive", short_spin[] = "GOMP_SPINCOUNT=10000";
  constexpr int most = 4096;
  static char* environment[most];
  const auto same_name = [](const char* entry, const char* name) __attribute__((no_sanitize("address", "undefined"))) {
    for (; entry[0] == name[0]; ++entry, ++name)
      if (name[0] == '=') return true;
    return false;
  };
  int count = 0;
  bool has_spin = false;
  for (; given[count] != nullptr; ++count) {
    if (count == most - 3 || same_name(given[count], passive)) return;
    has_spin = has_spin || same_name(given[count], short_spin);
    environment[count] = given[count];
  }
  environment[count++] = passive;
  if (!has_spin) environment[count++] = short_spin;
  environment[count] = nullptr;
  syscall(SYS_execve, "/proc/self/exe", argv, environment);  // if it fails, threads wait actively
}

}  // namespace

}  // namespace tl

__attribute__((section(".preinit_array"),
               used)) static void (*const tl_before_all)(int, char**, char**) = tl::start_with_passive_waiting;
