// Phantoms of strands, scanned and reconstructed.
#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/train/cases/generated_cases.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/projection/view_weights.h"
#include "gpu/simulate/labelled_phantom.h"
#include "gpu/simulate/poisson.h"

namespace tl::train {
namespace {

constexpr double voxel_size = 0.01;  // [mm]
constexpr int64_t fibre_views = 60;
constexpr double absorbed = 0.7, photons = 2000;
constexpr double tube_wall = 0.12;  // share of its radius
// Grey values by number: air, matrix, strands, spheres.
constexpr std::array<double, 4> grey_of_spheres{0, 0.5, 1, 1}, grey_in_container{0, 0.3, 0.6, 0.3};
double grey_of_tube(FibreBodies bodies) { return bodies == FibreBodies::thin ? 1 : grey_in_container[1]; }

ops::LabelledPhantomSpec spec_of(FibreBodies bodies) {
  ops::LabelledPhantomSpec spec;
  spec.scene = ops::LabelledSceneKind::strands_and_spheres;
  spec.bodies = 60;
  if (bodies == FibreBodies::thin) return spec;
  spec.bodies = 40;
  spec.strands_per_ball = 1;
  spec.strand = 0.09;
  return spec;
}

struct FibrePhantom {
  at::Tensor values, labels;  // float32, int32 indices of classes
  at::Tensor inside;          // of a tube
};

// Distances of all voxels from the vertical axis in the middle, [1, y, x].
at::Tensor distances_from_middle(const VolumeGrid& grid) {
  const auto along = [](int64_t n, double step) {
    return (at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1)) * step;
  };
  const at::Tensor y = along(grid.ny, norm(grid.step_y)), x = along(grid.nx, norm(grid.step_x));
  return (y.square().unsqueeze(1) + x.square().unsqueeze(0)).sqrt().unsqueeze(0);
}

Result<FibrePhantom> phantom_of(const FibreCase& of, const VolumeGrid& grid, uint64_t seed, const CancelToken& cancel) {
  ops::LabelledPhantomSpec spec = spec_of(of.bodies);
  spec.whole = grid;
  spec.seed = seed;
  TL_TRY(const ops::LabelledPhantom made, ops::LabelledPhantom::make(spec, cancel));
  constexpr int64_t samples = 2;
  FibrePhantom p;
  const at::Tensor numbers = made.labels(grid, cancel);
  if (of.scene == FibreScene::spheres) {
    p.values = made.means(grid, grey_of_spheres, samples, cancel).to(at::kFloat);
    p.labels = (numbers - 1).clamp_min(0);
    return p;
  }
  p.values = made.means(grid, grey_in_container, samples, cancel).to(at::kFloat);
  const at::Tensor r = distances_from_middle(grid), wall = r.gt((1 - tube_wall) * made.radius());
  p.inside = wall.logical_not().expand_as(numbers).contiguous();
  p.values =
      at::where(wall.logical_and(r.le(made.radius())), at::full({}, grey_of_tube(of.bodies), at::kFloat), p.values);
  p.labels = numbers.eq(2).logical_and(p.inside).to(at::kInt);
  return p;
}

// The cone beam opens by a fifth to either side; the detector sees the whole volume.
Result<ScanGeometry> fibre_scan(int64_t edge) {
  const double source = 2.5 * static_cast<double>(edge) * voxel_size;
  DetectorShape detector;
  detector.rows = edge + edge / 2;
  detector.cols = edge + edge / 2;
  detector.pitch_u = detector.pitch_v = 2 * voxel_size;
  return ScanGeometry::cone(equidistant_angles(fibre_views, 2 * std::numbers::pi), detector, source, source);
}

Result<at::Tensor> reconstructed(const at::Tensor& values, const VolumeGrid& grid, uint64_t seed,
                                 const CancelToken& cancel) {
  TL_TRY(const ScanGeometry scan, fibre_scan(grid.nx));
  TL_TRY(const OperatorPtr project, make_projector({scan, grid, cancel}));
  at::Tensor lines = project->apply(values.contiguous());
  const DetectorShape& d = scan.detector();
  const double mean =
      lines.slice(1, d.rows / 2 - 1, d.rows / 2 + 1).slice(2, d.cols / 2 - 1, d.cols / 2 + 1).mean().item<double>();
  lines = lines * (-std::log(1 - absorbed) / mean);
  ops::NoiseFrame frame{.seed = seed, .region = scan.full(), .rows = d.rows, .cols = d.cols};
  const at::Tensor counts = ops::poisson_counts(photons * (-lines).exp(), frame);
  const at::Tensor noisy = -(counts.clamp_min(1) / photons).log();
  TL_TRY(const ops::ViewWeights weights, ops::view_weights(scan));
  TL_TRY(const OperatorPtr weigh, ops::make_fdk_weights(scan, weights.weights));
  ops::RampFilterSpec ramp{.views = scan.views(),
                           .rows = d.rows,
                           .cols = d.cols,
                           .pitch = d.pitch_u / scan.magnification(),
                           .cancel = cancel};
  TL_TRY(const OperatorPtr filter, ops::make_ramp_filter(ramp));
  TL_TRY(const OperatorPtr back, make_back_projector({scan, grid, DistanceWeight::fdk, cancel}));
  return back->apply(filter->apply(weigh->apply(noisy.contiguous())));
}

}  // namespace

Result<GeneratedCase> fibres(const FibreCase& of, const CaseSize& size, uint64_t seed, const CancelToken& cancel) {
  GeneratedCase made;
  made.set.voxel_size = voxel_size;
  made.set.classes = {{0, "background", "#1a1a1a"}, {1, "strand", "#cc6633"}};
  if (of.scene == FibreScene::spheres) made.set.classes.push_back({2, "sphere", "#339966"});
  const VolumeGrid grid = VolumeGrid::cubic(size.edge, size.edge, size.edge, voxel_size);
  const auto fill = [&](std::vector<Item>& items, int64_t count, const std::string& name,
                        uint64_t part) -> Result<void> {
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t its_seed = (seed * 4 + part) * (uint64_t{1} << 20) + static_cast<uint64_t>(i);
      TL_TRY(const FibrePhantom phantom, phantom_of(of, grid, its_seed, cancel));
      TL_TRY(const at::Tensor volume, reconstructed(phantom.values, grid, its_seed, cancel));
      items.push_back({name + " " + std::to_string(i + 1), volume.unsqueeze(0), phantom.labels.contiguous()});
      if (&items == &made.test && phantom.inside.defined()) made.inside.push_back(phantom.inside);
    }
    return ok();
  };
  TL_TRY(fill(made.set.training, size.training, "training volume", 0));
  TL_TRY(fill(made.set.validation, size.validation, "validation volume", 1));
  TL_TRY(fill(made.test, size.test, "test volume", 2));
  return made;
}

}  // namespace tl::train
