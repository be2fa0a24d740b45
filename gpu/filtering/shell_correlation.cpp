// Sums products of two transforms over shells.
#include "gpu/filtering/shell_correlation.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>
#include <cmath>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

struct ShellSum {
  double both = 0, first = 0, second = 0;
  int64_t numbers = 0;
};

// Frequencies along the axes and shells.
struct ShellPlan {
  std::array<int64_t, 3> shape;
  std::array<double, 3> step;  // [1/mm] of a cell
  double thickness = 0;        // [1/mm] of a shell
  int64_t shells = 0;
};

double signed_frequency(int64_t k, int64_t n) { return static_cast<double>(2 * k <= n ? k : k - n); }

// Sums one slice of both transforms [y, half of x].
template <class T>
void add_slice(const ShellPlan& p, int64_t z, const c10::complex<T>* first, const c10::complex<T>* second,
               ShellSum* sums) {
  const int64_t half = p.shape[2] / 2 + 1;
  const double fz = p.step[0] * signed_frequency(z, p.shape[0]);
  for (int64_t y = 0; y < p.shape[1]; ++y) {
    const double fy = p.step[1] * signed_frequency(y, p.shape[1]);
    for (int64_t x = 0; x < half; ++x) {
      const double fx = p.step[2] * static_cast<double>(x);
      const auto shell = static_cast<int64_t>(std::lround(std::sqrt(fz * fz + fy * fy + fx * fx) / p.thickness));
      if (shell >= p.shells) continue;
      const c10::complex<double> a(first[y * half + x]), b(second[y * half + x]);
      // A cell with a mirror image in the other half counts twice.
      const int64_t times = x == 0 || 2 * x == p.shape[2] ? 1 : 2;
      ShellSum& s = sums[shell];
      s.both += static_cast<double>(times) * (a * std::conj(b)).real();
      s.first += static_cast<double>(times) * std::norm(a);
      s.second += static_cast<double>(times) * std::norm(b);
      s.numbers += times;
    }
  }
}

Result<ShellPlan> shell_plan(const at::Tensor& volume, const std::array<double, 3>& edges) {
  ShellPlan p{{volume.size(0), volume.size(1), volume.size(2)}, {}, 0, 0};
  double longest = 0, coarsest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(edges[a] > 0) || !std::isfinite(edges[a]))
      return invalid("the edges of the voxels are not positive", "edges");
    const double length = static_cast<double>(p.shape[a]) * edges[a];
    p.step[a] = 1 / length;
    if (p.shape[a] == 1) continue;
    longest = std::max(longest, length);
    coarsest = std::max(coarsest, edges[a]);
  }
  if (longest == 0) return invalid("a volume of one voxel has no frequencies", "volume", "Use a larger volume");
  p.thickness = 1 / longest;
  p.shells = static_cast<int64_t>(std::floor(longest / (2 * coarsest) * (1 + 1e-9))) + 1;
  return p;
}

}  // namespace

Result<std::vector<FourierShell>> shell_correlation(const at::Tensor& first, const at::Tensor& second,
                                                    const std::array<double, 3>& edges, const CancelToken& cancel) {
  const std::string where = "Fourier shell correlation";
  TL_CHECK(first.dim() == 3 && first.numel() > 0, "a volume [z, y, x] is compared");
  require_tensor(first, first.sizes().vec(), where);
  require_tensor(second, first.sizes().vec(), where);
  require_cpu(first, where);
  require_cpu(second, where);
  if (!std::isfinite(total(first)) || !std::isfinite(total(second)))
    return invalid("a volume has values that are not finite", where, "Fill or crop them before");
  TL_TRY(const ShellPlan plan, shell_plan(first, edges));
  const at::ScalarType type =
      first.scalar_type() == at::kFloat && second.scalar_type() == at::kFloat ? at::kFloat : at::kDouble;
  const at::Tensor a = at::fft_rfftn(first.detach().to(type)).contiguous();
  cancel.check();
  const at::Tensor b = at::fft_rfftn(second.detach().to(type)).contiguous();
  // Sums of single slices, added in order.
  std::vector<ShellSum> sums(static_cast<std::size_t>(plan.shape[0] * plan.shells));
  AT_DISPATCH_FLOATING_TYPES(type, "shell_correlation", [&] {
    const auto *from_a = a.const_data_ptr<c10::complex<scalar_t>>(),
               *from_b = b.const_data_ptr<c10::complex<scalar_t>>();
    const int64_t slice = plan.shape[1] * (plan.shape[2] / 2 + 1);
    ops::parallel_for(0, plan.shape[0], 1, [&](int64_t begin, int64_t end) {
      for (int64_t z = begin; z < end; ++z) {
        cancel.check();
        add_slice<scalar_t>(plan, z, from_a + z * slice, from_b + z * slice, sums.data() + z * plan.shells);
      }
    });
  });
  std::vector<FourierShell> shells;
  for (int64_t i = 0; i < plan.shells; ++i) {
    ShellSum all;
    for (int64_t z = 0; z < plan.shape[0]; ++z) {
      const ShellSum& s = sums[static_cast<std::size_t>(z * plan.shells + i)];
      all.both += s.both;
      all.first += s.first;
      all.second += s.second;
      all.numbers += s.numbers;
    }
    const double size = std::sqrt(all.first * all.second);
    shells.push_back({static_cast<double>(i) * plan.thickness, size > 0 ? all.both / size : 0, all.numbers});
  }
  return shells;
}

double half_bit(int64_t numbers) {
  const double root = 1 / std::sqrt(std::max(1.0, 0.5 * static_cast<double>(numbers)));
  return (0.2071 + 1.9102 * root) / (1.2071 + 0.9102 * root);
}

}  // namespace tl::ops
