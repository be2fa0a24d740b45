// The text header of MetaImage (.mhd, .mha): KEY = VALUE lines that describe a block of numbers.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "core/io/volume/raw_voxels.h"

namespace tl::io {

struct MetaHeader {
  std::map<std::string, std::string> fields;
  int64_t bytes = 0;  // up to the end of the line ElementDataFile

  // The value of the first of these names that is there; empty if none is.
  [[nodiscard]] std::string get(std::initializer_list<const char*> names) const;
};

// Whether a file begins like such a header.
bool is_meta_header(const std::filesystem::path& path);
// At most 64 KiB are read. io: unreadable; invalid: no such header.
Result<MetaHeader> read_meta_header(const std::filesystem::path& path);

// The block that the header describes in one file, beside the header or in it. Invalid, unavailable: what cannot be
// read, with the header's name.
Result<RawBlock> block_of_meta(const std::filesystem::path& path, const MetaHeader& header);

// The blocks of a header whose pages are separate files: a list of names after the line ElementDataFile = LIST, or a
// pattern with %d and its first number, last number and step. One block without these.
Result<std::vector<RawBlock>> blocks_of_meta(const std::filesystem::path& path, const MetaHeader& header);

}  // namespace tl::io
