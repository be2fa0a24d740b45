// StrokeSamples: the voxels of a volume that strokes assign to classes, collected piece by piece, and their features.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/values/values.h"
#include "gpu/classification/features.h"

namespace tl {

// At most this many voxels are kept per class, drawn by their position: the same for any division into pieces.
inline constexpr int64_t max_samples_per_class = 50'000;
inline constexpr std::size_t max_stroke_classes = 256;  // more are numbers of objects

struct StrokeVoxel {
  int64_t voxel = 0;   // raster index in the volume
  int32_t number = 0;  // of its class
  friend auto operator<=>(const StrokeVoxel&, const StrokeVoxel&) = default;
};

// A box of the volume whose features are computed together; it contains some of the strokes.
struct FeatureBrick {
  Range z, y, x;
  std::size_t first_stroke = 0, stroke_count = 0;  // in StrokeSamples::strokes()
};

class StrokeSamples {
 public:
  StrokeSamples(const VolumeGrid& volume, uint64_t seed) : volume_(volume), seed_(seed) {}

  // Adds the voxels of a piece of the strokes, except those with the number `not_labelled`. For strokes on another
  // grid, each stroke voxel counts for the volume's voxel that contains its centre. Errors: invalid, too many classes.
  Result<void> add(const Labels& piece, std::optional<int64_t> not_labelled);

  // Call after the last add(). Keeps one label per voxel, sorted by brick, then by voxel index.
  std::vector<FeatureBrick> bricks(ops::FeatureSpan span);
  [[nodiscard]] const std::vector<StrokeVoxel>& strokes() const { return strokes_; }
  // Class numbers in ascending order, and how many voxels were labelled so.
  [[nodiscard]] const std::map<int32_t, int64_t>& counts() const { return counts_; }
  [[nodiscard]] int64_t outside() const { return outside_; }  // number of stroke voxels outside the volume
  [[nodiscard]] bool on_another_grid() const { return another_grid_; }

  // Stores the features [feature, z, y, x] of a brick at its strokes.
  void take(const FeatureBrick& brick, const at::Tensor& features);
  // [feature, sample] and [sample], the classes counted from 0.
  [[nodiscard]] std::pair<at::Tensor, at::Tensor> samples() const;

 private:
  struct Drawn {
    uint64_t rank = 0;
    StrokeVoxel stroke;
    bool operator<(const Drawn& o) const { return rank != o.rank ? rank < o.rank : stroke < o.stroke; }
  };
  Result<void> keep(const StrokeVoxel& stroke);

  VolumeGrid volume_;
  uint64_t seed_;
  std::map<int32_t, std::vector<Drawn>> drawn_;  // by class, a heap with the largest rank at the top
  std::map<int32_t, int64_t> counts_;
  std::vector<StrokeVoxel> strokes_;
  at::Tensor features_;  // [sample, feature]
  int64_t outside_ = 0;
  bool another_grid_ = false;
};

}  // namespace tl
