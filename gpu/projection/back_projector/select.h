// The back-projector's CPU loops as tables, and the choice among them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/back_projector/cpu/columns.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// The task of a back-projector; `maps` are view_maps() of its geometry and grid, and must outlive the task.
BackProjectTask back_project_task(const BackProjectorSpec& spec, const std::vector<ViewMap>& maps);

// Properties of a task determined before its first back-projection. Refers to the maps of `task`.
struct BackProjectChoice {
  BackProjectTask task{};
  KernelChoice kernel = KernelChoice::fastest;
  ColumnKind columns = ColumnKind::none;
  std::vector<ViewMap> zero_changes;  // a zero change of every view, for the loops of the plane
  bool plane = false;                 // each slice projects into a single line of every view
};
BackProjectChoice back_project_choice(const BackProjectTask& task, KernelChoice kernel);

// One loop. apply: projections [view, row, col] -> volume [z, y, x]; transpose: volume -> projections; the output is
// overwritten. All loops that fit a task give equal results up to rounding.
struct BackProjectLoop {
  std::string_view name;   // as its file: "slices"
  std::string_view scans;  // which scans it is for
  bool (*fits)(const BackProjectChoice& choice);
  void (*run)(const BackProjectChoice& choice, const float* from, float* to, const CancelToken& cancel);
};

// In order of preference; the last one, `generic`, fits every task.
std::span<const BackProjectLoop> back_project_loops();
std::span<const BackProjectLoop> back_project_transpose_loops();

// The first loop that fits on this processor, or for the variant in TL_CPU_VARIANT.
const BackProjectLoop& back_project_loop(const BackProjectChoice& choice);
const BackProjectLoop& back_project_transpose_loop(const BackProjectChoice& choice);

}  // namespace tl::ops
