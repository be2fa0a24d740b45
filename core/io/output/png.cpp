// Writes one slice as an 8-bit grey PNG.
#include <ATen/ATen.h>
#include <png.h>

#include <cmath>

#include "core/io/output/samples.h"

namespace tl::io {

Result<std::vector<std::byte>> encoded_png(const at::Tensor& slice, double low, double high, const std::string& where) {
  constexpr int64_t longest = 1 << 20;  // [pixels] far larger than any screen; libpng's sizes stay within 64 bits
  TL_CHECK(slice.dim() == 2, "an image is made of one slice");
  if (slice.size(0) < 1 || slice.size(1) < 1 || slice.size(0) > longest || slice.size(1) > longest)
    return invalid("a slice of " + std::to_string(slice.size(0)) + " x " + std::to_string(slice.size(1)) +
                       " pixels cannot be written as an image",
                   where);
  // A constant slice has no range: it becomes black.
  const SampleScale scale{SampleType::uint8, low, high > low ? high : low + std::max(1.0, std::abs(low))};
  TL_TRY(check_scale(scale, where));
  const auto pixels = encode_slice(slice.to(at::kCPU, at::kFloat).contiguous(), scale);

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(slice.size(1));
  image.height = static_cast<png_uint_32>(slice.size(0));
  image.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> encoded(size);
  if (png_image_write_to_memory(&image, encoded.data(), &size, 0, pixels.data(), 0, nullptr) == 0)
    return io_error(std::string("the image cannot be encoded: ") + image.message, where);
  encoded.resize(size);
  return encoded;
}

Result<OutputFile> uncommitted_png(const std::filesystem::path& name, const at::Tensor& slice, double low, double high,
                                   const OutputRules& rules) {
  TL_TRY(const std::vector<std::byte> encoded, encoded_png(slice, low, high, name.string()));
  return uncommitted_file(name, encoded, rules);
}

Result<void> write_png(const std::filesystem::path& name, const at::Tensor& slice, double low, double high,
                       const OutputRules& rules) {
  TL_TRY(OutputFile file, uncommitted_png(name, slice, low, high, rules));
  return file.commit();
}

}  // namespace tl::io
