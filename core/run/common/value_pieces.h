// Values in pieces: crops a value to a region, joins pieces to one value, collects blocks in a tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/run/common/plan.h"
#include "core/values/values.h"

namespace tl {

// Crops a value on region `stored` to `wanted`; nullopt if `wanted` is not part of it.
std::optional<Value> slice(const Value& value, const Region& stored, const Region& wanted);
// Joins pieces in ascending order to one value.
Value join(const std::vector<Value>& pieces, const std::vector<Region>& regions, CutAxis axis, const Region& whole);

// Collects the blocks of an output in one tensor in host memory.
class WholeValue {
 public:
  // `data` has the shape of the output's full region; blocks are copied into it.
  WholeValue(at::Tensor data, Info info);
  // Blocks of views and rows of projections, or of slices of a volume; they may be on a GPU.
  void add(const Value& block, const Region& region);
  // The value of the blocks added so far; at least one.
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  at::Tensor data_;
  Info info_;
  References references_;
  Value value_;
};

}  // namespace tl
