// Averages the flats of each group and the darks, and finds unusable pixels and the pixels from which they are filled.
#include "gpu/correction/flats/flat_references.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "gpu/correction/flats/reference_levels.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr const char* operator_name = "flat field";

struct FlatGroups {
  std::vector<double> positions;    // ascending
  std::vector<at::Tensor> signals;  // flat - dark, [row, col] float64
};

// The flats of each group, by ascending position.
std::vector<std::vector<int64_t>> group_members(const FlatFieldSpec& spec) {
  return groups_in_time(spec.change == FlatChange::constant ? std::vector<double>() : spec.flat_positions,
                        spec.flats.size(0));
}

// Groups the flats by position, with the mean position and averaged signal of each group.
FlatGroups make_groups(const FlatFieldSpec& spec, const at::Tensor& dark) {
  FlatGroups groups;
  for (const auto& group : group_members(spec)) {
    double total = 0;
    if (spec.change != FlatChange::constant)
      for (const int64_t i : group) total += spec.flat_positions[static_cast<std::size_t>(i)];
    groups.positions.push_back(total / static_cast<double>(group.size()));
    const at::Tensor flats = static_cast<int64_t>(group.size()) == spec.flats.size(0)
                                 ? spec.flats
                                 : spec.flats.index_select(0, at::tensor(group).to(spec.flats.device()));
    groups.signals.push_back(average_frames(flats, spec.flat_average).sub_(dark));
  }
  return groups;
}

// Division of a finite value by a smaller signal may overflow.
constexpr double min_signal = 1e-28;
bool corrects(double signal) { return signal > min_signal && signal <= largest_value; }

// Rows in which some group cannot correct some pixel.
std::vector<int64_t> rows_to_repair(const std::vector<const double*>& signals, int64_t rows, int64_t cols) {
  std::vector<char> bad(static_cast<std::size_t>(rows), 0);
  ops::parallel_for(0, rows, grain(4 * cols), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      int64_t good = 0;
      for (const double* s : signals)
        for (int64_t c = 0; c < cols; ++c) good += corrects(s[r * cols + c]) ? 1 : 0;
      bad[static_cast<std::size_t>(r)] = good < cols * static_cast<int64_t>(signals.size()) ? 1 : 0;
    }
  });
  std::vector<int64_t> which;
  for (int64_t r = 0; r < rows; ++r)
    if (bad[static_cast<std::size_t>(r)] != 0) which.push_back(r);
  return which;
}

PixelRepairs find_repairs(FlatGroups& groups) {
  const int64_t rows = groups.signals.front().size(0), cols = groups.signals.front().size(1);
  std::vector<double*> signals;
  for (at::Tensor& s : groups.signals) signals.push_back(s.mutable_data_ptr<double>());
  PixelRepairs repairs;
  std::vector<int64_t> bad, left(static_cast<std::size_t>(cols));
  for (const int64_t r : rows_to_repair({signals.begin(), signals.end()}, rows, cols)) {
    bad.clear();
    int64_t last_good = -1;
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t at = r * cols + c;
      if (std::all_of(signals.begin(), signals.end(), [at](const double* s) { return corrects(s[at]); })) {
        last_good = c;
      } else {
        bad.push_back(c);
        for (double* s : signals) s[at] = 1;
      }
      left[static_cast<std::size_t>(c)] = last_good;
    }
    if (last_good < 0) repairs.dead_rows.push_back(r);
    int64_t next_good = -1;
    for (auto it = bad.rbegin(); it != bad.rend() && last_good >= 0; ++it) {
      const int64_t c = *it, before = left[static_cast<std::size_t>(c)];
      if (c + 1 < cols && left[static_cast<std::size_t>(c + 1)] == c + 1) next_good = c + 1;
      const int64_t a = before < 0 ? next_good : before, b = next_good < 0 ? before : next_good;
      const double share = a == b ? 0 : static_cast<double>(c - a) / static_cast<double>(b - a);
      repairs.filled.push_back({r * cols + c, r * cols + a, r * cols + b, share});
    }
  }
  return repairs;
}

}  // namespace

