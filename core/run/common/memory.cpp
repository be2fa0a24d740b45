// Finds how much memory this process may use, from /proc/meminfo and the limits of control groups.
#include "core/run/common/memory.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include "core/base/text.h"
#include "core/base/wording.h"

namespace tl {
namespace {

constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

// The number in a one-line file, or `fallback` ("max", missing, unreadable).
int64_t read_number(const std::filesystem::path& file, int64_t fallback) {
  std::ifstream in(file);
  int64_t value = 0;
  return in >> value ? value : fallback;
}

// The value of a line "name value" in a file; 0 if it is missing.
int64_t read_entry(const std::filesystem::path& file, std::string_view name) {
  std::ifstream in(file);
  std::string word;
  int64_t value = 0;
  while (in >> word >> value)
    if (word == name) return value;
  return 0;
}

// Bytes that one hierarchy still allows a control group: the minimum over the group and all its ancestors.
struct GroupFiles {
  const char *limit, *used, *freed_on_demand;
};
int64_t left_in_groups(const std::filesystem::path& top, const std::filesystem::path& group, const GroupFiles& names) {
  int64_t left = unlimited;
  // The path of a group outside this namespace contains ".."; only mounted groups can be read.
  std::filesystem::path at = group.lexically_normal().relative_path();
  if (!at.empty() && *at.begin() == "..") at.clear();
  for (;;) {
    const std::filesystem::path folder = top / at;
    const int64_t limit = read_number(folder / names.limit, unlimited);
    // Inactive pages of the file cache count as used but are freed when memory is short.
    if (limit != unlimited)
      left = std::min(left, limit - read_number(folder / names.used, 0) +
                                read_entry(folder / "memory.stat", names.freed_on_demand));
    if (at.empty()) return left;
    at = at.parent_path();
  }
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

int64_t resident_memory() {
  std::ifstream in("/proc/self/status");
  std::string word;
  while (in >> word)
    if (word == "VmRSS:") {
      int64_t kib = 0;
      if (in >> kib) return kib * 1024;
    }
  return 0;
}

}  // namespace

Result<int64_t> blocks_within(int64_t limit) {
  const int64_t overhead = resident_memory() + run_overhead;
  if (limit - overhead >= min_for_blocks) return limit - overhead;
  const int64_t least = (overhead + min_for_blocks + 9'999'999) / 10'000'000 * 10'000'000;
  return invalid(
      "a budget of " + format_bytes(limit) + " is too small: the program itself takes " + format_bytes(overhead),
      two_wordings("--max-memory", "memory"), "Give at least " + format_bytes(least));
}

int64_t group_memory(const std::filesystem::path& membership, const std::filesystem::path& mount) {
  constexpr GroupFiles v2{"memory.max", "memory.current", "inactive_file"};
  constexpr GroupFiles v1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
  int64_t left = std::min(left_in_groups(mount, {}, v2), left_in_groups(mount / "memory", {}, v1));
  // "0::/user.slice" of version 2, "4:cpu,memory:/user.slice" of version 1.
  std::ifstream in(membership);
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",", group = line.substr(second + 1);
    if (kinds == ",,") left = std::min(left, left_in_groups(mount, group, v2));
    if (kinds.find(",memory,") != std::string::npos) left = std::min(left, left_in_groups(mount / "memory", group, v1));
  }
  return left;
}

int64_t available_memory() {
  return std::max<int64_t>(std::min(machine_available(), group_memory("/proc/self/cgroup", "/sys/fs/cgroup")), 0);
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
    if (factor > 0 && number * factor >= 1 && number * factor < 9e18) return static_cast<int64_t>(number * factor);
  }
  return invalid("\"" + text + "\" is not an amount of memory", two_wordings("--max-memory", "memory"),
                 "Write for example 4GB or 500MiB");
}

std::string format_bytes(int64_t bytes) {
  constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return formatted(unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, units.at(unit));
}

}  // namespace tl
