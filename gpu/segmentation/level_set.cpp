// Level sets as bytes: a structuring element is a few shifted rows, whose values are combined for complete rows.
#include "gpu/segmentation/level_set.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace tl::ops {
namespace {

template <class Inside>
at::Tensor level_set_where(const std::vector<int64_t>& shape, const Inside& inside) {
  at::Tensor out = at::empty(shape, at::kBool);
  const Lattice l = shape.size() == 2 ? Lattice{1, shape[0], shape[1]} : Lattice{shape[0], shape[1], shape[2]};
  bool* to = out.mutable_data_ptr<bool>();
  for (int64_t i = 0; i < l.count(); ++i) to[i] = inside(l, i / l.nx / l.ny, i / l.nx % l.ny, i % l.nx);
  return out;
}

// Lines through a voxel in a slice, planes through it in a volume: along the axes and at 45 degrees between two of
// them.
std::vector<std::vector<LatticeStep>> flat_structures(const Lattice& l) {
  const auto plane = [&](const auto& contains) {
    std::vector<LatticeStep> steps;
    const int64_t reach = l.one_slice() ? 0 : 1;
    for (int64_t z = -reach; z <= reach; ++z)
      for (int64_t y = -1; y <= 1; ++y)
        for (int64_t x = -1; x <= 1; ++x)
          if (contains(z, y, x)) steps.push_back({z, y, x});
    return steps;
  };
  std::vector<std::vector<LatticeStep>> all{plane([](int64_t, int64_t, int64_t x) { return x == 0; }),
                                            plane([](int64_t, int64_t y, int64_t) { return y == 0; }),
                                            plane([](int64_t, int64_t y, int64_t x) { return y == x; }),
                                            plane([](int64_t, int64_t y, int64_t x) { return y == -x; })};
  if (l.one_slice()) return all;
  all.push_back(plane([](int64_t z, int64_t, int64_t) { return z == 0; }));
  all.push_back(plane([](int64_t z, int64_t, int64_t x) { return z == x; }));
  all.push_back(plane([](int64_t z, int64_t, int64_t x) { return z == -x; }));
  all.push_back(plane([](int64_t z, int64_t y, int64_t) { return z == y; }));
  all.push_back(plane([](int64_t z, int64_t y, int64_t) { return z == -y; }));
  return all;
}

std::vector<LatticeStep> box_structure(const Lattice& l) {
  std::vector<LatticeStep> steps = neighbours_of(l, Connectivity::corners);
  steps.push_back({});
  return steps;
}

int twice_difference(const uint8_t* v, int64_t at, int64_t count, int64_t stride) {
  if (count < 2) return 0;
  if (at == 0) return 2 * (v[stride] - v[0]);
  if (at == count - 1) return 2 * (v[0] - v[-stride]);
  return v[stride] - v[-stride];
}

}  // namespace

at::Tensor ball_level_set(const std::vector<int64_t>& shape, const std::array<double, 3>& centre, double radius) {
  return level_set_where(shape, [&](const Lattice& l, int64_t z, int64_t y, int64_t x) {
    const double dz = l.one_slice() ? 0 : static_cast<double>(z) - centre[0];
    const double dy = static_cast<double>(y) - centre[1], dx = static_cast<double>(x) - centre[2];
    return radius - std::sqrt(dz * dz + dy * dy + dx * dx) > 0;
  });
}

at::Tensor ball_level_set(const std::vector<int64_t>& shape) {
  const auto middle = [&](std::size_t from_end) {
    const int64_t half = shape.size() < from_end ? 0 : shape[shape.size() - from_end] / 2;
    return static_cast<double>(half);
  };
  int64_t shortest = shape.back();
  for (const int64_t n : shape)
    if (n > 1) shortest = std::min(shortest, n);
  return ball_level_set(shape, {middle(3), middle(2), middle(1)}, static_cast<double>(shortest) * 3 / 8);
}

Result<at::Tensor> checkerboard_level_set(const std::vector<int64_t>& shape, int64_t edge) {
  if (edge < 1) return invalid("the edge of the cubes must be 1 voxel or more", "checkerboard", "5 is usual");
  return level_set_where(shape, [&](const Lattice&, int64_t z, int64_t y, int64_t x) {
    return ((z / edge) ^ (y / edge) ^ (x / edge)) % 2 == 1;
  });
}

