// TiffFile: reads TIFF files with libtiff: single-channel pages, regions on demand, errors as text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/base/region.h"

namespace tl::io {

struct TiffPage {
  int64_t rows = 0, cols = 0;
  std::string type;  // "uint16", "float32", ...
  friend bool operator==(const TiffPage&, const TiffPage&) = default;
};

// Pixels per unit along columns and rows; `centimetre`: the unit is centimetres. 0: not stated.
struct TiffResolution {
  double x = 0, y = 0;
  bool centimetre = false;
};

class TiffFile {
 public:
  // Whether the file begins like a TIFF or BigTIFF.
  static bool is_tiff(const std::filesystem::path& path);
  static Result<TiffFile> open(const std::filesystem::path& path);
  TiffFile(TiffFile&& other) noexcept;
  TiffFile& operator=(TiffFile&& other) noexcept;
  ~TiffFile();

  // Number of pages (at most 2^24 are counted), including images that follow the only listed page (ImageJ's large
  // stacks). An error if the chain of pages is damaged or circular; invalid if the description states more than one
  // axis of images, or another number of them.
  Result<int64_t> pages();
  // Shape and type of a page. Invalid unless it has one channel of uint8/16/32, int8/16/32 or float32/64.
  Result<TiffPage> page(int64_t index);
  // Reads rows and columns of a page, in the orientation that it states, as float or uint16; only the strips or tiles
  // that contain them are decoded. Unavailable: uint16 requested, but the page is neither uint8 nor uint16.
  Result<void> read(int64_t index, Range rows, Range cols, float* out);
  Result<void> read(int64_t index, Range rows, Range cols, uint16_t* out);
  // As int32 (saturated()). Unavailable: the page has floats.
  Result<void> read(int64_t index, Range rows, Range cols, int32_t* out);
  std::string description();
  TiffResolution resolution();
  // Whether no page is listed after the selected one.
  [[nodiscard]] bool is_last_page() const;
  // Whether the samples of the selected page are stored as in memory, so that no decoding is needed.
  [[nodiscard]] bool stored_as_used() const;
  // Length of the file [bytes].
  [[nodiscard]] int64_t length() const;

 private:
  struct State;
  explicit TiffFile(std::unique_ptr<State> state);
  Result<void> select(int64_t index);
  Result<int64_t> listed_pages();
  Result<bool> images_follow_the_first(int64_t images);
  Result<void> check_block(uint32_t number, int64_t bytes);
  Result<void> check_checksum(uint32_t number, int64_t bytes, int64_t whole_bytes);
  template <class T>
  Result<void> read_as(int64_t index, Range rows, Range cols, T* out);
  template <class T>
  Result<void> read_stored(int64_t index, const TiffPage& shape, Range rows, Range cols, T* out);
  template <class T>
  Result<void> copy_samples(int64_t offset, int64_t count, T* out);
  Result<void> copy_bytes(int64_t offset, int64_t count, void* out);
  std::unique_ptr<State> state_;
};

}  // namespace tl::io
