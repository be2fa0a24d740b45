// Conjugate gradients for random walks: three passes over the lattice per step, row by row; sums are computed per row
// and then added in the order of rows.
#include "gpu/segmentation/walk_equations.h"

#include <cmath>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t walk_operations = 10;  // rough value per voxel, for the work per thread
constexpr int last_means = 3;
constexpr int64_t lanes = 16;  // number of partial sums of a row, which the compiler keeps in vectors

template <class T>
double sum_of(const std::array<T, lanes>& partial) {
  double sum = 0;
  for (const T p : partial) sum += static_cast<double>(p);
  return sum;
}

}  // namespace

template <class T>
WalkEquations<T>::WalkEquations(const Lattice& lattice, const T* volume, const uint8_t* voxels, const int32_t* seeds,
                                const StepWeights& weights)
    : lattice_(lattice),
      stride_{lattice.ny * lattice.nx, lattice.nx, 1},
      weight_{Field(lattice.count()), Field(lattice.count()), Field(lattice.count())},
      inverse_root_(lattice.count()),
      residual_(lattice.count()),
      direction_(lattice.count()),
      product_(lattice.count()),
      no_row_(static_cast<std::size_t>(lattice.nx) + 2, T{0}),
      row_sums_(static_cast<std::size_t>(lattice.rows())) {
  make_weights(volume, voxels, weights);
  list_seed_steps(voxels, seeds);
  scale(voxels);
}

template <class T>
void WalkEquations<T>::make_weights(const T* volume, const uint8_t* voxels, const StepWeights& weights) {
  constexpr auto outside = static_cast<uint8_t>(WalkVoxel::outside);
  const std::array<double, 3> edge{weights.edge.z, weights.edge.y, weights.edge.x};
  ops::parallel_for(0, lattice_.rows(), grain(lattice_.nx * walk_operations * 10), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      const std::array<bool, 3> next{r / lattice_.ny + 1 < lattice_.nz, r % lattice_.ny + 1 < lattice_.ny, true};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!next[axis]) continue;
        const auto factor = static_cast<T>(weights.factor / (edge[axis] * edge[axis]));
        const int64_t from = r * lattice_.nx, end = axis == 2 ? lattice_.nx - 1 : lattice_.nx;
        T* w = weight_[axis].data();
        for (int64_t i = from; i < from + end; ++i) {
          const int64_t j = i + stride_[axis];
          if (voxels[i] == outside || voxels[j] == outside) continue;
          const T d = volume[j] - volume[i];
          w[i] = std::exp(factor * d * d) + static_cast<T>(weights.least);
        }
      }
    }
  });
}

template <class T>
void WalkEquations<T>::list_seed_steps(const uint8_t* voxels, const int32_t* seeds) {
  constexpr auto free = static_cast<uint8_t>(WalkVoxel::free), seed = static_cast<uint8_t>(WalkVoxel::seed);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const T* w = weight_[axis].data();
    for (int64_t i = 0; i + stride_[axis] < lattice_.count(); ++i) {
      const int64_t j = i + stride_[axis];
      if (w[i] == T{0}) continue;
      if (voxels[i] == free && voxels[j] == seed) seed_steps_.push_back({i, seeds[j], w[i]});
      if (voxels[j] == free && voxels[i] == seed) seed_steps_.push_back({j, seeds[i], w[i]});
    }
  }
}

template <class T>
void WalkEquations<T>::scale(const uint8_t* voxels) {
  constexpr auto free = static_cast<uint8_t>(WalkVoxel::free);
  T* root = inverse_root_.data();
  const auto for_voxels = [&](const auto& work) {
    ops::parallel_for(0, lattice_.count(), grain(walk_operations), [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) work(i);
    });
  };
  for_voxels([&](int64_t i) {
    if (voxels[i] != free) return;
    T sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sum += weight_[axis].data()[i];
      if (i >= stride_[axis]) sum += weight_[axis].data()[i - stride_[axis]];
    }
    root[i] = T{1} / std::sqrt(sum);
  });
  for_voxels([&](int64_t i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      T& w = weight_[axis].data()[i];
      if (w != T{0}) w *= root[i] * root[i + stride_[axis]];
    }
  });
}

template <class T>
template <class Row>
double WalkEquations<T>::sum_over_rows(const Row& row) {
  ops::parallel_for(0, lattice_.rows(), grain(lattice_.nx * walk_operations), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) row_sums_[static_cast<std::size_t>(r)] = row(r);
  });
  double sum = 0;
  for (const double s : row_sums_) sum += s;
  return sum;
}

