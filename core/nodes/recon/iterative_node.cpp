// Implements what the iterative reconstruction nodes share: slabs, memo, missing pixels and interpolated planes.
#include "core/nodes/recon/iterative_node.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/grid_box.h"
#include "core/base/grid_projection.h"
#include "core/nodes/recon/coarse_slab.h"
#include "core/values/crop.h"
#include "core/values/interpolated.h"
#include "gpu/correction/unusable_values.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/masked_operator.h"
#include "gpu/solve/repeated_ends.h"

namespace tl {
namespace {

// Detector row of a slice in an untilted parallel beam.
double row_of(const ScanGeometry& geometry, const VolumeGrid& grid, int64_t slice) {
  return geometry.project(0, grid.position(static_cast<double>(slice), 0, 0)).row;
}

// The grid that is solved for the one that is wanted. Rows do not show what lies between them: where the wanted voxels
// are lower than the rows of an upright scan, there is one slice per row, and the wanted ones are interpolated. In a
// parallel beam there is one slice per row in any case: slices are then independent and the same up to the edges of the
// field, whichever method solves them, and higher voxels are the mean of those in them.
VolumeGrid solved_grid(const ScanGeometry& geometry, const VolumeGrid& wanted) {
  constexpr double rounding = 1e-6;  // of a voxel
  const VolumeGrid natural = default_grid(geometry);
  const double ratio = norm(wanted.step_z) / norm(natural.step_z);
  const bool kept = std::abs(ratio - 1) < rounding || (ratio > 1 && !geometry.is_parallel());
  if (kept || !geometry.is_plain_circular()) return wanted;
  VolumeGrid grid = wanted;
  grid.nz = natural.nz;
  grid.step_z = natural.step_z;
  grid.centre.z = natural.centre.z;
  return grid;
}

// Slices of the same columns at other heights: interpolated between slices where they are lower than these, the mean of
// all that lies in them where they are higher; none looks beyond the ends of the volume.
at::Tensor slices_at(const at::Tensor& volume, const VolumeGrid& from, const VolumeGrid& to) {
  const double height = norm(to.step_z) / norm(from.step_z), last = static_cast<double>(from.nz - 1);
  at::Tensor weights = at::zeros({to.nz, from.nz}, at::kDouble);
  for (int64_t k = 0; k < to.nz; ++k) {
    const double at = fractional_index(from, to.position(static_cast<double>(k), 0, 0)).k;
    const double centre = std::clamp(at, 0.0, last), low = at - 0.5 * height, high = at + 0.5 * height;
    double sum = 0;
    double* w = weights.mutable_data_ptr<double>() + k * from.nz;
    for (int64_t i = 0; i < from.nz; ++i) {
      const auto slice = static_cast<double>(i);
      w[i] = height > 1 ? std::max(0.0, std::min(high, slice + 0.5) - std::max(low, slice - 0.5))
                        : std::max(0.0, 1 - std::abs(slice - centre));
      sum += w[i];
    }
    TL_CHECK(sum > 0, "a slice beyond the volume");
    for (int64_t i = 0; i < from.nz; ++i) w[i] /= sum;
  }
  return at::matmul(weights.to(volume.device(), volume.scalar_type()), volume.flatten(1))
      .view({to.nz, volume.size(1), volume.size(2)});
}

// The projector of a grid that a method solves. In an upright scan the outermost slices are repeated once, so that rays
// beyond their centres meet the same values.
OperatorPtr slices_projector(const ScanGeometry& geometry, const VolumeGrid& grid, const CancelToken& cancel) {
  constexpr double rounding = 1e-6;  // of a row
  const double last = static_cast<double>(geometry.detector().rows - 1);
  const bool inside = row_of(geometry, grid, 0) > last - rounding && row_of(geometry, grid, grid.nz - 1) < rounding;
  if (inside || !geometry.is_plain_circular()) return make_projector({geometry, grid, cancel}).or_throw();
  VolumeGrid longer = grid;
  longer.nz += 2;
  return solve::with_repeated_ends(make_projector({geometry, longer, cancel}).or_throw());
}

// One detector row per slice and vice versa.
bool slices_apart(const ScanGeometry& geometry, const VolumeGrid& grid, SliceCoupling coupling) {
  constexpr double same = 1e-6;  // of a row
  if (coupling == SliceCoupling::coupled || !geometry.is_parallel() || !geometry.is_plain_circular()) return false;
  const double last = static_cast<double>(geometry.detector().rows - 1);
  return grid.nz == geometry.detector().rows && std::abs(row_of(geometry, grid, 0) - last) < same &&
         std::abs(row_of(geometry, grid, grid.nz - 1)) < same;
}

// The slices that are solved for a wanted grid, and the position of the wanted grid in them.
struct Slab {
  bool apart = false;
  Range slices;                // of the full grid
  std::optional<GridBox> box;  // of the wanted grid in the full one; otherwise it is interpolated
};

Slab slab_for(const ScanGeometry& geometry, const VolumeGrid& full, const VolumeGrid& wanted, SliceCoupling coupling) {
  Slab s{slices_apart(geometry, full, coupling), {0, full.nz}, box_in(full, wanted)};
  if (!s.apart) return s;
  if (s.box) {
    s.slices = s.box->z;
    return s;
  }
  double lowest = static_cast<double>(full.nz), highest = -1;
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [corner](int bit, int64_t n) {
      return (corner >> bit & 1) != 0 ? static_cast<double>(n - 1) : 0.0;
    };
    const double k = fractional_index(full, wanted.position(end(2, wanted.nz), end(1, wanted.ny), end(0, wanted.nx))).k;
    lowest = std::min(lowest, k);
    highest = std::max(highest, k);
  }
  // Higher slices are the mean of those in them.
  const double height = norm(wanted.step_z) / norm(full.step_z), reach = height > 1 ? 0.5 * height : 0;
  lowest -= reach;
  highest += reach;
  const double limit = static_cast<double>(full.nz - 1);
  s.slices = {static_cast<int64_t>(std::floor(std::clamp(lowest, 0.0, limit))),
              static_cast<int64_t>(std::ceil(std::clamp(highest, 0.0, limit))) + 1};
  return s;
}

// The part of the input that a slab sees.
Projections input_of_slab(NodeRun& r, const VolumeGrid& grid, bool apart) {
  Projections in = r.in<Projections>("projections");
  if (!apart) return in;
  const auto top = static_cast<int64_t>(std::llround(row_of(in.geometry, grid, grid.nz - 1)));
  return crop(in, {{0, in.geometry.views()}, {top, top + grid.nz}, {0, in.geometry.detector().cols}});
}

struct SolvedSlab {
  at::Tensor volume;
  VolumeGrid grid;
};

// A first image: few iterations with large pixels, without what else the node reports or starts from.
SolvedSlab solve_coarsely(const IterativeParams& p, NodeRun& r, const VolumeGrid& grid, int64_t factor, bool apart,
                          const IterativeSolve& solve) {
  const Projections in = input_of_slab(r, grid, apart);
  const ops::UsableViews usable = ops::fill_unusable_values(in.data.contiguous(), 0, &in.geometry);
  IterativeTask task;
  task.loop.iterations = std::min(p.iterations, iterations_of_first_look);
  task.loop.cancel = r.cancel();
  CoarseSlab coarse = coarse_slab(in.geometry, usable.data, grid, factor, apart);
  task.geometry = std::move(coarse.geometry);
  task.grid = coarse.grid;
  task.data = task.filled = coarse.data;
  task.slices_apart = apart;
  return {solve(task), coarse.grid};
}

// Solves a slab without the pixels that have no value.
at::Tensor solve_slab(const IterativeParams& p, NodeRun& r, const VolumeGrid& grid, bool apart,
                      const IterativeSolve& solve) {
  const Projections in = input_of_slab(r, grid, apart);
  IterativeTask task;
  task.geometry = in.geometry;
  task.grid = grid;
  task.data = in.data.contiguous();
  task.slices_apart = apart;
  task.vectors = in.vectors;
  const ops::UsableViews usable = ops::fill_unusable_values(dual_parts(task.data).value.detach(), 0, &in.geometry);
  task.filled = usable.data;
  if (const ops::UnusableValues& found = usable.found; found.any()) {
    const at::Tensor kept = dual_parts(task.data).value.detach().eq(usable.data);
    task.present = kept.to(task.data.scalar_type());
    task.data = at::where(kept, task.data, at::zeros({}, task.data.options()));
    r.message(LogLevel::warning, std::to_string(found.values) + " of " + std::to_string(task.data.numel()) +
                                     " values are not finite or beyond 4e9, " + std::to_string(found.dead_views) +
                                     " views are constant (all pixels equal); the first is view " +
                                     std::to_string(found.values > 0 ? found.view : found.first_dead) +
                                     ": they are left out");
  }
  if (r.has_in("start")) task.start = r.in<Volume>("start").data.to(task.data.scalar_type()).contiguous();
  task.loop.iterations = p.iterations;
  task.loop.cancel = r.cancel();
  task.loop.report = [&r, &p](const solve::IterationReport& step) {
    r.metric("residual", step.iteration, step.residual);
    r.metric("objective", step.iteration, step.objective);
    r.host().event([&](EventSink& sink) { sink.node_progress(r.node(), step.iteration, p.iterations); });
  };
  return solve(task);
}

}  // namespace

