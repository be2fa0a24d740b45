// The headers of EDF files (ESRF data format): texts of KEY = VALUE ; in braces, padded to blocks of 512 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"

namespace tl::io {

// An open file of known length [bytes]; a gzip file is held decompressed in memory.
struct EdfSource {
  FileDescriptor file;
  int64_t length = 0;
  std::string where;  // its path, for errors
  std::shared_ptr<const std::vector<std::byte>> unpacked = nullptr;
};
// Errors: io; unavailable for a compressed file of more than 1 GiB, or more than half of the memory that this process
// may use.
Result<EdfSource> open_edf_source(const std::string& path);
// Reads `count` bytes at an offset; io if the file ends before.
Result<void> read_edf_bytes(const EdfSource& source, int64_t offset, int64_t count, void* out);

// The keys of a header, ignoring case, and the position in the file where the header ends [bytes].
struct EdfHeader {
  std::map<std::string, std::string> values;  // by the key in lower case
  int64_t end = 0;

  // The value; empty if the key is missing.
  [[nodiscard]] const std::string& text(const std::string& key) const;
  // Nothing if the key is missing; invalid unless it is a non-negative integer.
  [[nodiscard]] Result<std::optional<int64_t>> integer(const std::string& key, const std::string& where) const;
};

// The header that begins at an offset; nothing at the end of the file, also if only blanks follow. Invalid: there is no
// header, or it does not end within 1 MiB.
Result<std::optional<EdfHeader>> read_edf_header(const EdfSource& source, int64_t offset);

// Whether a file begins like a header.
bool begins_like_edf(const std::string& path);

}  // namespace tl::io
