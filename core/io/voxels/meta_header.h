// The text header of MetaImage (.mhd, .mha): KEY = VALUE lines that describe a block of numbers.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "core/io/voxels/raw_voxels.h"

namespace tl::io {

// Tomoloom's own key in headers of two files: data_checksum() of the file with the voxels.
inline constexpr const char* meta_data_checksum = "TomoloomDataChecksum";

struct MetaHeader {
  std::map<std::string, std::string> fields;
  int64_t bytes = 0;  // up to the end of the line ElementDataFile [bytes]

  // The value of the first of these keys that is present; empty if none is.
  [[nodiscard]] std::string get(std::initializer_list<const char*> names) const;
};

// Whether ElementDataFile (or "data file" of NRRD) stands for several files: the word LIST, or a pattern such as
// view_%04d.raw and the numbers after it. Other names are file names, whatever characters they have.
bool names_many_files(const std::string& data);

// Whether a file begins like a MetaImage header.
bool is_meta_header(const std::filesystem::path& path);
// Reads at most 64 KiB. io: unreadable; invalid: not a MetaImage header.
Result<MetaHeader> read_meta_header(const std::filesystem::path& path);

// The block of voxels that the header describes, in one file next to the header or in the header's file. Invalid,
// unavailable: unsupported properties, with the header's name.
Result<RawBlock> block_of_meta(const std::filesystem::path& path, const MetaHeader& header);

// invalid if the checksum in the header differs from that of the voxel file: a writer was killed between writing the
// two, or one of them was replaced.
Result<void> check_is_data_of(const MetaHeader& header, const std::filesystem::path& path, const RawBlock& block);

// The blocks of a header whose pages are separate files: a list of names after the line ElementDataFile = LIST, or a
// pattern with %d and its first number, last number and step. One block for other headers.
Result<std::vector<RawBlock>> blocks_of_meta(const std::filesystem::path& path, const MetaHeader& header);

}  // namespace tl::io
