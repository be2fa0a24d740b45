// Implements scores of labels from the table of overlaps.
#include "gpu/segmentation/label_scores.h"

#include <ATen/ATen.h>

#include <map>

#include "gpu/segmentation/lattice.h"

namespace tl::ops {
namespace {

constexpr int64_t voxels_between_cancels = int64_t{1} << 20;

at::Tensor plain_numbers(const at::Tensor& labels) { return labels.to(at::kInt).contiguous(); }

double ratio(double part, double all) { return all > 0 ? part / all : 0; }

// Ordered pairs of different voxels.
double ordered_pairs(int64_t voxels) { return static_cast<double>(voxels) * static_cast<double>(voxels - 1); }

void add_rand_scores(LabelScores& s, double both, double truth, double other) {
  s.rand_precision = ratio(both, other);
  s.rand_recall = ratio(both, truth);
  s.adapted_rand_error = truth + other > 0 ? 1 - 2 * both / (truth + other) : 0;
}

}  // namespace

Result<void> LabelOverlaps::add(const at::Tensor& truth, const at::Tensor& other, const CancelToken& cancel) {
  TL_TRY(check_labels(truth, "scores"));
  TL_TRY(check_labels(other, "scores"));
  TL_TRY(check_same_shape(truth, other, "the labels", "scores"));
  const at::Tensor a = plain_numbers(truth), b = plain_numbers(other);
  if (a.min().item<int>() < 0 || b.min().item<int>() < 0)
    return invalid("there are negative numbers", "scores", "Labels are 0 or more");
  const auto *const t = a.const_data_ptr<int32_t>(), *const o = b.const_data_ptr<int32_t>();
  const int64_t count = a.numel();
  // Voxels in a row mostly have the same pair of numbers: it is looked up once for each run of equal pairs.
  for (int64_t i = 0; i < count;) {
    if (i % voxels_between_cancels == 0) cancel.check();
    const int64_t stop = std::min(count, (i / voxels_between_cancels + 1) * voxels_between_cancels), first = i;
    while (i < stop && t[i] == t[first] && o[i] == o[first]) ++i;
    if (not_counted_ && t[first] == *not_counted_) continue;
    voxels_[(static_cast<uint64_t>(t[first]) << 32) + static_cast<uint64_t>(o[first])] += i - first;
  }
  return ok();
}

Result<LabelScores> LabelOverlaps::scores() const {
  if (voxels_.empty())
    return invalid(not_counted_ ? "no voxel of the truth counts: all have the number " + std::to_string(*not_counted_)
                                : std::string("there are no voxels"),
                   "truth", "Leave out another number, or none");
  LabelScores s;
  std::map<int64_t, ClassScore> classes;  // in the order of numbers
  double both = 0, truth = 0, other = 0;
  int64_t same = 0;
  // Integers up to 2^53 and their sums are exact in double, in any order; larger ones are rounded.
  for (const auto& [key, count] : voxels_) {
    const auto i = static_cast<int64_t>(key >> 32), j = static_cast<int64_t>(key & 0xFFFFFFFF);
    classes[i].in_truth += count;
    classes[j].in_other += count;
    if (i == j) classes[i].in_both += count;
    if (i == j) same += count;
    s.voxels += count;
  }
  std::map<uint64_t, int64_t> ordered(voxels_.begin(), voxels_.end());
  for (const auto& [key, count] : ordered) both += ordered_pairs(count);
  for (auto& [number, c] : classes) {
    truth += ordered_pairs(c.in_truth);
    other += ordered_pairs(c.in_other);
    if (not_counted_ && number == *not_counted_) continue;
    c.number = number;
    const auto hits = static_cast<double>(c.in_both), all = static_cast<double>(c.in_truth + c.in_other);
    c.f1 = ratio(2 * hits, all);
    c.iou = ratio(hits, all - hits);
    c.precision = ratio(hits, static_cast<double>(c.in_other));
    c.recall = ratio(hits, static_cast<double>(c.in_truth));
    s.macro_f1 += c.f1;
    s.mean_iou += c.iou;
    s.classes.push_back(c);
  }
  s.macro_f1 /= static_cast<double>(s.classes.size());
  s.mean_iou /= static_cast<double>(s.classes.size());
  s.accuracy = static_cast<double>(same) / static_cast<double>(s.voxels);
  add_rand_scores(s, both, truth, other);
  return s;
}

}  // namespace tl::ops
