// TIFF files for reading, through libtiff: pages of one grey channel, rows on demand, errors in words.
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

class TiffFile {
 public:
  // True when the file begins as TIFF or BigTIFF files do.
  static bool is_tiff(const std::filesystem::path& path);
  static Result<TiffFile> open(const std::filesystem::path& path);
  TiffFile(TiffFile&& other) noexcept;
  TiffFile& operator=(TiffFile&& other) noexcept;
  ~TiffFile();

  // Number of pages (at most 2^24 are counted; a chain that runs in a circle is an error).
  Result<int64_t> pages();
  // Shape and type of a page; other than one channel of uint8/16/32, int8/16/32 or float32/64: invalid.
  Result<TiffPage> page(int64_t index);
  // Rows and columns of a page as floats or as counts; only the strips or tiles that hold them are decoded. Counts of
  // another type than uint8 and uint16: unavailable.
  Result<void> read(int64_t index, Range rows, Range cols, float* out);
  Result<void> read(int64_t index, Range rows, Range cols, uint16_t* out);
  std::string description();
  // Samples of the selected page lie in the file as they lie in memory: nothing is unpacked.
  [[nodiscard]] bool stored_as_used() const;
  // Of the file [bytes].
  [[nodiscard]] int64_t length() const;

 private:
  struct State;
  explicit TiffFile(std::unique_ptr<State> state);
  Result<void> select(int64_t index);
  Result<void> check_block(uint32_t number, int64_t bytes);
  template <class T>
  Result<void> read_as(int64_t index, Range rows, Range cols, T* out);
  template <class T>
  Result<void> copy_samples(int64_t offset, int64_t count, T* out);
  Result<void> copy_bytes(int64_t offset, int64_t count, void* out);
  std::unique_ptr<State> state_;
};

}  // namespace tl::io
