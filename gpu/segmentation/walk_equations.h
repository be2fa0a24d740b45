// The linear equations of a random walk on a lattice with seeds, and their solution by conjugate gradients.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

// State of a voxel: not part of the problem, labelled by a seed, or to be solved for.
enum class WalkVoxel : uint8_t { outside, seed, free };

// Weights of the steps from a voxel to its neighbours: exp(factor ((v_i - v_j) / edge)^2) + least.
struct StepWeights {
  double factor = 0;  // not above 0
  VoxelSize edge;
  double least = 1e-10;
};

// d_i u_i - sum_j w_ij u_j = b_i for the free voxels i, over free neighbours j, where d_i is the sum of the weights to
// all neighbours inside, and b_i the sum of those to seeds of a label: u_i is the probability that a walk from i
// reaches that label first. Both sides are scaled by 1 / sqrt(d), which is diagonal preconditioning: the matrix is 1
// minus scaled weights, and its rows and columns of other voxels are 0, so that no loop needs a mask.
template <class T>
class WalkEquations {
 public:
  // volume, voxels (WalkVoxel as bytes) and seeds have one value per voxel; every free voxel has at least one neighbour
  // inside.
  WalkEquations(const Lattice& lattice, const T* volume, const uint8_t* voxels, const int32_t* seeds,
                const StepWeights& weights);

  struct Outcome {
    int64_t steps = 0;
    double residual = 0;  // relative to the right-hand side
  };
  // The probabilities u of a label, for all voxels; 0 for voxels that are not free. The start is 1 where guess[i] is
  // the label and 0 elsewhere: it remains in a part whose weights to its surroundings are as small as rounding errors.
  // Bit-identical for any number of threads.
  Outcome solve(int32_t label, const int32_t* guess, double tolerance, int64_t max_steps, const CancelToken& cancel,
                T* u);

 private:
  // Values of all voxels, with a zero before the first and after the last.
  class Field {
   public:
    explicit Field(int64_t count) : values_(static_cast<std::size_t>(count) + 2, T{0}) {}
    [[nodiscard]] T* data() { return values_.data() + 1; }
    [[nodiscard]] const T* data() const { return values_.data() + 1; }

   private:
    std::vector<T> values_;
  };
  struct SeedStep {  // from a free voxel to a seed
    int64_t voxel;
    int32_t label;
    T weight;
  };

  void make_weights(const T* volume, const uint8_t* voxels, const StepWeights& weights);
  void list_seed_steps(const uint8_t* voxels, const int32_t* seeds);
  void scale(const uint8_t* voxels);
  double multiply();
  double descend(T* x, T length);
  void update_direction(T momentum);
  template <class Row>
  double sum_over_rows(const Row& row);

  Lattice lattice_;
  std::array<int64_t, 3> stride_;
  std::array<Field, 3> weight_;  // weights of the steps to the next voxel along z, y, x
  Field inverse_root_;           // 1 / sqrt(d) of free voxels
  std::vector<SeedStep> seed_steps_;
  Field residual_, direction_, product_;
  std::vector<T> no_row_;
  std::vector<double> row_sums_;
};

extern template class WalkEquations<float>;
extern template class WalkEquations<double>;

}  // namespace tl::ops
