// What the alignment of bursts of frames found: its summary, its tables, and what they say of a burst.
#pragma once

#include <cstdint>
#include <vector>

#include "core/node/node_run.h"
#include "gpu/alignment/frames/local_shifts.h"

namespace tl {

constexpr double clear_shift = 3;  // sigma

// The views that are frames of each burst.
using Bursts = std::vector<std::vector<int64_t>>;

struct AlignedBurst {
  ops::FrameShifts shifts;
  ops::LocalShifts local;
  bool agrees = false;  // its frames show their shifts
};

// What all bursts together say.
struct BurstsSummary {
  double shift = 0, sigma = 0;  // rms over frames [px]
  double local = 0;             // largest rms of a burst [px]
  int64_t bursts = 0;
  int64_t disagree = 0;  // bursts whose frames do not show their shifts: they stay, and nothing else counts them
  int64_t unknown = 0;   // of the other bursts, frames whose shift the others do not show
  int64_t left_out = 0, pairs = 0;
  Verdict verdict = Verdict::none;
  [[nodiscard]] bool used() const {
    const bool seen = shift > clear_shift * sigma || local > 0;
    return seen && (verdict == Verdict::resolved || verdict == Verdict::railed);
  }
};

BurstsSummary summary_of(const std::vector<AlignedBurst>& bursts);

// By frame, a row each: "frame", "burst", "x", "y", "sigma" [px], "known", "used": 0 for all frames of bursts that do
// not show their shifts.
Table shifts_table(const Bursts& frames, const std::vector<AlignedBurst>& found, const BurstsSummary& summary);
// Control points of the bursts that have them, frames outermost and columns innermost: "burst", their numbers along
// "frames", "rows" and "cols", "x", "y" [px].
Table splines_table(const std::vector<AlignedBurst>& found);

// What the tables say of a burst.
struct BurstMap {
  ops::FrameShifts shifts;
  ops::FrameSpline spline;
  bool used = false;
};

BurstMap burst_map(const Table& shifts, const Table& splines, int64_t burst, const std::vector<int64_t>& frames,
                   const DetectorShape& detector);

}  // namespace tl
