// Plan: sections and blocks, decided before the start from the memory budget.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/values/infos.h"

namespace tl {

// The direction in which a region is cut.
enum class CutAxis { none, views, rows, z };
std::string_view to_string(CutAxis axis);

// About `count` pieces along an axis, in ascending order (fewer where the axis is shorter). Pieces of many lines have a
// multiple of lines_at_once, but for the last one.
std::vector<Region> cut(const Region& region, CutAxis axis, int64_t count);
// Rows or slices that the vector code of the operators takes together: thinner pieces would waste it.
inline constexpr int64_t lines_at_once = 32;
int64_t extent(const Region& region, CutAxis axis);

// Bytes on the processor's side and on a card's.
struct Memory {
  int64_t host = 0, card = 0;

  [[nodiscard]] bool within(const Memory& budget) const { return host <= budget.host && card <= budget.card; }
  Memory& operator+=(const Memory& more) {
    host += more.host;
    card += more.card;
    return *this;
  }
  friend Memory operator+(Memory a, const Memory& b) { return a += b; }
  friend Memory most(const Memory& a, const Memory& b) { return {std::max(a.host, b.host), std::max(a.card, b.card)}; }
};

// One pass over blocks. A section ends in an output node or reduction, or in a stored intermediate result.
struct Section {
  std::string node, port;  // port empty: the node itself consumes the blocks
  CutAxis axis = CutAxis::none;
  std::vector<Region> blocks;
  int64_t peak = 0;              // bytes that the hungriest block needs
  int64_t card_peak = 0;         // the same on the card
  int64_t stored = 0;            // bytes of the stored result
  bool in_scratch_file = false;  // stored on disk because memory does not hold it
};

struct Plan {
  std::vector<Section> sections;
  int64_t budget = 0;                      // bytes
  int64_t peak = 0;                        // of all sections, stored results in memory included
  int64_t card_budget = 0, card_peak = 0;  // the same on the card; 0 where none is used
};

}  // namespace tl
