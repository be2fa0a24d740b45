// What the iterative reconstruction nodes share: grid and slabs, warm start, missing pixels, metrics, progress, cancel.
//
// In a parallel beam with an upright axis and voxels as tall as the detector's rows the slices are independent:
// a wanted slice is computed from its detector row alone. Any other scan, or a method that couples slices, is
// one system: it is solved whole, once per run (memo), and wanted parts are cut out of it. Planes that do not lie on
// the voxels of the volume are interpolated from the slices that they cross. Where voxels are lower than the rows of an
// upright scan, or of another height in a parallel beam, one slice per row is solved; the wanted ones follow from it.
#pragma once

#include <functional>
#include <optional>

#include "core/nodes/filtered_views.h"
#include "gpu/image/total_variation/total_variation.h"
#include "gpu/solve/solve.h"

namespace tl {

// Whether the method couples neighbouring slices (total variation in three dimensions).
enum class SliceCoupling { independent, coupled };

struct IterativeParams : GridParams {
  int64_t iterations = 50;
  [[nodiscard]] SliceCoupling slice_coupling() const { return SliceCoupling::independent; }
};

// What a first image on screen is computed from: views, iterations, and averages of pixels (coarse_slab()).
constexpr int64_t views_of_first_look = 128, iterations_of_first_look = 20;

// Whether the method can differentiate its iterations, if the task asks for it.
enum class IterativeGradients { refused, passed };

// Memory that a method keeps, in multiples of the volume and of the projections.
struct SolverMemory {
  double volumes = 4, projections = 4;
};

// What a method is given: a scan and the grid that it sees.
struct IterativeTask {
  ScanGeometry geometry;
  VolumeGrid grid;
  at::Tensor data;     // finite; pixels without a value are 0 and left out by operators()
  at::Tensor present;  // 1 where a pixel has a value; undefined where all have
  at::Tensor filled;   // data with pixels that have no value filled from those around them: for direct methods
  at::Tensor start;    // [z, y, x], or undefined
  at::Tensor vectors;  // of the views, while something in the geometry is learned
  bool slices_apart = false;
  solve::IterationControl loop;

  // The projector of all views, or of subsets of them, with the data.
  [[nodiscard]] solve::Equations equations() const;
  [[nodiscard]] OperatorPtr projector() const;  // without the mask
  [[nodiscard]] std::vector<solve::Equations> subsets(int64_t count) const;
  // Norm of the projector; where slices are solved apart, that of one slice, since it is the same for all.
  [[nodiscard]] double norm() const;
  // The same of solve::filtered_operator().
  [[nodiscard]] double filtered_norm() const;
};
using IterativeSolve = std::function<at::Tensor(const IterativeTask&)>;

Result<void> check_iterative(const IterativeParams& p, const Infos& in);
Result<Infos> iterative_infos(const IterativeParams& p, const Infos& in);
Result<Regions> iterative_needs(const IterativeParams& p, const Infos& in, const Region& wanted,
                                SliceCoupling coupling);
int64_t iterative_workspace(const IterativeParams& p, const Infos& in, const Region& wanted, int64_t element_size,
                            SliceCoupling coupling, SolverMemory memory);
Result<void> run_iterative(const IterativeParams& p, NodeRun& r, SliceCoupling coupling, const IterativeSolve& solve,
                           IterativeGradients gradients = IterativeGradients::refused);

template <auto solve, class P, IterativeGradients gradients>
Result<void> run_method(const P& p, NodeRun& r) {
  return run_iterative(
      p, r, p.slice_coupling(), [&](const IterativeTask& t) { return solve(p, t); }, gradients);
}

// Differences in units of the finest voxel edge.
ops::DifferenceWeights difference_weights(const VolumeGrid& grid);

// Ports and shared parameters; P derives from IterativeParams.
template <class P>
void describe_iterative_node(NodeBuilder<P>& n, IterativeGradients gradients = IterativeGradients::refused) {
  n.category("Reconstruction").on_gpu().first_look_views(views_of_first_look);
  if (gradients == IterativeGradients::refused) n.not_differentiable("its iterations are not recorded");
  n.template input<Projections>("projections", "Absorption (line integrals) of any scan.");
  n.template input<Volume>("start", "A volume to start from, for example that of FBP or FDK; otherwise a constant.",
                           false);
  n.template output<Volume>("volume", "Attenuation, slices along the rotation axis.");
  n.param("iterations", "Iterations", &P::iterations)
      .range(1, 100000)
      .help("Number of updates of the estimate; early iterations give coarse structure, later ones detail and noise.");
}

// The grid and the functions of a node whose iterations are `solve`: (params, task) to the volume. Besides
// slice_coupling(), P says what memory the method keeps: solver_memory().
template <auto solve, class P>
void declare_method(NodeBuilder<P>& n, IterativeGradients gradients = IterativeGradients::refused) {
  declare_grid(n, "the pixel size at the axis");
  n.check([](const P& p, const Infos& in) { return check_iterative(p, in); })
      .infos([](const P& p, const Infos& in, const Findings*) { return iterative_infos(p, in); })
      .needs([](const P& p, const Infos& in, const Region& wanted) {
        return iterative_needs(p, in, wanted, p.slice_coupling());
      })
      .workspace([](const P& p, const Infos& in, const Region& wanted, int64_t element_size) {
        return iterative_workspace(p, in, wanted, element_size, p.slice_coupling(), p.solver_memory());
      });
  const auto run = gradients == IterativeGradients::passed ? &run_method<solve, P, IterativeGradients::passed>
                                                           : &run_method<solve, P, IterativeGradients::refused>;
  n.run(run);
}

}  // namespace tl