// product <- matrix * direction; returns direction . product.
template <class T>
double WalkEquations<T>::multiply() {
  const int64_t nx = lattice_.nx, ny = lattice_.ny, plane = ny * nx;
  return sum_over_rows([&](int64_t r) {
    const int64_t at = r * nx, z = r / ny, y = r % ny;
    const T* zero = no_row_.data() + 1;
    const T* p = direction_.data() + at;
    T* q = product_.data() + at;
    const T* wx = weight_[2].data() + at;
    const T *wy = weight_[1].data() + at, *wz = weight_[0].data() + at;
    const T *wy_before = y > 0 ? wy - nx : zero, *wz_before = z > 0 ? wz - plane : zero;
    const T *p_y = y + 1 < ny ? p + nx : zero, *p_y_before = y > 0 ? p - nx : zero;
    const T *p_z = z + 1 < lattice_.nz ? p + plane : zero, *p_z_before = z > 0 ? p - plane : zero;
    for (int64_t x = 0; x < nx; ++x)
      q[x] = p[x] - (wx[x] * p[x + 1] + wx[x - 1] * p[x - 1] + wy[x] * p_y[x] + wy_before[x] * p_y_before[x] +
                     wz[x] * p_z[x] + wz_before[x] * p_z_before[x]);
    std::array<T, lanes> partial{};
    int64_t x = 0;
    for (; x + lanes <= nx; x += lanes)
      for (int64_t l = 0; l < lanes; ++l) partial[static_cast<std::size_t>(l)] += p[x + l] * q[x + l];
    for (; x < nx; ++x) partial[0] += p[x] * q[x];
    return sum_of(partial);
  });
}

// x += length * direction, residual -= length * product; returns residual . residual.
template <class T>
double WalkEquations<T>::descend(T* x, T length) {
  const int64_t nx = lattice_.nx;
  return sum_over_rows([&](int64_t row) {
    const T *p = direction_.data() + row * nx, *q = product_.data() + row * nx;
    T *r = residual_.data() + row * nx, *u = x + row * nx;
    std::array<T, lanes> partial{};
    int64_t i = 0;
    for (; i + lanes <= nx; i += lanes)
      for (int64_t l = 0; l < lanes; ++l) {
        u[i + l] += length * p[i + l];
        r[i + l] -= length * q[i + l];
        partial[static_cast<std::size_t>(l)] += r[i + l] * r[i + l];
      }
    for (; i < nx; ++i) {
      u[i] += length * p[i];
      r[i] -= length * q[i];
      partial[0] += r[i] * r[i];
    }
    return sum_of(partial);
  });
}

// direction <- residual + momentum * direction
template <class T>
void WalkEquations<T>::update_direction(T momentum) {
  const T* r = residual_.data();
  T* p = direction_.data();
  ops::parallel_for(0, lattice_.count(), grain(2), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) p[i] = r[i] + momentum * p[i];
  });
}

template <class T>
typename WalkEquations<T>::Outcome WalkEquations<T>::solve(int32_t label, const int32_t* guess, double tolerance,
                                                           int64_t max_steps, const CancelToken& cancel, T* u) {
  const int64_t count = lattice_.count();
  const T* root = inverse_root_.data();
  T *b = residual_.data(), *start = direction_.data();
  ops::parallel_for(0, count, grain(4), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      u[i] = b[i] = T{0};
      start[i] = guess[i] == label && root[i] > T{0} ? T{1} / root[i] : T{0};
    }
  });
  for (const SeedStep& s : seed_steps_)
    if (s.label == label) b[s.voxel] += s.weight * root[s.voxel];
  Outcome outcome;
  const double first = descend(u, T{0});
  if (!(first > 0)) return outcome;
  multiply();
  double square = descend(u, T{1});
  update_direction(T{0});
  const double wanted = tolerance * tolerance * first;
  while (square > wanted && outcome.steps < max_steps) {
    cancel.check();
    const double curvature = multiply();
    if (!(curvature > 0)) break;  // nothing is left but rounding
    const double before = square;
    square = descend(u, static_cast<T>(square / curvature));
    update_direction(static_cast<T>(square / before));
    ++outcome.steps;
  }
  outcome.residual = std::sqrt(square / first);
  // Voxels that differ from all neighbours have little effect on the residual, whatever their error: these steps
  // replace each by the mean of its neighbours.
  for (int step = 0; step < last_means && square > 0; ++step) {
    update_direction(T{0});
    multiply();
    square = descend(u, T{1});
  }
  ops::parallel_for(0, count, grain(2), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) u[i] *= root[i];
  });
  return outcome;
}

template class WalkEquations<float>;
template class WalkEquations<double>;

}  // namespace tl::ops
