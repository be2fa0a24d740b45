// The cases of bench_stream, and the table that they fill. Each measures with what it is compared with in turn.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/stream/sent_scan.h"

namespace tl::bench {

class StreamTable {
 public:
  enum class Better { less, more };
  // `must` and `goal`: what is asked; nothing where nothing is.
  struct Row {
    std::string what;
    double value = 0;
    std::string unit;
    std::optional<double> must = {}, goal = {};
    Better better = Better::less;
    std::string remark = {};
  };
  void add(Row row) {
    std::fprintf(stderr, "%s: %.3g %s %s\n", row.what.c_str(), row.value, row.unit.c_str(), row.remark.c_str());
    rows_.push_back(std::move(row));
  }
  void print() const {
    std::printf("| what | measured | must | goal | |\n| --- | --- | --- | --- | --- |\n");
    for (const Row& r : rows_) {
      const bool missed = r.must && (r.better == Better::less ? r.value > *r.must : r.value < *r.must);
      const char* mark = missed ? "**" : "";
      std::printf("| %s | %s%.3g%s%s%s | %s | %s | %s |\n", r.what.c_str(), mark, r.value, r.unit.empty() ? "" : " ",
                  r.unit.c_str(), mark, asked(r.must).c_str(), asked(r.goal).c_str(), r.remark.c_str());
    }
  }

 private:
  static std::string asked(const std::optional<double>& value) {
    char text[32] = "";
    if (value) std::snprintf(text, sizeof text, "%g", *value);
    return text;
  }
  std::vector<Row> rows_;
};

// A batch of new views through the live engine over its operators alone, and a hop over the batch.
void time_windows(const SentScan& scan, int64_t repeat, StreamTable& table);
// Receiving over a bare loop, recording over plain writes: the share of the plain loop's speed that ours has.
void time_transport(const SentScan& scan, int64_t frames, const std::filesystem::path& folder, int64_t repeat,
                    StreamTable& table);

struct StudioUse {
  double rate = 33, seconds = 30;  // frames per second; of frames
  double settled = 10;             // memory is looked at from then on [s]
};
// A window in use while frames come: from the last frame of a hop to its images, the longest stall of the window, and
// how memory grows.
void time_studio(const SentScan& scan, const StudioUse& use, StreamTable& table);

}  // namespace tl::bench
