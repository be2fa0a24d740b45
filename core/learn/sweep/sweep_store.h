// Stores the finished points of a sweep while it runs, and makes a table, report and montage of them.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/io/bytes/file_descriptor.h"
#include "core/learn/sweep/sweep.h"
#include "core/values/hash.h"

namespace tl::learn {

// A point with its tile [y, x] (float32; undefined without images).
struct SweepResult {
  SweepPoint point;
  at::Tensor tile;
};

// Results in a folder, one file per point: numbers exact to the last bit, with checksums. A file that is damaged or
// belongs to another point or sweep counts as missing.
class SweepStore {
 public:
  // Opens or creates the folder and locks its index. Errors: invalid (the folder is an input, not a sweep's, or belongs
  // to another sweep (`job` differs) and may not be replaced), io (another run is using it).
  static Result<SweepStore> open(const std::filesystem::path& folder, const Hash& job, const io::OutputRules& rules);
  // Whether there is a folder of exactly this sweep, left by a run that did not end. Changes nothing.
  static bool is_of(const std::filesystem::path& folder, const Hash& job);
  [[nodiscard]] std::optional<SweepResult> find(std::size_t index) const;
  Result<void> keep(std::size_t index, const SweepResult& result) const;
  // Deletes the folder after the sweep has finished.
  void remove();

 private:
  SweepStore(std::filesystem::path folder, io::FileDescriptor index, const Hash& job, io::OutputRules rules)
      : folder_(std::move(folder)), index_(std::move(index)), job_(job), rules_(std::move(rules)) {}
  [[nodiscard]] std::string identity(std::size_t index) const;
  std::filesystem::path folder_;
  io::FileDescriptor index_;  // holds the lock
  Hash job_;
  io::OutputRules rules_;
};

// Tiles in rows of `across`, all with the same grey window, each with its values and score above; the best one is
// framed. Grey values 0 to 1, [y, x], row 0 at the top.
at::Tensor sweep_montage(const std::vector<SweepResult>& results, int64_t across, std::optional<std::size_t> best);

std::string sweep_csv(const SweepReport& report, const SweepRequest& request);
// {"format": "tomoloom-sweep", "parameters", "score", "points", "best", "pipeline"}
std::string sweep_json(const SweepReport& report, const SweepRequest& request, const Graph& graph);

}  // namespace tl::learn
