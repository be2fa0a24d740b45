// Chooses among the projector's CPU loops by tables, fastest first. A new CPU loop is a row here; CUDA kernels are not.
#include "gpu/projection/projector/select.h"

#include <algorithm>
#include <array>

#include "gpu/projection/projector/cpu/cone_untilted.h"
#include "gpu/projection/projector/shared/kernels.h"

namespace tl::ops {
namespace {

template <class T>
constexpr ProjectLoop<T> parallel_untilted = {
    "parallel_untilted", "parallel beam without tilt", [](const ProjectChoice& c) { return !c.parallel.views.empty(); },
    [](const ProjectChoice& c, const T* from, T* to, const CancelToken& cancel) {
      project_parallel_untilted<T>(c.task, c.parallel, {&from, 1}, {&to, 1}, cancel);
    },
    [](const ProjectChoice& c, const T* from, T* to, const CancelToken& cancel) {
      project_parallel_untilted_transpose<T>(c.task, c.parallel, {&from, 1}, {&to, 1}, cancel);
    }};

constexpr ProjectLoop<float> cone_untilted = {
    "cone_untilted", "circular cone beam without tilt, about one voxel per row",
    [](const ProjectChoice& c) { return c.cone_untilted; },
    [](const ProjectChoice& c, const float* from, float* to, const CancelToken& cancel) {
      project_cone_untilted(c.task, from, to, cancel);
    },
    [](const ProjectChoice& c, const float* from, float* to, const CancelToken& cancel) {
      project_cone_untilted_transpose(c.task, from, to, cancel);
    }};

template <class T>
constexpr ProjectLoop<T> generic = {"generic", "any", [](const ProjectChoice&) { return true; },
                                    [](const ProjectChoice& c, const T* from, T* to, const CancelToken& cancel) {
                                      project_generic(c.task, from, to, cancel);
                                    },
                                    [](const ProjectChoice& c, const T* from, T* to, const CancelToken& cancel) {
                                      project_transpose(c.task, from, to, cancel);
                                    }};

constexpr std::array<ProjectLoop<float>, 3> float_loops = {parallel_untilted<float>, cone_untilted, generic<float>};
constexpr std::array<ProjectLoop<double>, 2> double_loops = {parallel_untilted<double>, generic<double>};

}  // namespace

ProjectTask project_task(const ProjectorSpec& spec, const std::vector<RayFan>& fans) {
  const DetectorShape& d = spec.geometry.detector();
  const VolumeGrid& g = spec.grid;
  return {fans.data(),
          spec.geometry.views(),
          d.rows,
          d.cols,
          {g.nx, g.ny, g.nz},
          {1, g.nx, g.nx * g.ny},
          {norm(g.step_x), norm(g.step_y), norm(g.step_z)},
          spec.geometry.is_parallel() ? 0 : 1};
}

ProjectChoice project_choice(const ProjectTask& task, KernelChoice kernel) {
  ProjectChoice choice;
  choice.task = task;
  if (kernel != KernelChoice::fastest) return choice;
  choice.parallel = untilted_parallel_scan(task);
  choice.cone_untilted = choice.parallel.views.empty() && is_cone_untilted(task);
  return choice;
}

template <>
std::span<const ProjectLoop<float>> project_loops() {
  return float_loops;
}
template <>
std::span<const ProjectLoop<double>> project_loops() {
  return double_loops;
}

template <class T>
const ProjectLoop<T>& project_loop(const ProjectChoice& choice) {
  const auto table = project_loops<T>();
  return *std::find_if(table.begin(), table.end(), [&](const ProjectLoop<T>& loop) { return loop.fits(choice); });
}
template const ProjectLoop<float>& project_loop(const ProjectChoice&);
template const ProjectLoop<double>& project_loop(const ProjectChoice&);

}  // namespace tl::ops
