// Verifies that the loops for CPUs without AVX-512 and without AVX2 agree with the best ones.
#include <ATen/ATen.h>

#include <cstdlib>
#include <optional>

#include "core/base/units.h"
#include "gpu/correction/minus_log.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/image/bilateral_filter.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/median_filter.h"
#include "gpu/image/non_local_means.h"
#include "gpu/image/total_variation/total_variation.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

constexpr const char* variable = "TL_CPU_VARIANT";

// Sets the environment variable that operators read, and restores it.
class ScopedCpuVariant {
 public:
  explicit ScopedCpuVariant(const char* variant) {
    if (const char* old = std::getenv(variable)) before_ = old;
    setenv(variable, variant, 1);
  }
  ScopedCpuVariant(const ScopedCpuVariant&) = delete;
  ScopedCpuVariant& operator=(const ScopedCpuVariant&) = delete;
  ~ScopedCpuVariant() {
    if (before_)
      setenv(variable, before_->c_str(), 1);
    else
      unsetenv(variable);
  }

 private:
  std::optional<std::string> before_;
};

struct Task {
  std::string op, scan;
  std::function<at::Tensor()> run;
};

at::Tensor noise(const std::vector<int64_t>& shape, uint64_t seed) {
  return verify::gaussian(shape, seed, 4).to(at::kFloat).contiguous();
}

void add_linear(std::vector<Task>& tasks, const std::string& name, const std::string& scan, const OperatorPtr& op) {
  const at::Tensor x = noise(op->domain(), 1), y = noise(op->range(), 2);
  tasks.push_back({name, scan, [op, x] { return op->apply(x); }});
  tasks.push_back({name + ", adjoint", scan, [op, y] { return op->adjoint(y); }});
}

// Scans large enough to use every layout of the loops: slices and rows as lanes, columns along z, blocks.
std::vector<Task> tasks() {
  const auto angles = equidistant_angles(40, 2 * pi, 0.1);
  const DetectorShape detector{40, 72, 1, 1};
  const VolumeGrid cube = VolumeGrid::cubic(32, 50, 50, 1), slice = VolumeGrid::cubic(1, 50, 50, 1);
  const VolumeGrid plane = VolumeGrid::plane(48, 40, 0.8, {1, -2, 0.4}, {1, 0.2, 0.3}, {-0.2, 1, 0});
  const auto parallel = ScanGeometry::parallel(angles, detector, 1.3).or_throw();
  const auto line = ScanGeometry::parallel(angles, {1, 72, 1, 1}, 1.3).or_throw();
  const auto cone = ScanGeometry::cone(angles, detector, 200, 60, 1.3).or_throw();
  std::vector<Task> all;
  for (const auto& [name, scan, grid] : {std::tuple{"parallel, 32 slices", parallel, cube},
                                         {"parallel, one slice", line, slice},
                                         {"parallel, oblique plane", parallel, plane},
                                         {"cone, 32 slices", cone, cube},
                                         {"cone, oblique plane", cone, plane}}) {
    add_linear(all, "projector", name, make_projector({scan, grid}).or_throw());
    add_linear(all, "back-projector", name, make_back_projector({scan, grid}).or_throw());
  }
  all.push_back({"total-variation denoising", "20 x 32 x 45", [x = noise({20, 32, 45}, 3)] {
                   at::Tensor out = at::empty_like(x), dual = at::zeros({3, 20, 32, 45});
                   ops::TvDenoising task;
                   task.strength = 0.3;
                   (void)ops::tv_denoise(out, x, dual, task);
                   return out;
                 }});
  add_linear(all, "back-projector, FDK", "cone, 32 slices",
             make_back_projector({cone, cube, DistanceWeight::fdk}).or_throw());
  ops::RampFilterSpec ramp;
  ramp.views = 3;
  ramp.rows = 11;
  ramp.cols = 175;
  ramp.extension = ops::RowExtension::smooth;
  add_linear(all, "ramp filter", "33 rows of 175", ops::make_ramp_filter(ramp).or_throw());
  const std::string volume = "20 x 30 x 44 voxels";
  add_linear(all, "Gaussian filter", volume,
             ops::make_gaussian_filter({20, 30, 44, {0.8, 1.3, 2.1}, 4, {}}).or_throw());
  const at::Tensor x = noise({20, 30, 44}, 3);
  all.push_back({"median filter", volume, [x] { return ops::median_filter(x, {}).or_throw(); }});
  all.push_back({"bilateral filter", volume, [x] { return ops::bilateral_filter(x, {}).or_throw(); }});
  all.push_back({"non-local means", volume, [x] { return ops::non_local_means(x, {}).or_throw(); }});
  const at::Tensor transmission = at::exp(-3 * noise({20, 30, 44}, 5).abs());
  all.push_back(
      {"minus log", volume, [transmission] { return ops::minus_log(transmission, {}).or_throw().absorption; }});
  return all;
}

}  // namespace

CheckTable verify_variants() {
  CheckTable table;
  const ops::CpuVariant best = ops::best_cpu_variant();
  for (const Task& task : tasks()) {
    at::Tensor reference;
    {
      const ScopedCpuVariant plain("plain");
      reference = task.run();
    }
    const double range = (reference.max() - reference.min()).item<double>();
    for (const auto& [variant, name] :
         {std::pair{ops::CpuVariant::avx2, "avx2"}, {ops::CpuVariant::avx512, "avx512"}}) {
      if (variant > best) continue;
      const ScopedCpuVariant forced(name);
      const double found = (task.run() - reference).abs().max().item<double>() / range;
      verify::add_check(table,
                        {"variants", task.op, task.scan + ", " + name + " against plain", "float32", found, 1e-6});
    }
  }
  return table;
}

}  // namespace tl
