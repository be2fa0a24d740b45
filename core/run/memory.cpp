// Reading /proc/meminfo and the control group's limits.
#include "core/run/memory.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

namespace tl {
namespace {

constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

// The number in a one-line file, or `otherwise` ("max", missing, unreadable).
int64_t read_number(const char* file, int64_t otherwise) {
  std::ifstream in(file);
  int64_t value = 0;
  return in >> value ? value : otherwise;
}

int64_t machine_available() {
  std::ifstream in("/proc/meminfo");
  std::string word;
  while (in >> word)
    if (word == "MemAvailable:") {
      int64_t kib = 0;
      if (in >> kib) return kib * 1024;
    }
  return int64_t{1} << 30;
}

// Memory of this process that no file backs; 0 where the system does not say.
int64_t resident_memory() {
  std::ifstream in("/proc/self/status");
  std::string word;
  while (in >> word)
    if (word == "RssAnon:") {
      int64_t kib = 0;
      if (in >> kib) return kib * 1024;
    }
  return 0;
}

}  // namespace

int64_t blocks_within(int64_t limit) { return std::max(limit / 2, limit - resident_memory() - run_overhead); }

int64_t available_memory() {
  int64_t available = machine_available();
  const int64_t v2 = read_number("/sys/fs/cgroup/memory.max", unlimited);
  if (v2 != unlimited) available = std::min(available, v2 - read_number("/sys/fs/cgroup/memory.current", 0));
  const int64_t v1 = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", unlimited);
  if (v1 != unlimited)
    available = std::min(available, v1 - read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes", 0));
  return std::max<int64_t>(available, 0);
}

Result<int64_t> parse_bytes(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit;
  for (const char* c = end; c != text.data() + text.size(); ++c)
    if (*c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  constexpr std::array<const char*, 5> prefixes = {"", "k", "m", "g", "t"};
  for (std::size_t p = 0; p < prefixes.size() && problem == std::errc(); ++p) {
    const std::string prefix = prefixes[p];
    double factor = 0;
    if (unit == prefix + "ib") factor = std::pow(1024.0, static_cast<double>(p));
    if (unit == prefix || unit == prefix + "b") factor = std::pow(1000.0, static_cast<double>(p));
    if (factor > 0 && number > 0 && number * factor < 9e18) return static_cast<int64_t>(number * factor);
  }
  return invalid("\"" + text + "\" is not an amount of memory", "memory", "Write for example 4GB or 500MiB");
}

std::string format_bytes(int64_t bytes) {
  constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, units.at(unit));
  return text.data();
}

}  // namespace tl
