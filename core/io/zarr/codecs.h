// Compression of Zarr's chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

enum class ZarrCodec : uint32_t { zlib, gzip, zstd, blosc };

// The codec with that name in Zarr headers ("zlib", "gzip", "zstd", "blosc"); nothing for other names.
std::optional<ZarrCodec> zarr_codec_named(std::string_view name);

// Decompresses a chunk of exactly `bytes` bytes. io: it is damaged, or has another size; `where` names the chunk.
// Checksums are compared: zlib and gzip always have one, zstd if its writer added it, blosc never. The caller has
// checked that so much memory may be used.
Result<std::vector<std::byte>> unpack_chunk(ZarrCodec codec, std::span<const std::byte> packed, int64_t bytes,
                                            const std::string& where);

// The checksum that Zarr 3 adds after a chunk with the codec crc32c.
uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace tl::io
