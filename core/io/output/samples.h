// Conversion of voxels to the samples of an image file.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/io/output/volume_writer.h"

namespace tl::io {

int64_t bytes_per_sample(SampleType type);
// "float32", "uint16", "uint8", "int32".
std::string sample_type_name(SampleType type);
// The type of that name, among the types for values (not int32); nothing for other texts.
std::optional<SampleType> sample_type_named(const std::string& name);
// Largest stored integer; 0 for float32.
double largest_sample(SampleType type);

// A linear map from values to samples. Integers: low becomes 0, high the largest integer; values outside are clipped,
// NaN becomes 0.
struct SampleScale {
  SampleType type = SampleType::float32;
  double low = 0, high = 1;
  // value = low + stored * step()
  [[nodiscard]] double step() const { return type == SampleType::float32 ? 1 : (high - low) / largest_sample(type); }
};

// Invalid for integers unless low < high and both are finite.
Result<void> check_scale(const SampleScale& scale, const std::string& where);

// Smallest and largest finite value added.
struct ValueRange {
  double low = 0, high = 0;
  bool any = false;
  void add(double value);
  void add_slice(const at::Tensor& slice);  // contiguous float32 or int32 on the CPU
};

// The samples of one slice, little-endian, starting with the row of the largest y. `slice` is contiguous float32 or
// int32 [y, x] on the CPU.
std::vector<std::byte> encode_slice(const at::Tensor& slice, const SampleScale& scale);
// Encodes into `samples` and reuses its memory: writers of many slices then allocate no new pages.
void encode_slice(const at::Tensor& slice, const SampleScale& scale, std::vector<std::byte>& samples);

}  // namespace tl::io
