// What the benchmark programs share: key=value arguments, raw float32 files, timing, and one JSON line per case.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gpu/device/device.h"

namespace tl::bench {

[[noreturn]] inline void stop(const std::string& why) {
  std::fprintf(stderr, "benchmark: %s\n", why.c_str());
  std::exit(2);
}

// Arguments are name=value. `threads` is obeyed here; a name that nobody asks for is an error.
class Arguments {
 public:
  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string text = argv[i];
      const auto split = text.find('=');
      if (split == std::string::npos) stop("arguments are name=value, not " + text);
      values_[text.substr(0, split)] = text.substr(split + 1);
    }
    init_devices();
    at::set_num_threads(static_cast<int>(number("threads", 2)));
    repeat_ = number("repeat", 3);
  }
  std::string text(const std::string& name, const std::string& fallback = {}) {
    asked_.insert(name);
    const auto found = values_.find(name);
    return found == values_.end() ? fallback : found->second;
  }
  int64_t number(const std::string& name, int64_t fallback) {
    const std::string value = text(name);
    return value.empty() ? fallback : std::stoll(value);
  }
  [[nodiscard]] int64_t repeat() const { return repeat_; }
  // Call it when everything has been asked for.
  void finish() const {
    for (const auto& [name, value] : values_)
      if (asked_.count(name) == 0) stop("unknown argument " + name + "=" + value);
  }

 private:
  std::map<std::string, std::string> values_;
  std::set<std::string> asked_;
  int64_t repeat_ = 1;
};

// Raw files: float32, the machine's byte order, last index fastest, no header.
inline at::Tensor read_raw(const std::string& path, const std::vector<int64_t>& shape) {
  at::Tensor out = at::empty(shape, at::kFloat);
  std::ifstream file(path, std::ios::binary);
  file.read(static_cast<char*>(out.data_ptr()), out.numel() * 4);
  if (!file || file.peek() != std::ifstream::traits_type::eof()) stop(path + " does not hold the expected numbers");
  return out;
}
inline void write_raw(const std::string& path, const at::Tensor& values) {
  if (path.empty()) return;
  const at::Tensor plain = values.to(at::kFloat).contiguous();
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(plain.const_data_ptr()), plain.numel() * 4);
  if (!file.flush()) stop("cannot write " + path);
}
// The numbers of a file, or a fixed pattern where no file is named.
inline at::Tensor input(const std::string& path, const std::vector<int64_t>& shape) {
  if (!path.empty()) return read_raw(path, shape);
  int64_t count = 1;
  for (const int64_t n : shape) count *= n;
  return at::arange(count, at::kFloat).mul_(0.37f).sin_().view(shape);
}

// Wall-clock time, and processor time of all threads: on a machine that others use too, only the latter compares.
struct Times {
  double wall = 0, processor = 0;
};

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline Times time_of(const std::function<void()>& work) {
  const double before = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          processor_seconds() - before};
}

// Medians over `repeat` runs after one that is not counted.
inline Times median_times(int64_t repeat, const std::function<void()>& work) {
  work();
  std::vector<double> wall, processor;
  for (int64_t i = 0; i < repeat; ++i) {
    const Times once = time_of(work);
    wall.push_back(once.wall);
    processor.push_back(once.processor);
  }
  std::sort(wall.begin(), wall.end());
  std::sort(processor.begin(), processor.end());
  return {wall[wall.size() / 2], processor[processor.size() / 2]};
}

// An update is one voxel in one view; for filters one sample, for images one pixel. `more` is further JSON
// members.
inline void report(const std::string& name, const Times& times, double updates, const std::string& more = {}) {
  std::printf(
      "{\"case\": \"%s\", \"seconds\": %.6g, \"updates_per_s\": %.6g, \"threads\": %d, \"processor_seconds\": "
      "%.6g%s}\n",
      name.c_str(), times.wall, updates / times.wall, at::get_num_threads(), times.processor, more.c_str());
  std::fflush(stdout);
}

}  // namespace tl::bench
