// RawVoxels: voxels of a plain block of numbers in a file, possibly compressed, for formats that are a header
// and such a block.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "core/io/bytes/byte_order.h"
#include "core/io/voxels/stored_volume.h"

namespace tl::io {

enum class Packing : uint32_t { none, gzip, zlib };
// Data that may follow the voxels in their file: padding of less than a slice, or other volumes (both are noted); or
// anything.
enum class TrailingBytes : uint32_t { padding, other_volumes, anything };

struct RawBlock {
  std::filesystem::path file;
  std::string type;  // "uint16", "float32", ...
  ByteOrder order = ByteOrder::little;
  int64_t pages = 1, rows = 1, cols = 1;
  int64_t offset = 0;  // offset of the first voxel [bytes]; for compressed data, in the decompressed content
  Packing packing = Packing::none;
  int64_t packed_from = 0;  // offset of the compressed bytes in the file
  TrailingBytes behind = TrailingBytes::padding;
};

// Size of a number of this type [bytes]; 0 if the type is not supported.
int64_t bytes_of_number(const std::string& type);
// Converts `count` numbers of a type that bytes_of_number() supports.
void numbers_to_float(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, float* to);
// Converts integers to int32 (saturated()); floats are not converted.
void numbers_to_int(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, int32_t* to);

// Checks type and sizes, and that the file is long enough: invalid if voxels are missing or too many bytes follow
// (RawBlock::behind). A compressed file is read to its end once, because its checksum is there.
Result<std::unique_ptr<StoredVoxels>> raw_voxels(const RawBlock& block);

// The first bytes of a file, at most `most`; with Packing::gzip, of its decompressed content (an uncompressed file is
// read unchanged).
Result<std::string> first_bytes(const std::filesystem::path& file, std::size_t most, Packing packing);

// The path of a file that a header names. Invalid unless it is in the header's folder, so that headers cannot refer to
// other folders.
Result<std::filesystem::path> names_companion(const std::filesystem::path& header, const std::string& name);

}  // namespace tl::io
