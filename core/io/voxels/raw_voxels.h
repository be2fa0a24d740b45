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
// What may follow the voxels in their file: padding of less than a slice, or other volumes, both of which are noted; or
// anything.
enum class TrailingBytes : uint32_t { padding, other_volumes, anything };

struct RawBlock {
  std::filesystem::path file;
  std::string type;  // "uint16", "float32", ...
  ByteOrder order = ByteOrder::little;
  int64_t pages = 1, rows = 1, cols = 1;
  int64_t offset = 0;  // of the first voxel [bytes]; if packed, in what unpacking gives
  Packing packing = Packing::none;
  int64_t packed_from = 0;  // where the packed bytes begin in the file
  TrailingBytes behind = TrailingBytes::padding;
};

// Bytes of a number of this type; 0 if such numbers cannot be read.
int64_t bytes_of_number(const std::string& type);
// Converts `count` numbers of a type that bytes_of_number() knows.
void numbers_to_float(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, float* to);
// The same of integers, as int32 (saturated()); nothing is written of floats.
void numbers_to_int(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, int32_t* to);

// Checks type and sizes, and that the file is as long as they say: invalid if there are more voxels (RawBlock::behind).
// A packed file is read to its end once, because only there its checksum stands.
Result<std::unique_ptr<StoredVoxels>> raw_voxels(const RawBlock& block);

// The first bytes of a file, at most `most`; with Packing::gzip those of what unpacking gives (a file that is not
// packed is read as it is).
Result<std::string> first_bytes(const std::filesystem::path& file, std::size_t most, Packing packing);

// The file that a header names. Invalid unless it lies in the header's folder, so that headers cannot lead elsewhere.
Result<std::filesystem::path> names_companion(const std::filesystem::path& header, const std::string& name);

}  // namespace tl::io
