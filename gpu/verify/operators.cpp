// Verifies C9: every operator is the exact transpose of its adjoint, by dot products and by single matrix entries.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/operator_gaps.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using verify::dot_gap;
using verify::entry_gap;
using verify::exact_dot;
using verify::gaussian;

at::Tensor unit(const std::vector<int64_t>& shape, int64_t index, at::ScalarType type) {
  at::Tensor e = at::zeros(shape, type);
  e.view({-1})[index] = 1;
  return e;
}

}  // namespace

namespace verify {

double dot_gap(const LinearOperator& op, at::ScalarType type, uint64_t seeds) {
  double worst = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const at::Tensor x = gaussian(op.domain(), seed, 1).to(type), y = gaussian(op.range(), seed, 2).to(type);
    const at::Tensor ax = op.apply(x), aty = op.adjoint(y);
    const double scale = std::sqrt(exact_dot(ax, ax) * exact_dot(y, y));
    worst = larger_deviation(worst, scale == 0 ? INFINITY : std::abs(exact_dot(ax, y) - exact_dot(x, aty)) / scale);
  }
  return worst;
}

double entry_gap(const LinearOperator& op, at::ScalarType type, uint64_t entries) {
  const auto count = [](const std::vector<int64_t>& shape) {
    int64_t n = 1;
    for (const int64_t s : shape) n *= s;
    return n;
  };
  const int64_t columns = count(op.domain()), rows = count(op.range());
  const Philox random{42, 3};
  const auto pick = [&](uint64_t number, int64_t n) {
    return static_cast<int64_t>(random.uniform(number) * static_cast<double>(n));
  };
  double worst = 0, largest = 0;
  for (uint64_t i = 0; i < entries; ++i) {
    const int64_t column = pick(2 * i, columns);
    const at::Tensor forward = op.apply(unit(op.domain(), column, type)).view({-1});
    const at::Tensor touched = forward.nonzero();
    const int64_t row = i % 2 == 0 && touched.numel() > 0 ? touched[pick(2 * i + 1, touched.numel())].item<int64_t>()
                                                          : pick(2 * i + 1, rows);
    const at::Tensor transposed = op.adjoint(unit(op.range(), row, type)).view({-1});
    worst = larger_deviation(worst, std::abs(forward[row].item<double>() - transposed[column].item<double>()));
    largest = larger_deviation(largest, forward.abs().max().item<double>());
  }
  return largest == 0 ? INFINITY : worst / largest;
}

}  // namespace verify

namespace {

// A realistic size: 256 x 128 x 64 voxels, 180 views of 384 x 512, with long sums and large indices.
void large_dots(CheckTable& table) {
  const VolumeGrid grid{64, 128, 256, {0.4, -0.3, 0.2}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
  const DetectorShape detector{384, 512, 0.4, 0.4};
  const auto angles = equidistant_angles(180, 2 * pi, 0.01);
  const std::vector<verify::ScanCase> scans = {
      {"parallel, 180 views of 384 x 512", ScanGeometry::parallel(angles, detector, 1.3).or_throw(), grid},
      {"cone, 180 views of 384 x 512", ScanGeometry::cone(angles, detector, 400, 100, 1.3).or_throw(), grid}};
  for (const auto& scan : scans)
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      const auto add = [&](const std::string& name, const OperatorPtr& op) {
        const double bound = type == at::kFloat ? 1e-6 : 1e-12, found = dot_gap(*op, type, 1);
        table.push_back(
            {"C9 dot", name, scan.name, type == at::kFloat ? "float32" : "float64", found, bound, found <= bound});
      };
      add("projector", make_projector({scan.geometry, scan.grid}).or_throw());
      add("back-projector", make_back_projector({scan.geometry, scan.grid}).or_throw());
    }
}

}  // namespace

CheckTable verify_operators(VerifySize size, const CancelToken& cancel) {
  const uint64_t entries = size == VerifySize::small ? 100 : 400, seeds = size == VerifySize::small ? 8 : 16;
  CheckTable table;
  for (const auto& scan : verify::scan_cases())
    for (const auto& [name, make, on_devices] : verify::operator_cases()) {
      cancel.check();
      const OperatorPtr op = make(scan);
      if (op == nullptr) continue;
      for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        const double bound = type == at::kFloat ? 1e-6 : 1e-12;
        const std::string dtype = type == at::kFloat ? "float32" : "float64";
        const double dot = dot_gap(*op, type, seeds), entry = entry_gap(*op, type, entries);
        table.push_back({"C9 dot", name, scan.name, dtype, dot, bound, dot <= bound});
        table.push_back({"C9 entries", name, scan.name, dtype, entry, bound, entry <= bound});
      }
    }
  if (size == VerifySize::full) large_dots(table);
  return table;
}

}  // namespace tl
