// Unpacks chunks by zlib, zstd and blosc.
#include "core/io/zarr/codecs.h"

#include <blosc.h>
#include <zstd.h>

#include <array>

#include "core/io/bytes/inflated_stream.h"

namespace tl::io {
namespace {

Error damaged_chunk(const std::string& where) {
  return io_error("a chunk cannot be unpacked", where, "The file is damaged or incomplete: copy it again");
}

bool unpack_blosc(std::span<const std::byte> packed, std::vector<std::byte>& plain) {
  std::size_t claimed = 0;
  if (blosc_cbuffer_validate(packed.data(), packed.size(), &claimed) < 0 || claimed != plain.size()) return false;
  return blosc_decompress_ctx(packed.data(), plain.data(), plain.size(), 1) == static_cast<int64_t>(plain.size());
}

}  // namespace

std::optional<ZarrCodec> zarr_codec_named(std::string_view name) {
  if (name == "zlib") return ZarrCodec::zlib;
  if (name == "gzip") return ZarrCodec::gzip;
  if (name == "zstd") return ZarrCodec::zstd;
  if (name == "blosc") return ZarrCodec::blosc;
  return std::nullopt;
}

Result<std::vector<std::byte>> unpack_chunk(ZarrCodec codec, std::span<const std::byte> packed, int64_t bytes,
                                            const std::string& where) {
  if (codec == ZarrCodec::zlib || codec == ZarrCodec::gzip) {
    auto plain = inflated(packed, bytes);
    return plain ? Result<std::vector<std::byte>>(*std::move(plain)) : damaged_chunk(where);
  }
  std::vector<std::byte> plain(static_cast<std::size_t>(bytes));
  const bool whole = codec == ZarrCodec::zstd
                         ? ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) == plain.size()
                         : unpack_blosc(packed, plain);
  if (!whole) return damaged_chunk(where);
  return plain;
}

uint32_t crc32c(std::span<const std::byte> bytes) {
  constexpr uint32_t polynomial = 0x82f63b78;  // of Castagnoli, bits reversed
  static constexpr auto table = [] {
    std::array<uint32_t, 256> all{};
    for (uint32_t i = 0; i < all.size(); ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? polynomial : 0);
      all[i] = value;
    }
    return all;
  }();
  uint32_t sum = ~uint32_t{0};
  for (const std::byte b : bytes) sum = sum >> 8 ^ table[(sum ^ static_cast<uint32_t>(b)) & 255];
  return ~sum;
}

}  // namespace tl::io
