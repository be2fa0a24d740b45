// Chooses among the back-projector's CPU loops by tables, fastest first. A new CPU loop is a row here; CUDA kernels are
// not.
#include "gpu/projection/back_projector/select.h"

#include <algorithm>
#include <array>

#include "gpu/device/cpu_variant.h"
#include "gpu/projection/back_projector/cpu/blocks.h"
#include "gpu/projection/back_projector/cpu/columns_transpose.h"
#include "gpu/projection/back_projector/cpu/plane.h"
#include "gpu/projection/back_projector/cpu/slices.h"
#include "gpu/projection/back_projector/shared/kernels.h"

namespace tl::ops {
namespace {

using Choice = BackProjectChoice;

// Permuted registers are the fastest for any number of slices. Without them, vectors of slices are faster than single
// voxels if there are enough slices to fill the vectors.
bool slices_fit(const Choice& c) {
  if (c.columns != ColumnKind::fixed_rows) return false;
  return best_cpu_variant() != CpuVariant::plain ? squares_fit(c.task) : c.task.nz < 4;
}

// For geometries without long voxel columns that project into single detector columns. Pixel indices must fit into 32
// bits.
bool blocks_fit(const Choice& c) {
  if (c.kernel == KernelChoice::generic || c.task.rows * c.task.cols > (int64_t{1} << 30)) return false;
  return c.columns == ColumnKind::none || (c.columns == ColumnKind::moving_rows && c.task.nz < 8);
}

// The column loops use slices as vector lanes; for fewer slices than this the plane loops are faster.
bool columns_transpose_fit(const Choice& c) {
  constexpr int64_t worth_lanes = 4;
  return c.columns != ColumnKind::none && (!c.plane || c.task.nz >= worth_lanes);
}

constexpr std::array<BackProjectLoop, 5> loops = {{
    {"slices", "parallel beam without tilt", slices_fit,
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_slices(c.task, from, to, cancel);
     }},
    {"plane", "one detector line per slice: fans, few slices", [](const Choice& c) { return c.plane && blocks_fit(c); },
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_plane(c.task, c.zero_changes.data(), from, to, nullptr, cancel);
     }},
    {"blocks", "any geometry and grid", blocks_fit,
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_blocks(c.task, from, to, cancel);
     }},
    {"columns", "circular scans without tilt", [](const Choice& c) { return c.columns != ColumnKind::none; },
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_columns(c.task, c.columns, from, to, cancel);
     }},
    {"generic", "any", [](const Choice&) { return true; },
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_generic(c.task, from, to, cancel);
     }},
}};

constexpr std::array<BackProjectLoop, 3> transpose_loops = {{
    {"columns", "circular scans without tilt", columns_transpose_fit,
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_columns_transpose(c.task, c.columns, from, to, cancel);
     }},
    {"plane", "one detector line per slice: fans, few slices", [](const Choice& c) { return c.plane; },
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_plane_transpose(c.task, c.zero_changes.data(), from, nullptr, to, cancel);
     }},
    {"generic", "any", [](const Choice&) { return true; },
     [](const Choice& c, const float* from, float* to, const CancelToken& cancel) {
       back_project_transpose(c.task, from, to, cancel);
     }},
}};

const BackProjectLoop& first_that_fits(std::span<const BackProjectLoop> table, const Choice& choice) {
  return *std::find_if(table.begin(), table.end(), [&](const BackProjectLoop& loop) { return loop.fits(choice); });
}

}  // namespace

BackProjectTask back_project_task(const BackProjectorSpec& spec, const std::vector<ViewMap>& maps) {
  const DetectorShape& d = spec.geometry.detector();
  return {maps.data(),
          spec.geometry.views(),
          d.rows,
          d.cols,
          spec.grid.nz,
          spec.grid.ny,
          spec.grid.nx,
          spec.distance == DistanceWeight::fdk ? DistanceMode::fdk : DistanceMode::none,
          spec.geometry.is_parallel() ? 0 : 1};
}

BackProjectChoice back_project_choice(const BackProjectTask& task, KernelChoice kernel) {
  BackProjectChoice choice;
  choice.task = task;
  choice.kernel = kernel;
  if (kernel != KernelChoice::fastest) return choice;
  choice.columns = column_kind(task);
  choice.zero_changes.resize(static_cast<std::size_t>(task.views));
  choice.plane = plane_fits(task, choice.zero_changes.data());
  return choice;
}

std::span<const BackProjectLoop> back_project_loops() { return loops; }
std::span<const BackProjectLoop> back_project_transpose_loops() { return transpose_loops; }

const BackProjectLoop& back_project_loop(const BackProjectChoice& choice) { return first_that_fits(loops, choice); }
const BackProjectLoop& back_project_transpose_loop(const BackProjectChoice& choice) {
  return first_that_fits(transpose_loops, choice);
}

}  // namespace tl::ops
