// Computes features of voxels: for each standard deviation the smoothed volume, its differences and their eigenvalues.
#include "gpu/classification/features.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "gpu/classification/eigenvalues.h"
#include "gpu/classification/smoothed_lines.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/gaussian_filter.h"

namespace tl::ops {
namespace {

constexpr double truncation = 4;        // standard deviations at which Gaussians end
constexpr double smaller_sigma = 0.66;  // factor of the second Gaussian in a difference of Gaussians, as in ilastik
constexpr double outer_sigma = 0.5;     // smoothing of the structure tensor relative to the gradient's, as in ilastik
const char* const where = "voxel features";

bool is_wanted(const FeatureSpec& spec, FeatureKind kind) {
  return std::find(spec.kinds.begin(), spec.kinds.end(), kind) != spec.kinds.end();
}
int64_t dimensions(const FeatureSpec& spec) { return spec.span == FeatureSpan::volume ? 3 : 2; }
int64_t count_of(FeatureKind kind, const FeatureSpec& spec) {
  return kind == FeatureKind::structure || kind == FeatureKind::hessian ? dimensions(spec) : 1;
}

AxisSigmas on_grid(double sigma, const FeatureSpec& spec) {
  const bool volume = spec.span == FeatureSpan::volume;
  return {volume ? sigma / spec.voxel.z : 0, sigma / spec.voxel.y, sigma / spec.voxel.x};
}

Reach reach_of(double sigma, const FeatureSpec& spec) {
  const AxisSigmas s = on_grid(sigma, spec), outer = on_grid(outer_sigma * sigma, spec);
  const bool structure = is_wanted(spec, FeatureKind::structure);
  const bool derives = structure || is_wanted(spec, FeatureKind::gradient) || is_wanted(spec, FeatureKind::laplacian) ||
                       is_wanted(spec, FeatureKind::hessian);
  const auto along = [&](std::size_t axis) {
    if (axis == 0 && spec.span == FeatureSpan::slices) return int64_t{0};
    // Mixed second derivatives are differences of differences along two axes: one voxel along each.
    return gaussian_reach(s[axis], truncation) + (derives ? 1 : 0) +
           (structure ? gaussian_reach(outer[axis], truncation) : 0);
  };
  return {along(0), along(1), along(2)};
}

Result<void> check(const at::Tensor& volume, Range z, Range y, Range x, const FeatureSpec& spec) {
  TL_TRY(check_neighbourhood_filter(volume, {}, where));
  if (spec.kinds.empty()) return invalid("no features are chosen", where, "Choose at least one kind");
  if (spec.sigmas.empty()) return invalid("no standard deviations are given", where, "Give at least one");
  TL_TRY(check_voxel_size(spec.voxel, where));
  for (const double s : spec.sigmas) {
    const AxisSigmas on = on_grid(s, spec);
    const double most = 1.5 * truncation * std::max({on[0], on[1], on[2]}) + 2;
    if (!(s > 0) || !(most < static_cast<double>(largest_reach)))
      return invalid("a standard deviation of " + std::to_string(s) + " voxels", where,
                     "Choose one above 0, and at most " + std::to_string(largest_reach / 8));
  }
  const auto inside = [](Range r, int64_t n) { return !r.empty() && Range{0, n}.contains(r); };
  if (!inside(z, volume.size(0)) || !inside(y, volume.size(1)) || !inside(x, volume.size(2)))
    return invalid("the box is not within the volume", where);
  return ok();
}

struct Box {
  Range z, y, x;
};
// Rows of gradients and second derivatives, by central differences per edge of 1.
struct Steps {
  float z, y, x;  // 1 / edge; z is 0 for slices
};

__attribute__((always_inline)) inline void gradient_body(const RowNeighbours& n, const float* row_x, Steps s,
                                                         float* __restrict__ gx, float* __restrict__ gy,
                                                         float* __restrict__ gz) {
  for (int64_t i = 0; i < n.nx; ++i) {
    gx[i] = 0.5F * s.x * (row_x[i + 2] - row_x[i]);
    gy[i] = 0.5F * s.y * (n.after[i] - n.before[i]);
    gz[i] = 0.5F * s.z * (n.above[i] - n.below[i]);
  }
}
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void gradient_avx512(const RowNeighbours& n, const float* row_x, Steps s, float* gx, float* gy, float* gz) {
  gradient_body(n, row_x, s, gx, gy, gz);
}
void gradient_rows(const RowNeighbours& n, const float* row_x, Steps s, float* gx, float* gy, float* gz) {
  static const bool wide = best_cpu_variant() == CpuVariant::avx512;
  wide ? gradient_avx512(n, row_x, s, gx, gy, gz) : gradient_body(n, row_x, s, gx, gy, gz);
}

// A row with one mirrored voxel at each end.
void widen(const float* row, int64_t nx, std::vector<float>& wide) {
  std::copy(row, row + nx, wide.begin() + 1);
  wide.front() = row[0];
  wide[static_cast<std::size_t>(nx) + 1] = row[nx - 1];
}

// For one standard deviation: writes its features into planes of [z, y, x] of the requested box.
class OneScale {
 public:
  OneScale(const at::Tensor& block, Box inner, double sigma, const FeatureSpec& spec)
      : spec_(spec),
        sigma_(sigma),
        inner_(inner),
        n_{block.size(0), block.size(1), block.size(2)},
        from_(block.const_data_ptr<float>()),
        steps_{spec.span == FeatureSpan::volume ? static_cast<float>(1 / spec.voxel.z) : 0,
               static_cast<float>(1 / spec.voxel.y), static_cast<float>(1 / spec.voxel.x)},
        smooth_(static_cast<std::size_t>(n_.count())) {}

