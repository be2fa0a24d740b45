// Processor time and threads of this process and its child processes: they do not count as the load of others.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace tl {

// The content of a line of /proc/ID/stat, or of a thread's.
struct ProcessStat {
  bool running = false;  // or waits for a core
  double own = 0;        // [s] processor time of the process
  double ended = 0;      // [s] of its children that have ended and were waited for
};

// Nothing if `text` is not such a line. `ticks` per second.
std::optional<ProcessStat> process_stat(std::string_view text, double ticks);

struct OwnProcesses {
  int running = 0;      // number of threads of the process and its descendants that run or wait for a core
  double children = 0;  // [s] processor time of the descendants, including those that have ended
};

// The threads of a process and all its descendants; processes that cannot be read, or end meanwhile, count as idle.
// `proc` is /proc.
OwnProcesses own_processes(const std::filesystem::path& proc, int id, double ticks);

// Number of threads of other programs that run or wait for a core at this moment. Without such files: 0.
int other_running_threads(const std::filesystem::path& proc, int id, double ticks);

}  // namespace tl