FlatReferences::FlatReferences(const FlatFieldSpec& spec) {
  dark_ = spec.darks.defined() ? average_frames(spec.darks, spec.dark_average)
                               : at::zeros({spec.flats.size(1), spec.flats.size(2)}, at::kDouble);
  FlatGroups groups = make_groups(spec, dark_);
  change_ = spec.change;
  repairs_ = find_repairs(groups);
  positions_ = std::move(groups.positions);
  double_ = std::move(groups.signals);
  // NaN in the dark only affects pixels that are repaired anyway.
  at::nan_to_num_(dark_);
  dark_single_ = dark_.to(at::kFloat);
  for (const at::Tensor& s : double_) single_.push_back(s.to(at::kFloat));
  counts_stay_finite_ = are_moderate();
}

FlatInterpolation FlatReferences::place_of(double view) const {
  const auto next = std::upper_bound(positions_.begin(), positions_.end(), view);
  if (next == positions_.begin()) return {0, 0, 0};
  const auto after = next - positions_.begin();
  if (next == positions_.end() || change_ == FlatChange::before) return {after - 1, after - 1, 0};
  return {after - 1, after, (view - *(next - 1)) / (*next - *(next - 1))};
}

// Whether all values are far from overflow in single precision, in the division and in the interpolation between
// groups.
bool FlatReferences::are_moderate() const {
  constexpr double darkest = 1e7, least = 1e-25, most = 1e30, steepest = 1e6;
  std::vector<const double*> signals;
  for (const at::Tensor& s : double_) signals.push_back(s.const_data_ptr<double>());
  const double* dark = dark_.const_data_ptr<double>();
  std::atomic<bool> moderate = true;
  ops::parallel_for(0, dark_.numel(), grain(4), [&](int64_t first, int64_t last) {
    bool all = true;
    for (int64_t p = first; p < last; ++p) {
      double low = most, high = 0;
      for (const double* s : signals) {
        low = std::min(low, s[p]);
        high = std::max(high, s[p]);
      }
      all = all && std::abs(dark[p]) < darkest && low > least && high < most && high < steepest * low;
    }
    if (!all) moderate = false;
  });
  return moderate;
}

Result<void> check_references(const FlatFieldSpec& spec) {
  if (!spec.flats.defined() || spec.flats.dim() != 3 || spec.flats.size(0) < 1)
    return invalid("there are no flats (images without the object)", operator_name,
                   "Choose a scan that has them, or leave this node out if the data is corrected already");
  if (spec.darks.defined() &&
      (spec.darks.dim() != 3 || spec.darks.size(0) < 1 || spec.darks.sizes().slice(1) != spec.flats.sizes().slice(1)))
    return invalid(
        "the darks are " + shape_text(spec.darks.sizes().vec()) + ", the flats " + shape_text(spec.flats.sizes().vec()),
        operator_name, "Rows and columns must be the same");
  if (spec.change != FlatChange::constant && static_cast<int64_t>(spec.flat_positions.size()) != spec.flats.size(0))
    return invalid(
        std::to_string(spec.flat_positions.size()) + " positions for " + std::to_string(spec.flats.size(0)) + " flats",
        operator_name, "Use constant flats, or a scan with the time of each flat");
  return ok();
}

int64_t flat_references_bytes(const FlatFieldSpec& spec) {
  if (!check_references(spec).ok()) return 0;
  const auto images = static_cast<int64_t>(group_members(spec).size()) + 1;  // the dark
  return images * spec.flats.size(1) * spec.flats.size(2) * static_cast<int64_t>(sizeof(float) + sizeof(double));
}

Result<std::shared_ptr<FlatReferences>> prepare_flats(const FlatFieldSpec& spec) {
  TL_TRY(check_references(spec));
  auto made = std::make_shared<FlatReferences>(spec);
  if (static_cast<int64_t>(made->repairs().dead_rows.size()) == made->rows() && made->rows() > 0)
    return invalid("no pixel has a flat that is brighter than its dark", operator_name,
                   "Check which images are flats and darks");
  return made;
}

}  // namespace tl::ops
