// Reads /proc/stat and the processor time of this process and of its child processes.
#include "gpu/device/free_cores.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>

#include "gpu/device/own_processes.h"

namespace tl {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Lines of cores come first; the rest is not needed and can be long.
std::string lines_of_cores() {
  std::string text;
  const int file = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  std::array<char, 16384> part{};
  while (text.find("\nintr") == std::string::npos) {
    const ssize_t got = read(file, part.data(), part.size());
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  close(file);
  return text;
}

// Removes a number and the spaces before it from the front of `text`; false if there is none.
bool take_number(std::string_view& text, double& number) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  number = static_cast<double>(value);
  return true;
}

}  // namespace

CoreSample busy_cores(std::string_view stat, double ticks, const std::function<bool(int)>& may_use) {
  CoreSample sample;
  while (!stat.empty()) {
    const auto end = std::min(stat.find('\n'), stat.size());
    std::string_view line = stat.substr(0, end);
    stat.remove_prefix(std::min(stat.size(), end + 1));
    if (line.substr(0, 3) != "cpu") break;
    line.remove_prefix(3);
    double core = 0, value = 0, busy = 0;
    if (line.empty() || line.front() == ' ' || !take_number(line, core)) continue;  // the sum of all cores
    // user, nice, system, idle, iowait, irq, softirq; then steal, and guest times, which user and nice include
    for (int field = 0; field < 7 && take_number(line, value); ++field)
      if (field != 3 && field != 4) busy += value;
    if (!may_use(static_cast<int>(core))) continue;
    sample.busy += busy / ticks;
    ++sample.cores;
  }
  return sample;
}

CoreSample sample_cores() {
  cpu_set_t set;
  const bool bound = sched_getaffinity(0, sizeof set, &set) == 0;
  const auto may_use = [&](int core) { return !bound || (core < CPU_SETSIZE && CPU_ISSET(core, &set)); };
  const std::string text = lines_of_cores();
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  CoreSample sample = busy_cores(text, ticks, may_use);
  sample.own = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + own_processes("/proc", getpid(), ticks).children;
  sample.time = seconds_of(CLOCK_MONOTONIC);
  return sample;
}

double free_cores(const CoreSample& before, const CoreSample& now) {
  // The time of an orphaned child is no longer counted as that of this program: it must not count as that of others
  // twice.
  const double others = (now.busy - before.busy) - std::max(0.0, now.own - before.own);
  return std::clamp(now.cores - others / (now.time - before.time), 0.0, static_cast<double>(now.cores));
}

ThreadFollower::ThreadFollower(int limit, double quota, const CoreSample& first)
    : limit_(std::max(1, limit)), fewest_(limit_), quota_(quota), last_(first) {}

int ThreadFollower::decide(double free, int cores) {
  busiest_ = std::max(busiest_, cores - free);
  free = std::min(free, quota_);
  // An additional thread requires most of a core: otherwise a load of half a core would change the number repeatedly.
  constexpr double enough = 0.5, enough_for_more = 0.7;
  const auto threads_at = [&](double share) {
    return std::clamp(static_cast<int>(std::min(std::floor(free + 1 - share), 1e6)), 1, limit_);
  };
  if (threads_ == 0)
    threads_ = threads_at(enough);
  else
    threads_ = std::max(std::min(threads_, threads_at(enough)), threads_at(enough_for_more));
  fewest_ = std::min(fewest_, threads_);
  most_ = std::max(most_, threads_);
  return threads_;
}

int ThreadFollower::follow(const CoreSample& now, const std::function<double()>& free_at_the_moment) {
  if (now.cores == 0) return most_ = threads_ = limit_;
  const double since = now.time - last_.time;
  const bool comparable = last_.cores == now.cores && since <= longest;
  if (comparable && since < shortest && threads_ > 0) return threads_;
  const double free = comparable && since >= shortest ? free_cores(last_, now) : free_at_the_moment();
  // If the last sample is too recent it is kept: the next decision then covers a longer time.
  if (!comparable || since >= shortest) last_ = now;
  return decide(std::clamp<double>(free, 0, now.cores), now.cores);
}

}  // namespace tl