  void write(float* to, int64_t plane) {
    smooth_block(from_, n_, on_grid(sigma_, spec_), smooth_.data(), spec_.cancel);
    to_ = to;
    plane_ = plane;
    for (int k = 0; k < feature_kinds; ++k) {
      const auto kind = static_cast<FeatureKind>(k);
      if (!is_wanted(spec_, kind)) continue;
      spec_.cancel.check();
      write_kind(kind);
      to_ += count_of(kind, spec_) * plane_;
    }
  }

 private:
  void write_kind(FeatureKind kind) {
    switch (kind) {
      case FeatureKind::gaussian: return copy_inner(smooth_.data());
      case FeatureKind::laplacian:
      case FeatureKind::hessian: return second_derivatives(kind);
      case FeatureKind::gradient: return gradient();
      case FeatureKind::structure: return structure();
      case FeatureKind::difference: return difference();
    }
  }

  // Calls body(z, y, out) for the rows of the requested box; out is the row's position in the first plane.
  template <class Body>
  void for_rows(int64_t work, const Body& body) {
    const int64_t rows = inner_.z.size() * inner_.y.size();
    ops::parallel_for(0, rows, grain(work * n_.nx), [&](int64_t first, int64_t last) {
      std::vector<float> scratch(static_cast<std::size_t>(12 * (n_.nx + 2)));
      for (int64_t r = first; r < last; ++r)
        body(inner_.z.begin + r / inner_.y.size(), inner_.y.begin + r % inner_.y.size(), to_ + r * inner_.x.size(),
             scratch);
    });
  }

  void copy_inner(const float* block) {
    for_rows(1, [&](int64_t z, int64_t y, float* out, std::vector<float>&) {
      const float* row = block + (z * n_.ny + y) * n_.nx + inner_.x.begin;
      std::copy(row, row + inner_.x.size(), out);
    });
  }

  void difference() {
    std::vector<float> finer(static_cast<std::size_t>(n_.count()));
    smooth_block(from_, n_, on_grid(smaller_sigma * sigma_, spec_), finer.data(), spec_.cancel);
    for_rows(1, [&](int64_t z, int64_t y, float* out, std::vector<float>&) {
      const int64_t at = (z * n_.ny + y) * n_.nx + inner_.x.begin;
      const float *coarse = smooth_.data() + at, *fine = finer.data() + at;
      for (int64_t i = 0; i < inner_.x.size(); ++i) out[i] = coarse[i] - fine[i];
    });
  }

