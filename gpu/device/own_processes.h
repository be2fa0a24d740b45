// What this process and the processes that it started run: it does not count as the load of others.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace tl {

// One line of /proc/ID/stat, or of a thread.
struct ProcessStat {
  bool running = false;  // or waits for a core
  double own = 0;        // s, processor time of the process
  double ended = 0;      // s, of its children that have ended and were waited for
};

// Nothing where `text` is not such a line. `ticks` per second.
std::optional<ProcessStat> process_stat(std::string_view text, double ticks);

struct OwnProcesses {
  int running = 0;      // threads of the process and of its descendants that run or wait for a core
  double children = 0;  // s, processor time of the descendants, of those that have ended too
};

// The threads of a process and of all that it started; what cannot be read, or ends meanwhile, counts as idle. `proc`
// is /proc.
OwnProcesses own_processes(const std::filesystem::path& proc, int id, double ticks);

// Threads of other programs that run or wait for a core at this moment. Without such files: 0.
int other_running_threads(const std::filesystem::path& proc, int id, double ticks);

}  // namespace tl
