// Reads affinity, control groups and load; the start with passive waiting is at the end.
#include "gpu/device/threads.h"

#include <ATen/Parallel.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <thread>

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

int allowed_cores() {
  cpu_set_t set;
  int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = std::max(1, CPU_COUNT(&set));
  const double quota = cores_of_group("/proc/self/cgroup", "/sys/fs/cgroup");
  return quota < cores ? std::max(1, static_cast<int>(std::ceil(quota))) : cores;
}

// Threads that run or wait for a core at this moment, without this one: "0.20 0.18 0.12 3/80 11206".
int others_running() {
  std::ifstream in("/proc/loadavg");
  double load = 0;
  int running = 1;
  in >> load >> load >> load >> running;
  return std::max(0, running - 1);
}

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

ThreadCount recommended_threads(int machine_cores, int cores, double load, int running) {
  const double busy = std::min(load, static_cast<double>(running));
  const int free = machine_cores - static_cast<int>(busy);
  return {std::clamp(free, 1, cores), cores, busy};
}

ThreadCount recommended_threads() {
  // The most of a few looks: a program that waits for its disk for a moment is busy all the same.
  constexpr int looks = 3;
  constexpr auto between = std::chrono::milliseconds(2);
  int running = others_running();
  for (int i = 1; i < looks; ++i) {
    std::this_thread::sleep_for(between);
    running = std::max(running, others_running());
  }
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = 0;
  const auto machine = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return recommended_threads(machine, allowed_cores(), load, running);
}

std::string to_text(const ThreadCount& count) {
  std::array<char, 32> busy{};
  std::snprintf(busy.data(), busy.size(), "%.1f", count.busy);
  const std::string cores = count.cores == 1 ? "1 core" : std::to_string(count.cores) + " cores";
  std::string text = std::to_string(count.threads) + (count.threads == 1 ? " thread of " : " threads of ") + cores;
  if (count.threads < count.cores) text += ": other programs keep " + std::string(busy.data()) + " of them busy";
  return text;
}

bool use_threads(const ThreadCount& count) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return false;
  at::set_num_threads(count.threads);
  return true;
}

void use_threads(int threads) { at::set_num_threads(std::max(1, threads)); }

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