  void gradient_of(int64_t z, int64_t y, std::vector<float>& wide, float* gx, float* gy, float* gz) const {
    const RowNeighbours n = neighbours_of_row(smooth_.data(), n_, z, y);
    widen(n.row, n.nx, wide);
    gradient_rows(n, wide.data(), steps_, gx, gy, gz);
  }

  void gradient() {
    for_rows(8, [&](int64_t z, int64_t y, float* out, std::vector<float>& scratch) {
      float *gx = scratch.data(), *gy = gx + n_.nx, *gz = gy + n_.nx;
      std::vector<float> wide(static_cast<std::size_t>(n_.nx + 2));
      gradient_of(z, y, wide, gx, gy, gz);
      for (int64_t i = 0; i < inner_.x.size(); ++i) {
        const int64_t x = inner_.x.begin + i;
        out[i] = std::sqrt(gx[x] * gx[x] + gy[x] * gy[x] + gz[x] * gz[x]);
      }
    });
  }

  void second_derivatives(FeatureKind kind) {
    const bool volume = spec_.span == FeatureSpan::volume;
    for_rows(volume ? 100 : 20, [&](int64_t z, int64_t y, float* out, std::vector<float>& scratch) {
      const RowNeighbours n = neighbours_of_row(smooth_.data(), n_, z, y);
      std::vector<float> wide(static_cast<std::size_t>(n_.nx + 2));
      widen(n.row, n.nx, wide);
      const int64_t first = inner_.x.begin, count = inner_.x.size();
      const auto row = [&](int64_t i) { return scratch.data() + i * n_.nx; };
      const SymmetricRows m{row(0), row(1), row(2), row(3), row(4), row(5)};
      for (int64_t i = 0; i < count; ++i) {
        const int64_t x = first + i;
        const float twice = 2 * n.row[x];
        m.xx[i] = steps_.x * steps_.x * (wide[x] + wide[x + 2] - twice);
        m.yy[i] = steps_.y * steps_.y * (n.before[x] + n.after[x] - twice);
        m.zz[i] = steps_.z * steps_.z * (n.below[x] + n.above[x] - twice);
      }
      if (kind == FeatureKind::laplacian) {
        for (int64_t i = 0; i < count; ++i) out[i] = m.xx[i] + m.yy[i] + m.zz[i];
        return;
      }
      mixed(n.before, n.after, steps_.x * steps_.y, wide, first, count, m.xy);
      if (volume) {
        mixed(n.below, n.above, steps_.x * steps_.z, wide, first, count, m.xz);
        const RowNeighbours low = neighbours_of_row(smooth_.data(), n_, z - 1, y),
                            high = neighbours_of_row(smooth_.data(), n_, z + 1, y);
        for (int64_t i = 0; i < count; ++i) {
          const int64_t x = first + i;
          m.yz[i] = 0.25F * steps_.y * steps_.z * ((high.after[x] - high.before[x]) - (low.after[x] - low.before[x]));
        }
      }
      put_eigenvalues(m, count, out);
    });
  }

  // Differences along x of the difference of two rows.
  void mixed(const float* before, const float* after, float step, std::vector<float>& wide, int64_t first,
             int64_t count, float* out) const {
    for (int64_t x = 0; x < n_.nx; ++x) wide[static_cast<std::size_t>(x) + 1] = after[x] - before[x];
    wide.front() = wide[1];
    wide[static_cast<std::size_t>(n_.nx) + 1] = wide[static_cast<std::size_t>(n_.nx)];
    for (int64_t i = 0; i < count; ++i) out[i] = 0.25F * step * (wide[first + i + 2] - wide[first + i]);
  }

  void put_eigenvalues(const SymmetricRows& m, int64_t count, float* out) const {
    const bool volume = spec_.span == FeatureSpan::volume;
    volume ? eigenvalues_3(m, count) : eigenvalues_2(m, count);
    std::copy(m.xx, m.xx + count, out);
    std::copy(m.yy, m.yy + count, out + plane_);
    if (volume) std::copy(m.zz, m.zz + count, out + 2 * plane_);
  }

