// Compares checksums of strips and tiles: reads their streams to the end.
#include "core/io/tiff/checksum.h"

#include <tiff.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>
#include <vector>

#include "core/io/bytes/inflated_stream.h"

namespace tl::io {
namespace {

// The four bytes at the end of a stream of zlib, most significant first.
bool ends_with_adler32(std::span<const std::byte> packed, std::span<const std::byte> plain) {
  constexpr std::size_t size = 4;
  if (packed.size() < size) return false;
  uint32_t stated = 0;
  for (const std::byte b : packed.last(size)) stated = stated << 8 | static_cast<uint32_t>(b);
  const uLong sum = adler32_z(adler32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(plain.data()), plain.size());
  return sum == stated;
}

bool deflate_is_right(std::span<const std::byte> packed, int64_t most) {
  InflatedStream stream(packed);
  return stream.skip(most).value_or(most) < most;
}

// Whether the header of a zstd frame announces a checksum at its end.
bool zstd_has_checksum(std::span<const std::byte> packed) {
  constexpr std::size_t descriptor = 4;
  constexpr auto flag = std::byte{4};
  return packed.size() > descriptor && (packed[descriptor] & flag) != std::byte{0};
}

bool zstd_is_right(std::span<const std::byte> packed, int64_t most) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) return false;
  std::vector<std::byte> piece(ZSTD_DStreamOutSize());
  ZSTD_inBuffer from{packed.data(), packed.size(), 0};
  int64_t made = 0;
  for (std::size_t left = 1; left != 0;) {
    const std::size_t before = from.pos;
    ZSTD_outBuffer to{piece.data(), piece.size(), 0};
    left = ZSTD_decompressStream(context.get(), &to, &from);
    const bool stuck = from.pos == before && to.pos == 0;
    made += static_cast<int64_t>(to.pos);
    if (ZSTD_isError(left) != 0 || (left != 0 && stuck) || made > most) return false;
  }
  return true;
}

}  // namespace

bool may_have_checksum(uint16_t compression) {
  return compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE ||
         compression == COMPRESSION_ZSTD;
}

bool strile_checksum_fits(uint16_t compression, std::span<const std::byte> packed, std::span<const std::byte> plain,
                          int64_t whole_bytes) {
  const int64_t most = 2 * whole_bytes + 1;
  if (compression == COMPRESSION_ZSTD) return !zstd_has_checksum(packed) || zstd_is_right(packed, most);
  return (!plain.empty() && ends_with_adler32(packed, plain)) || deflate_is_right(packed, most);
}

}  // namespace tl::io
