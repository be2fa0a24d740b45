// Computes mutual information from a smooth joint histogram, summed in fixed pieces, and its gradient.
#include "gpu/image/warp/mutual_information.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/own_gradient.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

constexpr int64_t pieces = 64;  // number of parts of the voxels, each with its own histogram
constexpr int64_t margin = 2;   // bins at either end, which the splines reach into

struct Spline {
  int64_t first = 0;  // of four bins
  std::array<double, 4> weights{}, slopes{};
};
Spline spline_at(double u, int64_t bins) {
  Spline s;
  s.first = std::clamp<int64_t>(static_cast<int64_t>(std::floor(u)) - 1, 0, bins - 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const double t = u - static_cast<double>(s.first + static_cast<int64_t>(k)), d = std::abs(t);
    if (d < 1) {
      s.weights[k] = (4 - 6 * d * d + 3 * d * d * d) / 6;
      s.slopes[k] = t * (1.5 * d - 2);
    } else if (d < 2) {
      s.weights[k] = (2 - d) * (2 - d) * (2 - d) / 6;
      s.slopes[k] = (t > 0 ? -0.5 : 0.5) * (2 - d) * (2 - d);
    }
  }
  return s;
}

struct Histogram {
  int64_t bins = 0;
  double low = 0, width = 1;
  std::vector<int16_t> fixed;     // the bin of each voxel; -1: ignored
  std::vector<double> log_ratio;  // log(joint / changing) by [fixed bin][changing bin]
  double voxels = 0;

  // Position of a value among the bins, and whether it is within the range.
  [[nodiscard]] std::pair<double, bool> position(double value) const {
    const double u = (value - low) / width + static_cast<double>(margin);
    const auto first = static_cast<double>(margin), last = static_cast<double>(bins - 1 - margin);
    return {std::clamp(u, first, last), u >= first && u <= last};
  }
};

void fill_fixed(Histogram& h, const MutualInformation& with) {
  const at::Tensor fixed = with.fixed.to(at::kDouble).contiguous(), counts = with.counts.contiguous();
  const Extrema range = extrema(fixed);
  const double width = std::max(range.max - range.min, 1e-300) / static_cast<double>(h.bins);
  const auto* value = fixed.const_data_ptr<double>();
  const bool* counted = counts.const_data_ptr<bool>();
  h.fixed.resize(static_cast<std::size_t>(fixed.numel()));
  for (std::size_t i = 0; i < h.fixed.size(); ++i) {
    const auto bin = static_cast<int64_t>((value[i] - range.min) / width);
    h.fixed[i] = static_cast<int16_t>(counted[i] ? std::clamp<int64_t>(bin, 0, h.bins - 1) : -1);
    h.voxels += counted[i] ? 1 : 0;
  }
}

// The mutual information, and data for its gradient.
double information(Histogram& h, const at::Tensor& changing, const CancelToken& cancel) {
  const auto cells = static_cast<std::size_t>(h.bins * h.bins);
  std::vector<std::vector<double>> joints(static_cast<std::size_t>(pieces));
  const auto* value = changing.const_data_ptr<double>();
  const auto count = static_cast<int64_t>(h.fixed.size());
  ops::parallel_for(0, pieces, 1, [&](int64_t first, int64_t last) {
    for (int64_t piece = first; piece < last; ++piece) {
      cancel.check();
      std::vector<double>& joint = joints[static_cast<std::size_t>(piece)];
      joint.assign(cells, 0);
      for (int64_t i = piece * count / pieces; i < (piece + 1) * count / pieces; ++i) {
        const int64_t row = h.fixed[static_cast<std::size_t>(i)];
        if (row < 0) continue;
        const Spline s = spline_at(h.position(value[i]).first, h.bins);
        for (std::size_t k = 0; k < 4; ++k) joint[static_cast<std::size_t>(row * h.bins + s.first) + k] += s.weights[k];
      }
    }
  });
  std::vector<double> joint(cells, 0), of_fixed(static_cast<std::size_t>(h.bins), 0), of_changing = of_fixed;
  for (const auto& one : joints)
    for (std::size_t c = 0; c < cells; ++c) joint[c] += one[c] / std::max(h.voxels, 1.0);
  const auto bins = static_cast<std::size_t>(h.bins);
  for (std::size_t c = 0; c < cells; ++c) {
    of_fixed[c / bins] += joint[c];
    of_changing[c % bins] += joint[c];
  }
  h.log_ratio.assign(cells, 0);
  double sum = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    if (!(joint[c] > 0)) continue;
    h.log_ratio[c] = std::log(joint[c] / of_changing[c % bins]);
    sum += joint[c] * (h.log_ratio[c] - std::log(of_fixed[c / bins]));
  }
  return sum;
}

at::Tensor slopes(const Histogram& h, const at::Tensor& changing) {
  at::Tensor out = at::zeros_like(changing);
  const auto* value = changing.const_data_ptr<double>();
  auto* to = out.mutable_data_ptr<double>();
  ops::parallel_for(0, static_cast<int64_t>(h.fixed.size()), 4096, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t row = h.fixed[static_cast<std::size_t>(i)];
      const auto [u, within] = h.position(value[i]);
      if (row < 0 || !within) continue;
      const Spline s = spline_at(u, h.bins);
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k)
        sum += s.slopes[k] * h.log_ratio[static_cast<std::size_t>(row * h.bins + s.first) + k];
      to[i] = sum / (h.width * h.voxels);
    }
  });
  return out;
}

}  // namespace

at::Tensor mutual_information(const at::Tensor& changing, const MutualInformation& with) {
  auto h = std::make_shared<Histogram>();
  h->bins = with.bins;
  h->low = with.low;
  h->width = std::max(with.high - with.low, 1e-300) / static_cast<double>(with.bins - 1 - 2 * margin);
  fill_fixed(*h, with);
  const at::Tensor values = changing.detach().to(at::kDouble).contiguous();
  const at::Tensor result = at::scalar_tensor(information(*h, values, with.cancel), at::kDouble);
  if (!changing.requires_grad()) return result;
  return with_gradient({result}, {changing}, [h, values, type = changing.scalar_type()](const Tensors& gradients) {
    if (!gradients[0].defined()) return Tensors{at::Tensor()};
    return Tensors{(slopes(*h, values) * gradients[0]).to(type)};
  })[0];
}

}  // namespace tl::ops
