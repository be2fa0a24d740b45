// TiffLayout: the bytes of a grey TIFF or BigTIFF around its pixels; without compression they are known before the
// first pixel.
//
// Pages are contiguous, as ImageJ expects of large stacks and as suits memory mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/output/volume_writer.h"

namespace tl::io {

struct TiffLayout {
  int64_t pages = 1, rows = 1, cols = 1;
  SampleType type = SampleType::float32;
  std::string description;  // of the first page
  double pixels_per_um_x = 1, pixels_per_um_y = 1;
  // Sizes of the deflated pixels of the pages, which are contiguous; empty: pixels are not compressed.
  std::vector<int64_t> packed_bytes = {};

  // Whether it is a BigTIFF, because the classic format is limited to 4 GiB.
  [[nodiscard]] bool big() const;
  [[nodiscard]] int64_t page_bytes() const;
  // Header, first directory and description; the pixels of page 0 follow.
  [[nodiscard]] std::vector<std::byte> head() const;
  // The bytes after the last pixel: the directories of the other pages.
  [[nodiscard]] std::vector<std::byte> tail() const;
  // For compressed pixels, known when all pages are written: the first 16 bytes of the file, before the pixels of page
  // 0; and the bytes after the last page.
  [[nodiscard]] std::vector<std::byte> packed_head() const;
  [[nodiscard]] std::vector<std::byte> packed_tail() const;
  // Offset of the description in head().
  [[nodiscard]] int64_t description_offset() const;
};

// The description that ImageJ reads, followed by our own text as comment lines, which ImageJ skips. The lines "min="
// and "max=" have a fixed length, so that they can be overwritten when the range is known.
struct ImageJDescription {
  int64_t images = 1;
  double spacing_um = 1;  // distance of the slices
  std::string value_unit;
  double min = 0, max = 1;      // display range, in stored samples
  double offset = 0, step = 1;  // value = offset + stored * step
  std::string text;
  std::string place = {};  // lines of place_lines()
  [[nodiscard]] std::string lines() const;
};
// Key of a line in each slice of a folder: the number of slices, by which a missing one is detected.
inline constexpr const char* slices_of_stack = "slices_of_stack";
// Lines with the position of a volume: ImageJ's origin of coordinates in voxels, unless the axes are rotated, and the
// exact grid.
std::string place_lines(const VolumeGrid& grid);
// Our text in a description; empty if another program wrote the description.
std::string text_of_description(const std::string& description);

}  // namespace tl::io