LevelSet::LevelSet(const Lattice& lattice, const at::Tensor& mask)
    : lattice_(lattice), flat_(flat_structures(lattice)), box_{box_structure(lattice)} {
  const at::Tensor plain = mask.contiguous();
  const auto* from = static_cast<const uint8_t*>(plain.const_data_ptr());
  values_.assign(from, from + lattice.count());
  next_.resize(values_.size());
}

at::Tensor LevelSet::mask(const at::Tensor& like) const {
  at::Tensor out = at::empty(like.sizes(), at::kBool);
  std::copy(values_.begin(), values_.end(), static_cast<uint8_t*>(out.mutable_data_ptr()));
  return out;
}

void LevelSet::apply(Envelope inner, Envelope outer, const std::vector<std::vector<LatticeStep>>& structures) {
  const Lattice& l = lattice_;
  const int64_t nx = l.nx;
  int64_t operations = 0;
  for (const auto& s : structures) operations += static_cast<int64_t>(s.size());
  ops::parallel_for(0, l.rows(), grain(nx * operations / 8), [&](int64_t first, int64_t last) {
    // A row with a zero on both sides.
    std::vector<uint8_t> padded(static_cast<std::size_t>(nx) + 2, 0), one(static_cast<std::size_t>(nx));
    std::vector<std::vector<uint8_t>> around(9, padded);
    for (int64_t r = first; r < last; ++r) {
      const int64_t z = r / l.ny, y = r % l.ny;
      for (int64_t k = -1; k <= 1; ++k)
        for (int64_t j = -1; j <= 1; ++j) {
          auto& row = around[static_cast<std::size_t>((k + 1) * 3 + j + 1)];
          const bool exists = z + k >= 0 && z + k < l.nz && y + j >= 0 && y + j < l.ny;
          const uint8_t* from = values_.data() + (exists ? r + k * l.ny + j : r) * nx;
          if (exists)
            std::copy(from, from + nx, row.begin() + 1);
          else
            std::fill(row.begin(), row.end(), uint8_t{0});
        }
      uint8_t* out = next_.data() + r * nx;
      std::fill(out, out + nx, outer == Envelope::greatest ? uint8_t{0} : uint8_t{1});
      for (const auto& structure : structures) {
        std::fill(one.begin(), one.end(), inner == Envelope::greatest ? uint8_t{0} : uint8_t{1});
        for (const LatticeStep& s : structure) {
          const uint8_t* row = around[static_cast<std::size_t>((s.z + 1) * 3 + s.y + 1)].data() + 1 + s.x;
          uint8_t* to = one.data();
          if (inner == Envelope::greatest)
            for (int64_t x = 0; x < nx; ++x) to[x] = static_cast<uint8_t>(to[x] | row[x]);
          else
            for (int64_t x = 0; x < nx; ++x) to[x] = static_cast<uint8_t>(to[x] & row[x]);
        }
        const uint8_t* from = one.data();
        if (outer == Envelope::greatest)
          for (int64_t x = 0; x < nx; ++x) out[x] = static_cast<uint8_t>(out[x] | from[x]);
        else
          for (int64_t x = 0; x < nx; ++x) out[x] = static_cast<uint8_t>(out[x] & from[x]);
      }
    }
  });
  values_.swap(next_);
}

void LevelSet::smooth() {
  const bool even = smoothed_++ % 2 == 0;
  for (const bool inf_sup : {even, !even})
    apply(inf_sup ? Envelope::greatest : Envelope::smallest, inf_sup ? Envelope::smallest : Envelope::greatest, flat_);
}

void LevelSet::dilate() { apply(Envelope::greatest, Envelope::greatest, box_); }
void LevelSet::erode() { apply(Envelope::smallest, Envelope::smallest, box_); }

std::array<int, 3> LevelSet::twice_gradient(int64_t z, int64_t y, int64_t x) const {
  const int64_t nx = lattice_.nx, ny = lattice_.ny;
  const uint8_t* v = values_.data() + (z * ny + y) * nx + x;
  return {twice_difference(v, z, lattice_.nz, ny * nx), twice_difference(v, y, ny, nx), twice_difference(v, x, nx, 1)};
}

}  // namespace tl::ops
