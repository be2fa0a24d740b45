// Looks up each run of equal numbers once.
#include "core/values/class_indices.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace tl {

Result<at::Tensor> class_indices(const at::Tensor& numbers, const LabelTable& table, const std::string& where) {
  const at::Tensor from = numbers.to(at::kInt).contiguous();
  at::Tensor indices = at::empty_like(from);
  const auto* in = from.const_data_ptr<int32_t>();
  auto* out = indices.mutable_data_ptr<int32_t>();
  int64_t last_number = -1;
  int32_t last_index = unlabelled;
  for (int64_t i = 0; i < from.numel(); ++i) {
    if (in[i] != last_number || i == 0) {
      last_number = in[i];
      const auto found = std::find_if(table.classes.begin(), table.classes.end(),
                                      [&](const LabelClass& c) { return c.number == last_number; });
      if (table.not_labelled == last_number)
        last_index = unlabelled;
      else if (found != table.classes.end())
        last_index = static_cast<int32_t>(found - table.classes.begin());
      else
        return invalid("no class has the label " + std::to_string(last_number), where,
                       "Name it in the table of classes, or change its voxels to a class that is there");
    }
    out[i] = last_index;
  }
  return indices;
}

std::optional<int64_t> unlabelled_number(const LabelTable& table) {
  if (table.not_labelled || table.classes.empty()) return table.not_labelled;
  const bool has_zero =
      std::any_of(table.classes.begin(), table.classes.end(), [](const LabelClass& c) { return c.number == 0; });
  return has_zero ? std::nullopt : std::optional<int64_t>{0};
}

bool is_without_table(const LabelTable& table) { return table.classes.empty() && !table.not_labelled; }

}  // namespace tl
