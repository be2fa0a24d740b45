// Agreement of labels with the truth: overlaps of their numbers, counted block by block, and the resulting scores.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// For one class, with TP voxels of it in both, FN only in the truth, FP only in the other labels.
struct ClassScore {
  int64_t number = 0;
  int64_t in_truth = 0, in_other = 0, in_both = 0;  // TP + FN, TP + FP, TP
  double f1 = 0;                                    // 2 TP / (2 TP + FP + FN), also named Dice coefficient
  double iou = 0;                                   // TP / (TP + FP + FN), also named Jaccard index
  double precision = 0, recall = 0;                 // TP / (TP + FP), TP / (TP + FN); 0 if the denominator is 0
};

struct LabelScores {
  int64_t voxels = 0;                 // counted
  std::vector<ClassScore> classes;    // sorted by number: all numbers that occur, except the ignored one
  double macro_f1 = 0, mean_iou = 0;  // means over `classes`, with equal weights
  double accuracy = 0;                // share of voxels with equal numbers
  // Compares partitions, independently of their numbers: 1 - 2 A / (B + C), with n_ij the number of voxels with number
  // i in the truth and j in the other labels, and ordered pairs of different voxels
  //   A = sum_ij n_ij (n_ij - 1),  B = sum_i s_i (s_i - 1), s_i = sum_j n_ij,  C = sum_j t_j (t_j - 1), t_j = sum_i
  //   n_ij.
  // I. Arganda-Carreras et al., Front. Neuroanat. 9, 142 (2015), where 2 A / (B + C) is the Rand F-score with precision
  // A / C and recall A / B; there a voxel is also a pair with itself. 0: the same objects, or no pairs.
  double adapted_rand_error = 0, rand_precision = 0, rand_recall = 0;
};

// Counts the voxels of each pair of numbers. Counts are exact and do not depend on blocks; memory is per pair.
class LabelOverlaps {
 public:
  // `not_counted`: voxels with this number in the truth are ignored, whatever the other labels are.
  explicit LabelOverlaps(std::optional<int64_t> not_counted = {}) : not_counted_(not_counted) {}

  // bool, uint8, int32 of equal shape. Errors: invalid for shapes, types, negative numbers.
  Result<void> add(const at::Tensor& truth, const at::Tensor& other, const CancelToken& cancel = {});

  // Errors: invalid if no voxel counts.
  [[nodiscard]] Result<LabelScores> scores() const;

 private:
  std::optional<int64_t> not_counted_;
  std::unordered_map<uint64_t, int64_t> voxels_;  // key: (number in the truth) 2^32 + (number in the other labels)
};

}  // namespace tl::ops
