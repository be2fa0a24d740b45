// Comparison: how two entries of the history differ: in pipeline, parameters, and written voxels.
#pragma once

#include <optional>
#include <string>

#include "core/base/cancel.h"
#include "core/history/entry.h"
#include "core/picture/image.h"
#include "core/picture/levels.h"
#include "core/run/record/record_diff.h"

namespace tl::history {

// Comparison of two volumes of equal size.
struct ComparedVoxels {
  int64_t voxels = 0, differing = 0;
  double largest = 0;  // infinite if only one of the two voxels is a number
  double rms = 0;
  double low = 0, high = 0;             // range of the finite values of the first volume
  picture::Image first, second, apart;  // middle slices, and second - first
  picture::Levels grey;                 // grey range of the first slice, for displaying both
};

struct Comparison {
  RecordDiff record;
  std::optional<ComparedVoxels> voxels;
  std::string why_no_voxels;
};

// Compares both with their records (Store::get()). Reads both volumes completely, in bounded memory: not for a GUI
// thread. Errors: cancelled, and records that cannot be read. Missing volumes and volumes of other sizes are not an
// error.
Result<Comparison> compare(const Entry& first, const Entry& second, const Registry& registry,
                           const CancelToken& cancel = {});

}  // namespace tl::history
