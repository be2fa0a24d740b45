// Plan: the sections and blocks of a run, decided before its start from the memory budget.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/run/common/node_work.h"
#include "core/values/infos.h"

namespace tl {

// The axis along which a region is cut.
enum class CutAxis { none, views, rows, z };
std::string_view to_string(CutAxis axis);

// Cuts a region into about `count` pieces along an axis, in ascending order (fewer if the axis is shorter). Pieces
// longer than lines_at_once have a multiple of that many lines, except the last.
std::vector<Region> cut(const Region& region, CutAxis axis, int64_t count);
// Number of rows or slices that the operators' vector code processes together; thinner pieces waste vector lanes.
inline constexpr int64_t lines_at_once = 32;
int64_t extent(const Region& region, CutAxis axis);

// Bytes in host memory and in GPU memory.
struct Memory {
  int64_t host = 0, gpu = 0;

  [[nodiscard]] bool within(const Memory& budget) const { return host <= budget.host && gpu <= budget.gpu; }
  Memory& operator+=(const Memory& more) {
    host += more.host;
    gpu += more.gpu;
    return *this;
  }
  friend Memory operator+(Memory a, const Memory& b) { return a += b; }
  friend Memory most(const Memory& a, const Memory& b) { return {std::max(a.host, b.host), std::max(a.gpu, b.gpu)}; }
};

// One pass over blocks. A section ends in an output node, a reducing node or a stored intermediate result.
struct Section {
  std::string node, port;  // empty port: the node itself consumes the blocks
  CutAxis axis = CutAxis::none;
  std::vector<Region> blocks;
  int64_t peak = 0;              // bytes of host memory for the largest block
  int64_t gpu_peak = 0;          // the same on the GPU
  int64_t stored = 0;            // bytes of the stored result
  bool in_scratch_file = false;  // stored on disk because memory does not suffice
  // While a block is computed, the files of the next one are read and the previous one is written: memory is reserved
  // for all three.
  bool overlaps = false;
};

struct Plan {
  std::vector<Section> sections;
  int64_t budget = 0;                    // bytes
  int64_t peak = 0;                      // over all sections, stored results in memory included
  int64_t gpu_budget = 0, gpu_peak = 0;  // budget and peak on the GPU; 0 if none is used
  // Only for Executor::forecast(): the work of each node that is neither cached nor a measurement.
  std::map<std::string, NodeWork> work;
};

}  // namespace tl
