// Checksums of the compressed strips and tiles of TIFF files, which libtiff does not reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tl::io {

// Whether what a strip or tile holds is right as far as can be known: those of deflate have a checksum of what
// unpacking gives, those of zstd if their writer added it, others (LZW, PackBits, JPEG, ...) none. `compression` is
// that of TIFF; `plain` are the bytes that libtiff unpacked, if they are all of them and as they were packed (no
// predictor, our byte order): then comparing is quick. Otherwise it unpacks again, up to twice the `whole_bytes` that a
// strile has.
bool strile_checksum_fits(uint16_t compression, std::span<const std::byte> packed, std::span<const std::byte> plain,
                          int64_t whole_bytes);
// Whether strips and tiles of this compression may have one.
bool may_have_checksum(uint16_t compression);

}  // namespace tl::io
