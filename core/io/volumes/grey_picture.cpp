// Reads BMP by hand and PNG by libpng.
#include "core/io/volumes/grey_picture.h"

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <fstream>

#include "core/base/text.h"
#include "core/io/bytes/reader_limits.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr int64_t longest_picture = int64_t{1} << 32, most_picture_pixels = int64_t{1} << 31;

Error damaged_picture(const fs::path& file) {
  return invalid("the picture is damaged or cut off", file.string(), "Copy it again");
}
Error coloured_picture(const fs::path& file) {
  return unavailable("the picture has colours, or not 8 or 16 bits of grey", file.string(),
                     "Write the slices as grey pictures of 8 or 16 bits, or as TIFF");
}

Result<std::string> bytes_of_picture(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))
    return io_error("the picture cannot be read", file.string(), "Check the path");
  const auto size = static_cast<int64_t>(fs::file_size(file, failed));
  if (failed || size > longest_picture) return invalid("the picture is larger than any slice", file.string());
  allow_memory_for(4 * size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), size);
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (!in && bytes.empty()) return io_error("the picture cannot be read", file.string(), "Check permissions");
  return bytes;
}

uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t count) {
  uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

// A BITMAPINFOHEADER or one of its successors; rows from the bottom, unless the height is negative.
Result<GreyPicture> decode_bmp(const std::string& bytes, const fs::path& file) {
  constexpr std::size_t first_header = 14, least_header = 40, palette_entry = 4;
  if (bytes.size() < first_header + least_header || !bytes.starts_with("BM")) return damaged_picture(file);
  const std::size_t offset = number_at(bytes, 10, 4), header = number_at(bytes, 14, 4);
  const auto width = static_cast<int32_t>(number_at(bytes, 18, 4)),
             height = static_cast<int32_t>(number_at(bytes, 22, 4));
  if (header < least_header) return damaged_picture(file);
  if (number_at(bytes, 28, 2) != 8 || number_at(bytes, 30, 4) != 0) return coloured_picture(file);
  GreyPicture picture{std::abs(int64_t{height}), width, 8, {}};
  if (width < 1 || picture.rows < 1 || picture.rows > most_picture_pixels / width) return damaged_picture(file);
  const int64_t stride = (int64_t{width} + 3) / 4 * 4, length = static_cast<int64_t>(bytes.size());
  const std::size_t stated = number_at(bytes, 46, 4), colours = stated == 0 ? 256 : stated;
  const std::size_t palette = first_header + header;
  if (colours > 256 || palette + palette_entry * colours > bytes.size() ||
      static_cast<int64_t>(offset) + stride * picture.rows > length)
    return damaged_picture(file);
  std::array<uint16_t, 256> greys{};
  for (std::size_t i = 0; i < colours; ++i) {
    const std::size_t at = palette + palette_entry * i;
    if (bytes[at] != bytes[at + 1] || bytes[at] != bytes[at + 2]) return coloured_picture(file);
    greys[i] = static_cast<unsigned char>(bytes[at]);
  }
  picture.pixels.reserve(static_cast<std::size_t>(picture.rows * picture.cols));
  for (int64_t r = 0; r < picture.rows; ++r) {
    const int64_t stored = height > 0 ? picture.rows - 1 - r : r;
    const char* from = bytes.data() + offset + static_cast<std::size_t>(stored * stride);
    for (int64_t c = 0; c < picture.cols; ++c) picture.pixels.push_back(greys[static_cast<unsigned char>(from[c])]);
  }
  return picture;
}

// libpng leaves a call by longjmp() where a file is damaged: nothing that has a destructor lives in these functions.
struct PngSource {
  const char* at;
  std::size_t left;
};
void read_png_bytes(png_structp png, png_bytep to, png_size_t count) {
  auto* source = static_cast<PngSource*>(png_get_io_ptr(png));
  if (count > source->left) png_error(png, "cut off");
  std::memcpy(to, source->at, count);
  source->at += count;
  source->left -= count;
}
void ignore_png_warning(png_structp /*png*/, png_const_charp /*text*/) {}

struct PngShape {
  png_uint_32 cols = 0, rows = 0;
  int bits = 0, colours = 0, passes = 1;
};
bool read_png_shape(png_structp png, png_infop info, PngShape* shape) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;  // NOLINT: libpng's way
  png_read_info(png, info);
  png_get_IHDR(png, info, &shape->cols, &shape->rows, &shape->bits, &shape->colours, nullptr, nullptr, nullptr);
  if (shape->bits == 16) png_set_swap(png);
  shape->passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}
bool read_png_rows(png_structp png, const PngShape* shape, unsigned char* to, std::size_t stride) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;  // NOLINT
  for (int pass = 0; pass < shape->passes; ++pass)
    for (png_uint_32 r = 0; r < shape->rows; ++r) png_read_row(png, to + r * stride, nullptr);
  png_read_end(png, nullptr);
  return true;
}

class PngReader {
 public:
  explicit PngReader(const std::string& bytes)
      : source_{bytes.data(), bytes.size()},
        length_(static_cast<int64_t>(bytes.size())),
        png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, ignore_png_warning)),
        info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {
    if (info_ != nullptr) png_set_read_fn(png_, &source_, read_png_bytes);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Result<GreyPicture> read(const fs::path& file) {
    PngShape shape;
    if (info_ == nullptr || !read_png_shape(png_, info_, &shape)) return damaged_picture(file);
    if (shape.colours != PNG_COLOR_TYPE_GRAY || (shape.bits != 8 && shape.bits != 16)) return coloured_picture(file);
    if (shape.cols == 0 || shape.rows > most_picture_pixels / shape.cols) return damaged_picture(file);
    GreyPicture picture{shape.rows, shape.cols, shape.bits, {}};
    // Deflate makes of a byte at most 1032; what claims more is cut off.
    constexpr int64_t most_of_a_byte = 1040, least = 4096;
    if (picture.rows * picture.cols * (shape.bits / 8) > most_of_a_byte * length_ + least) return damaged_picture(file);
    const auto count = static_cast<std::size_t>(picture.rows * picture.cols);
    const auto width = static_cast<std::size_t>(picture.cols);
    allow_memory_for(4 * static_cast<int64_t>(count));
    picture.pixels.resize(count);
    if (shape.bits == 16) {
      auto* to = reinterpret_cast<unsigned char*>(picture.pixels.data());
      return read_png_rows(png_, &shape, to, 2 * width) ? Result<GreyPicture>(std::move(picture))
                                                        : damaged_picture(file);
    }
    std::vector<unsigned char> narrow(count);
    if (!read_png_rows(png_, &shape, narrow.data(), width)) return damaged_picture(file);
    for (std::size_t i = 0; i < count; ++i) picture.pixels[i] = narrow[i];
    return picture;
  }

 private:
  PngSource source_;
  int64_t length_;  // [bytes] of the file
  png_structp png_;
  png_infop info_;
};

}  // namespace

Result<GreyPicture> read_grey_picture(const fs::path& file) {
  TL_TRY(const std::string bytes, bytes_of_picture(file));
  if (lower_case(file.extension().string()) == ".bmp") return decode_bmp(bytes, file);
  return PngReader(bytes).read(file);
}

}  // namespace tl::io
