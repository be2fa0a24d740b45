// Smooths blocks along x, y and z, threads along rows.
#include "gpu/classification/smoothed_lines.h"

#include <algorithm>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/mirrored_index.h"
#include "gpu/image/weigh_lines.h"

namespace tl::ops {
namespace {

std::vector<float> feature_kernel(double sigma) {
  constexpr double truncate = 4;
  const std::vector<double> k = gaussian_kernel(sigma, truncate);
  return {k.begin(), k.end()};
}

void smooth_along_x(const float* from, const BlockShape& n, const std::vector<float>& k, float* to) {
  const auto reach = static_cast<int64_t>(k.size()) - 1;
  ops::parallel_for(0, n.nz * n.ny, grain((2 * reach + 1) * n.nx), [&](int64_t first, int64_t last) {
    std::vector<float> line(static_cast<std::size_t>(n.nx + 2 * reach));
    std::vector<const float*> lines(static_cast<std::size_t>(2 * reach + 1));
    for (int64_t i = 0; i <= 2 * reach; ++i) lines[static_cast<std::size_t>(i)] = line.data() + i;
    for (int64_t r = first; r < last; ++r) {
      const float* row = from + r * n.nx;
      std::copy(row, row + n.nx, line.data() + reach);
      for (int64_t i = 1; i <= reach; ++i) {
        line[static_cast<std::size_t>(reach - i)] = row[mirrored_index(-i, n.nx)];
        line[static_cast<std::size_t>(reach + n.nx - 1 + i)] = row[mirrored_index(n.nx - 1 + i, n.nx)];
      }
      weigh_lines(lines.data(), k, n.nx, to + r * n.nx);
    }
  });
}

// Along y (apart = nx) or z (apart = ny nx): row r is number `at(r)` of `count` along that axis.
template <class Place>
void smooth_across(const float* from, const BlockShape& n, int64_t count, int64_t apart, const Place& place,
                   const std::vector<float>& k, float* to) {
  const auto reach = static_cast<int64_t>(k.size()) - 1;
  ops::parallel_for(0, n.nz * n.ny, grain((2 * reach + 1) * n.nx), [&](int64_t first, int64_t last) {
    std::vector<const float*> lines(static_cast<std::size_t>(2 * reach + 1));
    for (int64_t r = first; r < last; ++r) {
      const int64_t here = place(r);
      const float* start = from + r * n.nx - here * apart;
      for (int64_t i = -reach; i <= reach; ++i)
        lines[static_cast<std::size_t>(i + reach)] = start + mirrored_index(here + i, count) * apart;
      weigh_lines(lines.data(), k, n.nx, to + r * n.nx);
    }
  });
}

}  // namespace

void smooth_block(const float* from, const BlockShape& n, const AxisSigmas& sigmas, float* to,
                  const CancelToken& cancel) {
  std::vector<float> other(static_cast<std::size_t>(n.count()));
  smooth_along_x(from, n, feature_kernel(sigmas[2]), to);
  cancel.check();
  const bool along_z = sigmas[0] > 0;
  smooth_across(
      to, n, n.ny, n.nx, [&](int64_t r) { return r % n.ny; }, feature_kernel(sigmas[1]), other.data());
  cancel.check();
  if (along_z) {
    const std::vector<float> k = feature_kernel(sigmas[0]);
    smooth_across(
        other.data(), n, n.nz, n.ny * n.nx, [&](int64_t r) { return r / n.ny; }, k, to);
  } else {
    std::copy(other.begin(), other.end(), to);
  }
  cancel.check();
}

RowNeighbours neighbours_of_row(const float* block, const BlockShape& n, int64_t z, int64_t y) {
  const auto row = [&](int64_t k, int64_t j) {
    return block + (mirrored_index(k, n.nz) * n.ny + mirrored_index(j, n.ny)) * n.nx;
  };
  return {row(z, y), row(z - 1, y), row(z + 1, y), row(z, y - 1), row(z, y + 1), n.nx};
}

}  // namespace tl::ops
