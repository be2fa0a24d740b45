// The reading processes of a test program, from /proc.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace tl::test {

// A line of /proc/PID/status, without its name; empty when the process is gone.
inline std::string process_status(pid_t process, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name + ":\t")) return line.substr(name.size() + 2);
  return {};
}

inline pid_t parent_of(pid_t process) {
  const std::string text = process_status(process, "PPid");
  return text.empty() ? -1 : std::stoi(text);
}

// The newest reader of this program; -1 if there is none.
inline pid_t reader_process() {
  pid_t found = -1;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t process = std::stoi(name);
    if (process_status(process, "Name") == "tomoloom-reader" && parent_of(parent_of(process)) == getpid() &&
        process_status(process, "State")[0] != 'Z')
      found = std::max(found, process);
  }
  return found;
}

inline void wait_until_stopped(pid_t process) {
  for (std::string state = "?"; !state.empty() && state[0] != 'T'; state = process_status(process, "State"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Ended: gone, or a zombie.
inline void wait_until_ended(pid_t process) {
  for (std::string state = "?"; !state.empty() && state[0] != 'Z'; state = process_status(process, "State"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace tl::test
