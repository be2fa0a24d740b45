// Sampling: which pixels of a volume the network is shown in one step, and how they are varied.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/random.h"
#include "core/base/vec3.h"
#include "core/train/training_set.h"

namespace tl::train {

// The same numbers for the same seed and stream: each call is the next of its sequence.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t stream) : numbers_{seed, stream} {}
  double uniform() { return numbers_.uniform(next_++); }  // in (0, 1)
  double between(double low, double high) { return low + (high - low) * uniform(); }
  double normal() { return numbers_.normal(next_++); }
  int64_t below(int64_t count);  // 0 to count - 1
  // A seed for numbers that are made in parallel.
  uint64_t seed();

 private:
  Philox numbers_;
  uint64_t next_ = 0;
};

enum class Planes {
  slices,           // of one direction
  omnidirectional,  // through a labelled voxel, turned at random: voxels are interpolated linearly, labels nearest
};

enum class Prior {
  voxels,   // every labelled voxel is as likely to be shown as any other
  classes,  // every class is: the patch j is drawn in proportion to sum over i of a_ji / c_i, where a_ji of its pixels,
            // and c_i of all, are of class i
};

enum class Masking {
  none,
  balanced,  // a pixel of class i stays labelled with probability min over j of c_j, divided by c_i
};

struct Augmentation {
  bool quarter_turns = true, mirrors = true;
  double blur = 0;   // largest standard deviation of a Gaussian [voxel]
  double noise = 0;  // largest standard deviation, as a share of that of the training voxels
  double elastic = 0;  // largest displacement [voxel], smooth over `elastic_length`
  double elastic_length = 32;
};

struct Sampling {
  Planes planes = Planes::slices;
  int64_t axis = 0;  // across slices: 0 = z, 1 = y, 2 = x
  int64_t edge = 0;  // of a patch; 0: whole slices, and planes as large as the smaller two edges of the volume
  Prior prior = Prior::voxels;
  Masking masking = Masking::none;
  Augmentation augmentation;
};

// One picture, or box of three axes, with labels of every pixel.
struct Sample {
  at::Tensor input;   // float32 [channel, (z,) y, x]
  at::Tensor target;  // int64 [(z,) y, x]: indices of classes, or `unlabelled`
};

// A plane in the frame of voxels: pixel (j, i) of rows x cols lies at centre + (j - (rows-1)/2) v + (i - (cols-1)/2) u,
// in the order x, y, z. Beyond the volume the voxels at its surface go on, unlabelled.
Sample plane_of(const Item& item, Vec3 centre, Vec3 u, Vec3 v, int64_t rows, int64_t cols);

// Draws samples of items. Not to be used by several threads at a time.
class Sampler {
 public:
  // dims: 2 or 3 axes of the samples; three have patches only. The items must be checked (check()) and outlive it.
  // Errors: invalid: no labelled voxel, a patch for three axes without an edge.
  static Result<Sampler> make(const std::vector<Item>& items, int64_t classes, const Sampling& sampling, int64_t dims);

  struct Drawn {
    Sample sample;
    std::size_t item = 0;
  };
  // Sample number `index` of the seed, whatever was drawn before. `varied`: with augmentation and masking.
  enum class Variation { as_it_is, varied };
  [[nodiscard]] Drawn draw(uint64_t seed, uint64_t index, Variation variation) const;

 private:
  Sampler() = default;
  struct Voxels {  // of one item and class: each `step`-th in the order of memory
    std::size_t item = 0;
    int64_t count = 0;
    std::vector<int64_t> places;
  };
  [[nodiscard]] std::pair<std::size_t, int64_t> labelled_voxel(Draws& draws) const;
  [[nodiscard]] Sample cut(const Item& item, int64_t voxel, Draws& draws) const;
  void vary(Sample& sample, Draws& draws) const;

  const std::vector<Item>* items_ = nullptr;
  Sampling sampling_;
  int64_t dims_ = 2;
  std::vector<std::vector<Voxels>> voxels_;  // by class
  std::vector<int64_t> counts_;              // labelled voxels by class
  double deviation_ = 1;                     // of the voxels, for noise
};

}  // namespace tl::train
