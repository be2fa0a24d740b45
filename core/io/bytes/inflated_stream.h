// InflatedStream: what a stream of zlib or gzip gives when it is unpacked, up to its end, where its checksum stands.
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
  // Puts the next packed bytes into `to` and returns how many they are: 0 at their end, negative if they cannot be
  // read.
  using PackedBytes = std::function<int64_t(std::span<std::byte> to)>;

  explicit InflatedStream(PackedBytes packed);
  // The packed bytes are not copied.
  explicit InflatedStream(std::span<const std::byte> packed);
  InflatedStream(const InflatedStream&) = delete;
  InflatedStream& operator=(const InflatedStream&) = delete;
  ~InflatedStream();

  // Unpacks the next bytes: as many as `to` has room for, fewer only at the end of the stream, whose checksum was
  // right. Nothing if the stream is damaged or cut off. Several streams of gzip that follow each other are one; other
  // bytes behind the end are padding.
  std::optional<int64_t> read(std::span<std::byte> to);
  // Goes on by up to `most` bytes without keeping them, and returns how many there were: fewer than `most` only at the
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

// The bytes that a packed stream gives: exactly `bytes` of them, with the right checksum. Nothing otherwise.
std::optional<std::vector<std::byte>> inflated(std::span<const std::byte> packed, int64_t bytes);

}  // namespace tl::io
