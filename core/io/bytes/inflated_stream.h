// InflatedStream: decompresses a zlib or gzip stream up to its end, where its checksum is compared.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tl::io {

class InflatedStream {
 public:
  // Reads the next compressed bytes into `to` and returns their number: 0 at the end, negative after a read
  // error.
  using PackedBytes = std::function<int64_t(std::span<std::byte> to)>;

  explicit InflatedStream(PackedBytes packed);
  // The packed bytes are not copied.
  explicit InflatedStream(std::span<const std::byte> packed);
  InflatedStream(const InflatedStream&) = delete;
  InflatedStream& operator=(const InflatedStream&) = delete;
  ~InflatedStream();

  // Decompresses the next bytes: as many as fit into `to`, fewer only at the end of the stream, after its checksum was
  // found correct. Nothing if the stream is damaged or truncated. Consecutive gzip members are one stream; other bytes
  // after the end are padding.
  std::optional<int64_t> read(std::span<std::byte> to);
  // Skips up to `most` decompressed bytes and returns how many were skipped: fewer than `most` only at the
  // end.
  std::optional<int64_t> skip(int64_t most);

 private:
  bool fill();
  bool begin_next_member();

  PackedBytes source_;
  std::vector<std::byte> packed_;
  z_stream stream_{};
  bool ready_ = false, ended_ = false;
};

// The decompressed content of a stream, if it has exactly `bytes` bytes and the right checksum. Nothing otherwise.
std::optional<std::vector<std::byte>> inflated(std::span<const std::byte> packed, int64_t bytes);

}  // namespace tl::io
