// The header of MRC files (MRC2014, and the older forms of IMOD): what it says about the numbers behind it.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/base/vec3.h"
#include "core/io/bytes/byte_order.h"

namespace tl::io {

inline constexpr std::size_t mrc_bytes = 1024;      // of the header
inline constexpr double mrc_mm = 1e-7;              // of an angstrom, the unit of its lengths
inline constexpr int64_t longest_mrc_text = 65536;  // of our own words behind the header

// How numbers are packed: each in bytes of its own, or two in one byte, the first in the lower half; rows then begin
// with a new byte.
enum class MrcPacking : uint32_t { bytes, halves_of_bytes };

struct MrcHeader {
  ByteOrder order = ByteOrder::little;
  int64_t cols = 0, rows = 0, pages = 0;
  std::string type;  // as in RawBlock; of the bytes, if packed
  MrcPacking packing = MrcPacking::bytes;
  int64_t offset = 0;                        // of the numbers: the header and what follows it [bytes]
  std::array<std::size_t, 3> axes{0, 1, 2};  // x, y or z along columns, rows and pages
  Vec3 step;                                 // [mm] along x, y, z; 0 where the header states none
  Vec3 first;                                // [mm] position of the first number; 0 if the header states none
  bool has_place = false;
  bool is_stack = false;  // of images, not a volume
  std::string text;       // our own words between header and numbers; empty in files of others
};

// Whether the first bytes are those of such a file.
bool is_mrc(const std::filesystem::path& path);
// Reads and checks the header: sizes above 0, modes 0, 1, 2, 6, 12 and 101, right angles, axes that are a permutation,
// a place of the numbers behind it. Whether the file is as long as it says is checked where numbers are read
// (RawBlock). Errors: io; invalid, with what to do.
Result<MrcHeader> read_mrc_header(const std::filesystem::path& path);

}  // namespace tl::io
