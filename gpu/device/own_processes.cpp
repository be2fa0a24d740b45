// Walks the threads and children of a process under /proc.
#include "gpu/device/own_processes.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace tl {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<ProcessStat> stat_in(const fs::path& folder, double ticks) {
  return process_stat(text_of(folder / "stat"), ticks);
}

std::vector<fs::path> threads_of(const fs::path& process) {
  std::vector<fs::path> threads;
  std::error_code error;
  for (fs::directory_iterator at(process / "task", error), end; !error && at != end; at.increment(error))
    threads.push_back(at->path());
  return threads;
}

}  // namespace

std::optional<ProcessStat> process_stat(std::string_view text, double ticks) {
  // "4711 (name) R 1 ...": the name may contain spaces and brackets. Processor times are the fields 14 to 17.
  const auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 >= text.size()) return std::nullopt;
  text.remove_prefix(name_end + 2);
  ProcessStat stat;
  stat.running = text.front() == 'R';
  double times[4] = {};
  for (int field = 3; field <= 17; ++field) {
    const auto end = std::min(text.find(' '), text.size());
    if (end == 0) return std::nullopt;
    if (field >= 14) {
      long long value = 0;
      if (std::from_chars(text.data(), text.data() + end, value).ec != std::errc()) return std::nullopt;
      times[field - 14] = static_cast<double>(value) / ticks;
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  stat.own = times[0] + times[1];
  stat.ended = times[2] + times[3];
  return stat;
}

OwnProcesses own_processes(const fs::path& proc, int id, double ticks) {
  OwnProcesses all;
  std::set<int> known{id};  // a process id that is reused during the walk could cause a cycle
  std::vector<int> left{id};
  while (!left.empty()) {
    const int process = left.back();
    left.pop_back();
    const fs::path folder = proc / std::to_string(process);
    if (const auto stat = stat_in(folder, ticks)) all.children += stat->ended + (process == id ? 0 : stat->own);
    for (const fs::path& thread : threads_of(folder)) {
      if (const auto stat = stat_in(thread, ticks); stat && stat->running) ++all.running;
      std::ifstream children(thread / "children");
      for (int child = 0; children >> child;)
        if (known.insert(child).second) left.push_back(child);
    }
  }
  return all;
}

int other_running_threads(const fs::path& proc, int id, double ticks) {
  // "0.20 0.18 0.12 3/80 11206"
  std::ifstream in(proc / "loadavg");
  double load = 0;
  int running = 0;
  if (!(in >> load >> load >> load >> running)) return 0;
  return std::max(0, running - own_processes(proc, id, ticks).running);
}

}  // namespace tl