  void structure() {
    const bool volume = spec_.span == FeatureSpan::volume;
    const int products = volume ? 6 : 3;
    std::vector<std::vector<float>> tensor(static_cast<std::size_t>(products));
    for (auto& t : tensor) t.resize(static_cast<std::size_t>(n_.count()));
    ops::parallel_for(0, n_.nz * n_.ny, grain(12 * n_.nx), [&](int64_t first, int64_t last) {
      std::vector<float> wide(static_cast<std::size_t>(n_.nx + 2)), g(static_cast<std::size_t>(3 * n_.nx));
      for (int64_t r = first; r < last; ++r) {
        float *gx = g.data(), *gy = gx + n_.nx, *gz = gy + n_.nx;
        gradient_of(r / n_.ny, r % n_.ny, wide, gx, gy, gz);
        const int64_t at = r * n_.nx;
        float *xx = tensor[0].data() + at, *yy = tensor[1].data() + at, *xy = tensor[2].data() + at;
        for (int64_t i = 0; i < n_.nx; ++i) {
          xx[i] = gx[i] * gx[i];
          yy[i] = gy[i] * gy[i];
          xy[i] = gx[i] * gy[i];
        }
        if (!volume) continue;
        float *zz = tensor[3].data() + at, *xz = tensor[4].data() + at, *yz = tensor[5].data() + at;
        for (int64_t i = 0; i < n_.nx; ++i) {
          zz[i] = gz[i] * gz[i];
          xz[i] = gx[i] * gz[i];
          yz[i] = gy[i] * gz[i];
        }
      }
    });
    std::vector<float> plain(static_cast<std::size_t>(n_.count()));
    for (auto& t : tensor) {
      smooth_block(t.data(), n_, on_grid(outer_sigma * sigma_, spec_), plain.data(), spec_.cancel);
      t.swap(plain);
    }
    for_rows(volume ? 100 : 10, [&](int64_t z, int64_t y, float* out, std::vector<float>& scratch) {
      const int64_t at = (z * n_.ny + y) * n_.nx + inner_.x.begin, count = inner_.x.size();
      const auto row = [&](int64_t i, std::size_t product) {
        float* to = scratch.data() + i * n_.nx;
        if (product < tensor.size()) std::copy_n(tensor[product].data() + at, count, to);
        return to;
      };
      put_eigenvalues({row(0, 0), row(1, 1), row(2, 3), row(3, 2), row(4, 4), row(5, 5)}, count, out);
    });
  }

  const FeatureSpec& spec_;
  double sigma_;
  Box inner_;
  BlockShape n_;
  const float* from_;
  Steps steps_;
  std::vector<float> smooth_;
  float* to_ = nullptr;
  int64_t plane_ = 0;
};

// Small blocks share scales among the threads: each of the hundred loops over rows would take longer to start, and
// to wait for the last thread, than to run. Large blocks, and many threads, share rows.
int64_t scales_at_once(int64_t voxels, const FeatureSpec& spec) {
  constexpr int64_t small_block = int64_t{1} << 20;
  const int64_t threads = ops::threads_of_loop(), scales = static_cast<int64_t>(spec.sigmas.size());
  return voxels <= small_block && threads <= scales ? threads : 1;
}

// Which scales each thread computes: the largest are assigned first, each to the thread with the least work.
std::vector<std::vector<std::size_t>> shared_scales(int64_t threads, const FeatureSpec& spec) {
  std::vector<std::size_t> order(spec.sigmas.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return spec.sigmas[a] > spec.sigmas[b]; });
  std::vector<std::vector<std::size_t>> shares(static_cast<std::size_t>(threads));
  std::vector<double> work(shares.size(), 0);
  constexpr double extra = 2;  // cost of differences and eigenvalues, in standard deviations
  for (const std::size_t scale : order) {
    const auto least = static_cast<std::size_t>(std::min_element(work.begin(), work.end()) - work.begin());
    shares[least].push_back(scale);
    work[least] += spec.sigmas[scale] + extra;
  }
  return shares;
}

}  // namespace

