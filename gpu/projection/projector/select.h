// The projector's CPU loops as tables, and the choice among them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/projection/projector/cpu/parallel_untilted.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// The task of a projector; `fans` are ray_fans() of its geometry and grid, and must outlive the task.
ProjectTask project_task(const ProjectorSpec& spec, const std::vector<RayFan>& fans);

// Properties of a task determined before its first projection. Refers to the fans of `task`.
struct ProjectChoice {
  ProjectTask task{};
  UntiltedParallelScan parallel;  // without views for other kinds of scans
  bool cone_untilted = false;
};
ProjectChoice project_choice(const ProjectTask& task, KernelChoice kernel);

// One loop. forward: volume [z, y, x] -> projections [view, row, col]; transpose: projections -> volume; the output is
// overwritten. All loops that fit a task give equal results up to rounding.
template <class T>
struct ProjectLoop {
  using Run = void (*)(const ProjectChoice& choice, const T* from, T* to, const CancelToken& cancel);
  std::string_view name;   // as its file: "parallel_untilted"
  std::string_view scans;  // which scans it is for
  bool (*fits)(const ProjectChoice& choice);
  Run forward, transpose;
};

// In order of preference, for float and double; the last one, `generic`, fits every task.
template <class T>
std::span<const ProjectLoop<T>> project_loops();

// The first loop that fits.
template <class T>
const ProjectLoop<T>& project_loop(const ProjectChoice& choice);

}  // namespace tl::ops
