// Computes shapes, digests and units of arrays that are parameter values.
#include "core/node/number_array.h"

#include <xxhash.h>

#include "core/base/text.h"

namespace tl {
namespace {

// The number of elements; -1 if the shape is empty, has a negative extent or too many elements.
int64_t size_of(const std::vector<int64_t>& shape) {
  int64_t size = shape.empty() ? -1 : 1;
  for (const int64_t n : shape) {
    if (n < 0 || size < 0 || (n > 0 && size > NumberArray::max_values / n)) return -1;
    size *= n;
  }
  return size;
}

Result<int64_t> sound_size(const std::vector<int64_t>& shape) {
  const int64_t size = size_of(shape);
  if (size < 0)
    return invalid("an array of that shape cannot be a parameter", "array",
                   "At most " + std::to_string(NumberArray::max_values) + " numbers in all: crop or bin the data");
  return size;
}

}  // namespace

NumberArray::NumberArray(std::vector<int64_t> shape, std::vector<float> values, Unit unit)
    : shape_(std::move(shape)), unit_(unit) {
  const XXH128_hash_t h = XXH3_128bits(values.data(), values.size() * sizeof(float));
  digest_ =
      formatted("%016llx%016llx", static_cast<unsigned long long>(h.high64), static_cast<unsigned long long>(h.low64));
  values_ = std::make_shared<const std::vector<float>>(std::move(values));
}

Result<NumberArray> NumberArray::make(std::vector<int64_t> shape, std::vector<float> values, Unit unit) {
  TL_TRY(const int64_t size, sound_size(shape));
  if (size != static_cast<int64_t>(values.size()))
    return invalid(
        "an array has " + std::to_string(values.size()) + " numbers where its shape asks for " + std::to_string(size),
        "array", "Give it as many");
  return NumberArray(std::move(shape), std::move(values), unit);
}

Result<NumberArray> NumberArray::filled(std::vector<int64_t> shape, float value, Unit unit) {
  TL_TRY(const int64_t size, sound_size(shape));
  return NumberArray(std::move(shape), std::vector<float>(static_cast<std::size_t>(size), value), unit);
}

NumberArray NumberArray::converted(Unit unit) const {
  const Unit wanted = unit == Unit::none ? stored_unit(dimension(unit_)) : unit;
  if (wanted == unit_) return *this;
  std::vector<float> values = *values_;
  // A number without a unit is in the stored unit.
  for (float& v : values)
    v = static_cast<float>(unit_ == Unit::none ? from_stored(v, wanted) : convert(v, unit_, wanted));
  return {shape_, std::move(values), wanted};
}

}  // namespace tl
