// NumberArray: an array of numbers as parameter value: an image, a volume, the weights of a network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"

namespace tl {

// Immutable; copies share the numbers, so that a graph with arrays is cheap to copy.
class NumberArray {
 public:
  // Limit of numbers that a pipeline file can hold.
  static constexpr int64_t max_values = int64_t{1} << 22;

  NumberArray() : NumberArray({0}, {}, Unit::none) {}
  // The last index varies fastest. Invalid: no or negative extents, more than max_values numbers, or a size that
  // differs from that of `values`.
  static Result<NumberArray> make(std::vector<int64_t> shape, std::vector<float> values, Unit unit = Unit::none);
  static Result<NumberArray> filled(std::vector<int64_t> shape, float value, Unit unit = Unit::none);

  [[nodiscard]] const std::vector<int64_t>& shape() const { return shape_; }
  [[nodiscard]] const std::vector<float>& values() const { return *values_; }
  [[nodiscard]] Unit unit() const { return unit_; }
  [[nodiscard]] const std::string& digest() const { return digest_; }  // digest of the values: 32 hexadecimal digits
  [[nodiscard]] NumberArray converted(Unit unit) const;  // in another unit of its dimension; none = stored unit
  friend bool operator==(const NumberArray& a, const NumberArray& b) {
    return a.shape_ == b.shape_ && a.unit_ == b.unit_ && a.digest_ == b.digest_;
  }

 private:
  NumberArray(std::vector<int64_t> shape, std::vector<float> values, Unit unit);

  std::vector<int64_t> shape_;
  std::shared_ptr<const std::vector<float>> values_;
  Unit unit_ = Unit::none;
  std::string digest_;
};

}  // namespace tl
