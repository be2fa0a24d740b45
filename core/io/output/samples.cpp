// Converts slices of voxels to the samples of an image file.
#include "core/io/output/samples.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

static_assert(std::endian::native == std::endian::little, "image files are written in the machine's byte order");

namespace tl::io {
namespace {

template <class T, class From>
void encode_rows(const From* from, int64_t rows, int64_t cols, const SampleScale& scale, std::byte* to) {
  const double largest = largest_sample(scale.type), gain = largest / (scale.high - scale.low);
  std::vector<T> line(static_cast<std::size_t>(cols));
  for (int64_t r = 0; r < rows; ++r) {
    const From* row = from + (rows - 1 - r) * cols;
    for (int64_t c = 0; c < cols; ++c) {
      const double stored = std::floor((static_cast<double>(row[c]) - scale.low) * gain + 0.5);
      // Written so that NaN, for which every comparison is false, becomes 0.
      line[static_cast<std::size_t>(c)] = static_cast<T>(stored > 0 ? std::min(stored, largest) : 0.0);
    }
    std::memcpy(to + r * cols * static_cast<int64_t>(sizeof(T)), line.data(), line.size() * sizeof(T));
  }
}

template <class From>
void encode_integers(const From* from, int64_t rows, int64_t cols, const SampleScale& scale, std::byte* to) {
  if (scale.type == SampleType::uint8) encode_rows<uint8_t>(from, rows, cols, scale, to);
  if (scale.type == SampleType::uint16) encode_rows<uint16_t>(from, rows, cols, scale, to);
  if (scale.type == SampleType::int32) encode_rows<int32_t>(from, rows, cols, scale, to);
}

}  // namespace

int64_t bytes_per_sample(SampleType type) { return type == SampleType::uint8 ? 1 : type == SampleType::uint16 ? 2 : 4; }
std::string sample_type_name(SampleType type) {
  switch (type) {
    case SampleType::uint8: return "uint8";
    case SampleType::uint16: return "uint16";
    case SampleType::int32: return "int32";
    case SampleType::float32: break;
  }
  return "float32";
}
std::optional<SampleType> sample_type_named(const std::string& name) {
  for (const SampleType type : {SampleType::float32, SampleType::uint16, SampleType::uint8})
    if (sample_type_name(type) == name) return type;
  return std::nullopt;
}
double largest_sample(SampleType type) {
  switch (type) {
    case SampleType::uint8: return std::numeric_limits<uint8_t>::max();
    case SampleType::uint16: return std::numeric_limits<uint16_t>::max();
    case SampleType::int32: return std::numeric_limits<int32_t>::max();
    case SampleType::float32: break;
  }
  return 0;
}

Result<void> check_scale(const SampleScale& scale, const std::string& where) {
  if (scale.type == SampleType::float32 ||
      (std::isfinite(scale.low) && std::isfinite(scale.high) && scale.low < scale.high))
    return ok();
  return invalid("integers need a range from a low to a higher value, not " + std::to_string(scale.low) + " to " +
                     std::to_string(scale.high),
                 where, "Give the values that become 0 and the largest integer, or write float32");
}

void ValueRange::add(double value) {
  if (!std::isfinite(value)) return;
  low = any ? std::min(low, value) : value;
  high = any ? std::max(high, value) : value;
  any = true;
}

// Compares several values at a time: one sequential chain of comparisons would take as long as writing the slice.
void ValueRange::add_slice(const at::Tensor& slice) {
  if (slice.scalar_type() == at::kInt) {
    if (slice.numel() == 0) return;
    add(slice.min().item<double>());
    add(slice.max().item<double>());
    return;
  }
  constexpr int64_t lanes = 16;
  constexpr float none = std::numeric_limits<float>::infinity();
  std::array<float, lanes> lowest, highest;
  lowest.fill(none);
  highest.fill(-none);
  const float* from = slice.data_ptr<float>();
  const int64_t count = slice.numel(), whole = count / lanes * lanes;
  for (int64_t i = 0; i < whole; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const float value = from[i + lane], size = std::abs(value);
      const bool finite = size < none;  // neither NaN
      auto& low_here = lowest[static_cast<std::size_t>(lane)];
      auto& high_here = highest[static_cast<std::size_t>(lane)];
      low_here = finite && value < low_here ? value : low_here;
      high_here = finite && value > high_here ? value : high_here;
    }
  add(*std::min_element(lowest.begin(), lowest.end()));
  add(*std::max_element(highest.begin(), highest.end()));
  for (int64_t i = whole; i < count; ++i) add(from[i]);
}

std::vector<std::byte> encode_slice(const at::Tensor& slice, const SampleScale& scale) {
  std::vector<std::byte> samples;
  encode_slice(slice, scale, samples);
  return samples;
}

void encode_slice(const at::Tensor& slice, const SampleScale& scale, std::vector<std::byte>& samples) {
  const bool whole = slice.scalar_type() == at::kInt;
  TL_CHECK(slice.dim() == 2 && slice.is_contiguous() && (whole || slice.scalar_type() == at::kFloat),
           "a slice is float32 or int32 [y, x]");
  const int64_t rows = slice.size(0), cols = slice.size(1);
  samples.resize(static_cast<std::size_t>(rows * cols * bytes_per_sample(scale.type)));
  if (scale.type == SampleType::float32) {
    const at::Tensor floats = slice.to(at::kFloat);
    const auto* const from = floats.const_data_ptr<float>();
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(samples.data() + 4 * r * cols, from + (rows - 1 - r) * cols, static_cast<std::size_t>(4 * cols));
  } else if (whole) {
    encode_integers(slice.const_data_ptr<int32_t>(), rows, cols, scale, samples.data());
  } else {
    encode_integers(slice.const_data_ptr<float>(), rows, cols, scale, samples.data());
  }
}

}  // namespace tl::io