OperatorPtr IterativeTask::projector() const { return slices_projector(geometry, grid, loop.cancel); }

solve::Equations IterativeTask::equations() const {
  const OperatorPtr op = projector();
  return {present.defined() ? solve::masked_operator(op, present) : op, data};
}

std::vector<solve::Equations> IterativeTask::subsets(int64_t count) const {
  if (count <= 1) return {equations()};
  std::vector<solve::Equations> all;
  for (const std::vector<int64_t>& views : solve::ordered_subsets(geometry, count)) {
    const OperatorPtr op = slices_projector(geometry.select(views), grid, loop.cancel);
    const at::Tensor chosen = at::tensor(at::ArrayRef<int64_t>(views), at::kLong).to(data.device());
    all.push_back({present.defined() ? solve::masked_operator(op, present.index_select(0, chosen)) : op,
                   data.index_select(0, chosen)});
  }
  return all;
}

namespace {

// All slices, or one of them where they are solved apart: its norm is that of each.
OperatorPtr projector_of_norm(const IterativeTask& t) {
  if (!t.slices_apart) return t.projector();
  const int64_t row = t.geometry.detector().rows - 1;
  return make_projector({t.geometry.crop({{0, t.geometry.views()}, {row, row + 1}, {0, t.geometry.detector().cols}}),
                         t.grid.slab({0, 1}), t.loop.cancel})
      .or_throw();
}

double bound_of_norm(const LinearOperator& op, const IterativeTask& t) {
  // Power iterations find it from below; steps must not be too long.
  constexpr double margin = 1.01;
  return margin * solve::operator_norm(op, t.data.options(), t.loop.cancel);
}

}  // namespace

