// Sampling: which pixels of a volume the network is shown in one step, and how they are varied.
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

#include "core/base/random.h"
#include "core/base/vec3.h"
#include "core/train/training_plan.h"
#include "core/train/training_set.h"

namespace tl::train {

// Random numbers that depend only on seed and stream: each call returns the next of the sequence.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t stream) : numbers_{seed, stream} {}
  double uniform() { return numbers_.uniform(next_++); }  // in (0, 1)
  double between(double low, double high) { return low + (high - low) * uniform(); }
  double normal() { return numbers_.normal(next_++); }
  int64_t below(int64_t count);  // 0 to count - 1

 private:
  Philox numbers_;
  uint64_t next_ = 0;
};

enum class Prior {
  voxels,   // all labelled voxels have equal probability
  classes,  // all classes have equal probability: patch j is drawn in proportion to sum over i of a_ji / c_i, where
            // a_ji of its pixels, and c_i of all, are of class i
};

enum class Masking {
  none,
  balanced,  // a pixel of class i stays labelled with probability (min over j of c_j) / c_i
};

struct Augmentation {
  bool quarter_turns = true, mirrors = true;
  double blur = 0;             // largest standard deviation of a Gaussian [voxel]
  double noise = 0;            // largest standard deviation, relative to that of the training voxels
  double elastic = 0;          // largest displacement along an axis [voxel]; only for planes, not for boxes
  double elastic_length = 32;  // over which displacements change [voxel]
};

struct Sampling {
  Planes planes = Planes::slices;
  int64_t axis = 0;  // axis perpendicular to the slices: 0 = z, 1 = y, 2 = x
  int64_t edge = 0;  // of a patch or plane [voxel]; 0: whole slices; planes as large as the second longest edge
  Prior prior = Prior::voxels;
  Masking masking = Masking::none;
  Augmentation augmentation;
};

// Sample sizes that a network accepts: `dims` spatial axes of least + k * step pixels, of which `before` and `after`
// get no output.
struct SampleShape {
  int64_t dims = 2, least = 1, step = 1, before = 0, after = 0;
};

// A plane, or a box with three axes, with a label for every pixel.
struct Sample {
  at::Tensor input;   // float32 [channel, (z,) y, x]
  at::Tensor target;  // int64 [(z,) y, x]: class indices, or `unlabelled`
};

// A plane in the frame of voxels: pixel (j, i) of rows x cols lies at centre + (j - (rows-1)/2) v + (i - (cols-1)/2) u,
// in the order x, y, z. Beyond the volume the voxels at its surface are repeated, unlabelled.
Sample sample_plane(const Item& item, Vec3 centre, Vec3 u, Vec3 v, int64_t rows, int64_t cols);

// Varies a sample; `deviation` of voxels, for noise.
Sample varied(Sample sample, const Augmentation& augmentation, double deviation, Draws& draws);

enum class Variation { as_it_is, varied };  // varied: with augmentation and masking

// Draws samples of items. Not to be used by several threads at a time.
class Sampler {
 public:
  // The items must have been checked (check()) and must outlive it. Errors: invalid, `where` names the item: no
  // labelled voxel, a single slice for planes of all directions, fewer pixels than the network accepts.
  static Result<Sampler> make(const std::vector<Item>& items, int64_t classes, const Sampling& sampling,
                              const SampleShape& shape);

  struct Drawn {
    Sample sample;
    std::size_t item = 0;
  };
  // Sample number `index` for this seed, independent of other draws.
  [[nodiscard]] Drawn draw(uint64_t seed, uint64_t index, Variation variation) const;
  // True if all samples have the same size, so that they can form a batch.
  [[nodiscard]] bool equal_sizes() const;
  // Scaling by the voxels that samples can contain: those of patches around labelled voxels.
  [[nodiscard]] const net::InputScaling& scaling() const { return scaling_; }

 private:
  Sampler() = default;
  struct Voxels {  // labelled voxels of one item and class, as memory indices: every n-th of them, if they are many
    std::size_t item = 0;
    int64_t count = 0;  // of all
    std::vector<int64_t> indices;
  };
  [[nodiscard]] int64_t fitting(int64_t length) const;
  [[nodiscard]] std::vector<int64_t> size_of(const Item& item) const;
  [[nodiscard]] at::Tensor voxels_in_samples(const Item& item) const;  // bool, [z, y, x]
  [[nodiscard]] std::pair<std::size_t, int64_t> labelled_voxel(Draws& draws) const;
  [[nodiscard]] Sample box_around(const Item& item, int64_t voxel, Draws& draws) const;
  [[nodiscard]] Sample plane_through(const Item& item, int64_t voxel, Draws& draws) const;
  void mask(Sample& sample, Draws& draws) const;

  const std::vector<Item>* items_ = nullptr;
  Sampling sampling_;
  SampleShape shape_;
  std::vector<std::vector<Voxels>> voxels_;  // by class
  std::vector<int64_t> counts_;              // labelled voxels by class
  net::InputScaling scaling_;
  double deviation_ = 1;  // standard deviation of the voxels, mean over channels
};

}  // namespace tl::train
