// Comparison: what two entries of the history have differently: pipeline, parameters, and the voxels that they wrote.
#pragma once

#include <optional>
#include <string>

#include "core/base/cancel.h"
#include "core/history/entry.h"
#include "core/picture/image.h"
#include "core/picture/levels.h"
#include "core/run/record/record_diff.h"

namespace tl::history {

// Of two volumes of equal size.
struct ComparedVoxels {
  int64_t voxels = 0, differing = 0;
  double largest = 0;  // infinite where only one of the two is a number
  double rms = 0;
  double low = 0, high = 0;             // the finite values of the first volume
  picture::Image first, second, apart;  // middle slices, and second - first
  picture::Levels grey;                 // of the first slice, to show both with
};

struct Comparison {
  RecordDiff record;
  std::optional<ComparedVoxels> voxels;
  std::string why_no_voxels;
};

// Both with their records (Store::get()). Reads both volumes as a whole, in bounded memory: not for a GUI thread.
// Errors: cancelled, and records that cannot be read. Volumes that are missing or of other sizes are not an error.
Result<Comparison> compare(const Entry& first, const Entry& second, const Registry& registry,
                           const CancelToken& cancel = {});

}  // namespace tl::history