double IterativeTask::norm() const { return bound_of_norm(*projector_of_norm(*this), *this); }

double IterativeTask::filtered_norm() const {
  return bound_of_norm(*solve::filtered_operator(projector_of_norm(*this), data.options()), *this);
}

ops::DifferenceWeights difference_weights(const VolumeGrid& grid) {
  const double z = tl::norm(grid.step_z), y = tl::norm(grid.step_y), x = tl::norm(grid.step_x);
  const double finest = std::min({z, y, x});
  return {finest / z, finest / y, finest / x};
}

Result<void> check_iterative(const IterativeParams& p, const Infos& in) {
  TL_TRY(require_line_integrals(scan_of(in)));
  TL_TRY(wanted_grid(scan_of(in).geometry, p, {}));
  return ok();
}

Result<Infos> iterative_infos(const IterativeParams& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  TL_TRY(VolumeGrid grid, wanted_grid(scan.geometry, p, {}));
  const Unit unit = scan.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return Infos{{"volume", VolumeInfo{grid, unit, scan.pending, voxel_size_of(scan)}}};
}

Result<Regions> iterative_needs(const IterativeParams& p, const Infos& in, const Region& wanted,
                                SliceCoupling coupling) {
  const ScanGeometry& geometry = scan_of(in).geometry;
  TL_TRY(VolumeGrid full, wanted_grid(geometry, p, {}));
  full = solved_grid(geometry, full);
  const Slab slab = slab_for(geometry, full, std::get<VolumeGrid>(wanted), coupling);
  ScanRegion views = geometry.full();
  if (slab.apart) {
    const int64_t rows = geometry.detector().rows;
    views.rows = {rows - slab.slices.end, rows - slab.slices.begin};
  }
  Regions needed{{"projections", views}};
  if (in.count("start") != 0) needed["start"] = full.slab(slab.slices);
  return needed;
}

