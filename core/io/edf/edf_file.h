// EdfFile: the images of an EDF file (ESRF data format): their sizes, types and offsets, and regions of their pixels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/io/edf/edf_header.h"

namespace tl::io {

enum class EdfSample : uint32_t { uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32, float64 };
std::string_view sample_name(EdfSample sample);
int64_t sample_bytes(EdfSample sample);

enum class EdfByteOrder : uint32_t { low_first, high_first };

struct EdfImage {
  int64_t rows = 0, cols = 0;
  EdfSample sample = EdfSample::uint16;
  EdfByteOrder order = EdfByteOrder::low_first;
  std::filesystem::path pixels;  // the file with the pixels: the EDF file itself, or another one in its folder
  int64_t offset = 0;            // of the first pixel [bytes]
};

class EdfFile {
 public:
  // Whether the file begins like an EDF file.
  static bool is_edf(const std::filesystem::path& path) { return begins_like_edf(path.string()); }
  // Reads all headers, no pixels; every size is checked against the file's length, except for pixels in another file,
  // which is checked when they are read. Errors: io (unreadable, truncated); invalid (not an EDF, sizes that contradict
  // each other); unavailable (compressed pixels).
  static Result<EdfFile> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::vector<EdfImage>& images() const { return images_; }
  [[nodiscard]] int64_t length() const { return source_.length; }  // unpacked
  [[nodiscard]] bool is_unpacked() const { return source_.unpacked != nullptr; }

  // Rows and columns of an image as float or uint16, row 0 first. Only these rows are read. Unavailable: uint16
  // requested, but the image is neither uint8 nor uint16.
  Result<void> read(const EdfImage& image, Range rows, Range cols, float* out) const;
  Result<void> read(const EdfImage& image, Range rows, Range cols, uint16_t* out) const;

 private:
  EdfFile(std::filesystem::path path, EdfSource source) : path_(std::move(path)), source_(std::move(source)) {}
  template <class To>
  Result<void> read_as(const EdfImage& image, Range rows, Range cols, To* out) const;
  std::filesystem::path path_;
  EdfSource source_;
  std::vector<EdfImage> images_;
};

}  // namespace tl::io
