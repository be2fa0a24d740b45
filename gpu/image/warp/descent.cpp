// Implements L-BFGS for displacement fields.
#include "gpu/image/warp/descent.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

struct Pair {
  at::Tensor moved, bent;
  double along;
};

// -H^-1 g, H from the pairs.
at::Tensor direction_of(const std::deque<Pair>& pairs, const at::Tensor& gradient) {
  at::Tensor direction = -gradient;
  std::vector<double> shares;
  for (auto p = pairs.rbegin(); p != pairs.rend(); ++p) {
    shares.push_back(inner_product(p->moved, direction) / p->along);
    direction = direction - shares.back() * p->bent;
  }
  if (!pairs.empty()) direction = direction * (pairs.back().along / total_of_squares(pairs.back().bent));
  for (const auto& p : pairs) {
    direction = direction + (shares.back() - inner_product(p.bent, direction) / p.along) * p.moved;
    shares.pop_back();
  }
  return direction;
}

}  // namespace

DescentEnd descend(const std::function<DescentPoint(const at::Tensor&)>& evaluate, const at::Tensor& start,
                   const DescentSpec& spec) {
  constexpr std::size_t memory = 8;
  constexpr double first = 0.5, longest = 1, settled = 5e-3, sufficient = 1e-4;  // voxels of the level; share
  constexpr double little = 2e-6;                                                // of the loss
  std::deque<Pair> pairs;
  DescentEnd end;
  end.at = start;
  DescentPoint now = evaluate(start);
  end.first_loss = now.loss;
  for (int64_t i = 0; i < spec.most_steps && now.overlap > 0; ++i) {
    if (spec.progress) spec.progress(static_cast<double>(i) / static_cast<double>(spec.most_steps));
    at::Tensor direction = direction_of(pairs, now.gradient);
    const double largest = direction.abs().max().item<double>();
    if (pairs.empty())
      direction = direction * (first * spec.voxel / std::max(largest, 1e-300));
    else if (largest > longest * spec.voxel)
      direction = direction * (longest * spec.voxel / largest);
    const double slope = inner_product(direction, now.gradient);
    if (!(slope < 0) || (!pairs.empty() && largest < settled * spec.voxel)) {
      end.converged = true;
      break;
    }
    double share = 1;
    DescentPoint next;
    const int most_tries = pairs.empty() ? 14 : 6;  // the length of the first step is a guess
    for (int tries = 0; tries < most_tries; ++tries, share *= 0.4) {
      next = evaluate(end.at + share * direction);
      if (next.overlap > 0 && next.loss <= now.loss + sufficient * share * slope) break;
      next.overlap = 0;
    }
    if (next.overlap <= 0) {
      end.converged = true;  // no improvement within the precision of the interpolation
      break;
    }
    Pair pair{share * direction, next.gradient - now.gradient, 0};
    pair.along = inner_product(pair.moved, pair.bent);
    if (pair.along > 0) pairs.push_back(pair);
    if (pairs.size() > memory) pairs.pop_front();
    const double gain = now.loss - next.loss;
    end.at = end.at + share * direction;
    now = next;
    if (gain < little * std::abs(now.loss)) {
      end.converged = true;
      break;
    }
  }
  end.loss = now.loss;
  end.overlap = now.overlap;
  return end;
}

}  // namespace tl::ops
