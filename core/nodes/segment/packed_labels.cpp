// PackedLabels: stores runs if they take fewer bytes than plain numbers.
#include "core/nodes/segment/packed_labels.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace tl {
namespace {

at::ScalarType smallest_type(const at::Tensor& labels) {
  if (labels.scalar_type() == at::kBool || labels.numel() == 0) return labels.scalar_type();
  const bool fits =
      labels.min().item<int64_t>() >= 0 && labels.max().item<int64_t>() <= std::numeric_limits<uint8_t>::max();
  return fits ? at::kByte : at::kInt;
}

}  // namespace

PackedLabels::PackedLabels(const at::Tensor& labels) : shape_(labels.sizes().vec()), type_(labels.scalar_type()) {
  TL_CHECK(type_ == at::kBool || type_ == at::kInt, "labels are a mask or int32");
  const at::ScalarType smallest = smallest_type(labels);
  const int64_t count = labels.numel();
  const auto max_runs =
      static_cast<std::size_t>(count * static_cast<int64_t>(c10::elementSize(smallest))) / sizeof(Run);
  const at::Tensor numbers = labels.to(at::kInt).contiguous();
  const auto* const number = numbers.const_data_ptr<int32_t>();
  constexpr int64_t longest = std::numeric_limits<int32_t>::max();
  for (int64_t i = 0; i < count;) {
    if (runs_.size() >= max_runs) {
      std::vector<Run>().swap(runs_);
      plain_ = labels.to(smallest, false, true).contiguous();
      return;
    }
    int64_t end = i + 1;
    while (end < count && number[end] == number[i] && end - i < longest) ++end;
    runs_.push_back({static_cast<int32_t>(end - i), number[i]});
    i = end;
  }
  runs_.shrink_to_fit();
}

at::Tensor PackedLabels::unpacked() const {
  if (plain_.defined()) return plain_.to(type_, false, true);
  at::Tensor numbers = at::empty(shape_, at::kInt);
  auto* to = numbers.mutable_data_ptr<int32_t>();
  for (const Run& run : runs_) to = std::fill_n(to, run.length, run.number);
  return numbers.to(type_);
}

int64_t PackedLabels::bytes() const {
  return static_cast<int64_t>(runs_.capacity() * sizeof(Run)) +
         (plain_.defined() ? plain_.numel() * static_cast<int64_t>(plain_.element_size()) : 0);
}

}  // namespace tl
