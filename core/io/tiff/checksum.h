// Checksums of the compressed strips and tiles of TIFF files, which libtiff does not reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tl::io {

// Whether the content of a strip or tile agrees with its checksum: deflate has one of the decompressed bytes,
// zstd if its writer added one, others (LZW, PackBits, JPEG, ...) none. `compression` is that of TIFF;
// `plain` are the bytes that libtiff decompressed, if they are complete and unchanged (no predictor, our byte
// order): comparing is then quick. Otherwise decompresses again, up to twice the `whole_bytes` of a strip or
// tile.
bool strile_checksum_fits(uint16_t compression, std::span<const std::byte> packed, std::span<const std::byte> plain,
                          int64_t whole_bytes);
// Whether strips and tiles of this compression may have a checksum.
bool may_have_checksum(uint16_t compression);

}  // namespace tl::io