std::string_view to_string(FeatureKind kind) {
  constexpr std::string_view names[] = {"gaussian", "laplacian", "gradient", "structure", "hessian", "difference"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<std::string> feature_names(const FeatureSpec& spec) {
  std::vector<std::string> names;
  const char* of_three[] = {", largest", ", middle", ", smallest"};
  const char* of_two[] = {", largest", ", smallest"};
  for (const double sigma : spec.sigmas)
    for (int k = 0; k < feature_kinds; ++k) {
      const auto kind = static_cast<FeatureKind>(k);
      if (!is_wanted(spec, kind)) continue;
      const std::string number = formatted(" %g", sigma);
      const int64_t count = count_of(kind, spec);
      for (int64_t i = 0; i < count; ++i)
        names.push_back(std::string(to_string(kind)) + number +
                        (count == 1   ? ""
                         : count == 3 ? of_three[i]
                                      : of_two[i]));
    }
  return names;
}

int64_t feature_count(const FeatureSpec& spec) {
  int64_t each = 0;
  for (int k = 0; k < feature_kinds; ++k)
    if (is_wanted(spec, static_cast<FeatureKind>(k))) each += count_of(static_cast<FeatureKind>(k), spec);
  return each * static_cast<int64_t>(spec.sigmas.size());
}

Reach feature_reach(const FeatureSpec& spec) {
  Reach most;
  for (const double s : spec.sigmas) {
    const Reach r = reach_of(s, spec);
    most = {std::max(most.z, r.z), std::max(most.y, r.y), std::max(most.x, r.x)};
  }
  return most;
}

int64_t feature_workspace(int64_t voxels, const FeatureSpec& spec) {
  const int64_t at_once = scales_at_once(voxels, spec);
  const int64_t structure = is_wanted(spec, FeatureKind::structure) ? (spec.span == FeatureSpan::volume ? 7 : 4) : 1;
  return static_cast<int64_t>(sizeof(float)) * voxels * (3 + structure) * at_once;
}

Result<at::Tensor> voxel_features(const at::Tensor& volume, Range z, Range y, Range x, const FeatureSpec& spec) {
  TL_TRY(check(volume, z, y, x, spec));
  const at::Tensor plain = volume.detach().to(at::kFloat);
  at::Tensor features = at::empty({feature_count(spec), z.size(), y.size(), x.size()}, at::kFloat);
  const int64_t plane = z.size() * y.size() * x.size(), each = feature_count(spec) / std::ssize(spec.sigmas);
  auto* const first_plane = features.mutable_data_ptr<float>();
  const auto add_scale = [&](std::size_t scale) {
    const double sigma = spec.sigmas[scale];
    spec.cancel.check();
    // For small scales, only the surroundings that they need are read.
    const Reach reach = reach_of(sigma, spec);
    const Box around{z.grown(reach.z, {0, plain.size(0)}), y.grown(reach.y, {0, plain.size(1)}),
                     x.grown(reach.x, {0, plain.size(2)})};
    const at::Tensor block = plain.narrow(0, around.z.begin, around.z.size())
                                 .narrow(1, around.y.begin, around.y.size())
                                 .narrow(2, around.x.begin, around.x.size())
                                 .contiguous();
    const auto within = [](Range part, Range all) { return Range{part.begin - all.begin, part.end - all.begin}; };
    const Box inner{within(z, around.z), within(y, around.y), within(x, around.x)};
    OneScale(block, inner, sigma, spec).write(first_plane + static_cast<int64_t>(scale) * each * plane, plane);
  };
  const std::vector<std::vector<std::size_t>> shares = shared_scales(scales_at_once(plain.numel(), spec), spec);
  // Each thread computes its scales alone: inner loops are not divided among threads again.
  ops::parallel_for(0, static_cast<int64_t>(shares.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      for (const std::size_t scale : shares[static_cast<std::size_t>(s)]) add_scale(scale);
  });
  return features;
}

}  // namespace tl::ops