int64_t iterative_workspace(const IterativeParams& p, const Infos& in, const Region& wanted, int64_t element_size,
                            SliceCoupling coupling, SolverMemory memory) {
  const ScanGeometry& geometry = scan_of(in).geometry;
  const auto known = wanted_grid(geometry, p, {});
  if (!known.ok()) return 0;
  const VolumeGrid full = solved_grid(geometry, known.value());
  const Slab slab = slab_for(geometry, full, std::get<VolumeGrid>(wanted), coupling);
  const int64_t rows = slab.apart ? slab.slices.size() : geometry.detector().rows;
  const double volume = static_cast<double>(full.slab(slab.slices).count());
  const double data = static_cast<double>(geometry.views() * rows * geometry.detector().cols);
  return static_cast<int64_t>(static_cast<double>(element_size) *
                              (memory.volumes * volume + memory.projections * data));
}

Result<void> run_iterative(const IterativeParams& p, NodeRun& r, SliceCoupling coupling, const IterativeSolve& solve,
                           IterativeGradients gradients) {
  if (r.learning && gradients == IterativeGradients::refused)
    return invalid("gradients do not pass through an iterative reconstruction", r.node(),
                   "Learn with FBP, FDK or total variation instead, or learn no parameter before it");
  const ProjectionsInfo& scan = r.info<ProjectionsInfo>("projections");
  const auto& wanted = std::get<VolumeGrid>(r.region);
  TL_TRY(const VolumeGrid announced, wanted_grid(scan.geometry, p, {}));
  const VolumeGrid full = solved_grid(scan.geometry, announced);
  const Slab slab = slab_for(scan.geometry, full, wanted, coupling);
  const VolumeGrid grid = full.slab(slab.slices);
  const std::string name = "slices " + std::to_string(slab.slices.begin) + " to " + std::to_string(slab.slices.end);
  const auto element = static_cast<int64_t>(at::elementSize(r.dtype));
  const Unit unit = scan.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  if (r.first_look) {
    const int64_t factor = coarse_factor(r.in<Projections>("projections").geometry, grid, wanted,
                                         std::min(p.iterations, iterations_of_first_look));
    const int64_t bytes = grid.count() * element / (factor * factor);
    const auto look = r.memo<SolvedSlab>(name + " by " + std::to_string(factor), bytes, [&] {
      return std::make_shared<SolvedSlab>(solve_coarsely(p, r, grid, factor, slab.apart, solve));
    });
    return r.done("volume", Volume{interpolated(look->volume, look->grid, wanted), wanted, unit});
  }
  const auto volume = r.memo<at::Tensor>(name, grid.count() * element, [&] {
    return std::make_shared<at::Tensor>(solve_slab(p, r, grid, slab.apart, solve));
  });
  at::Tensor part;
  if (slab.box) {
    part = volume->narrow(0, slab.box->z.begin - slab.slices.begin, slab.box->z.size())
               .narrow(1, slab.box->y.begin, slab.box->y.size())
               .narrow(2, slab.box->x.begin, slab.box->x.size())
               .contiguous();
  } else if (const auto box = box_in(announced, wanted)) {
    part =
        slices_at(volume->narrow(1, box->y.begin, box->y.size()).narrow(2, box->x.begin, box->x.size()), grid, wanted)
            .contiguous();
  } else {
    r.message(LogLevel::info,
              "the wanted plane does not lie on the voxels: interpolated from the reconstructed slices");
    part = interpolated(*volume, grid, wanted);
  }
  return r.done("volume", Volume{part, wanted, unit});
}

}  // namespace tl
