// CompoundFile: streams of a compound file (OLE, [MS-CFB]), which is a small file system in a file. Reads only what
// is asked for; offsets and lengths that point beyond the end of the file are errors.
//
// No library is used: libgsf 1.14.50 opens none beyond 4 GiB, and scans are several times as large.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/bytes/input_files.h"

namespace tl::io {

struct CompoundStream {
  std::string name;    // "ImageData1/Image1", in lower case
  uint32_t first = 0;  // its first sector, or first mini sector
  int64_t size = 0;    // [bytes]; at most the length of the file
  bool is_small = false;
};

// One thread at a time.
class CompoundFile {
 public:
  // Whether the file begins like a compound file.
  static bool is_compound_file(const std::filesystem::path& path);
  // Reads the directory. Errors: io for truncated or damaged files, invalid for impossible sector sizes.
  static Result<CompoundFile> open(const std::filesystem::path& path);

  // A stream by its path; case is ignored, as in the format. Storages deeper than three levels are not
  // listed.
  [[nodiscard]] const CompoundStream* find(std::string_view path) const;
  // Whether there is a storage (a folder) with that path.
  [[nodiscard]] bool has_storage(std::string_view path) const;

  // Reads bytes of a stream; sequential reads do not follow the chain of sectors from its start each time.
  class Cursor {
   public:
    Cursor(CompoundFile& file, const CompoundStream& stream) : file_(&file), stream_(&stream), sector_(stream.first) {}
    // Bytes [offset, offset + count), which must lie in the stream. Sectors that follow each other are read at once.
    Result<void> read(int64_t offset, int64_t count, std::byte* out);

   private:
    Result<void> seek(int64_t index);
    CompoundFile* file_;
    const CompoundStream* stream_;
    uint32_t sector_;    // number of the sector
    int64_t index_ = 0;  // its index in the stream
  };
  // The whole stream, at most `most` bytes: longer ones are an error.
  Result<std::vector<std::byte>> read_all(const CompoundStream& stream, int64_t most);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }
  // Length of the file [bytes].
  [[nodiscard]] int64_t length() const { return stamp_.size; }

 private:
  struct Entry;
  CompoundFile() = default;
  Result<void> read_header();
  Result<void> read_table_list(const std::array<std::byte, 512>& header);
  Result<void> read_directory(uint32_t first);
  Result<void> list_entries(const std::vector<std::byte>& directory);
  Result<void> read_small_sectors(const Entry& root);
  Result<std::vector<uint32_t>> chain(uint32_t first, int64_t most, const char* what);
  Result<uint32_t> next_sector(uint32_t sector);
  Result<uint32_t> next_small_sector(uint32_t sector) const;
  Result<void> read_bytes(int64_t offset, int64_t count, std::byte* out) const;
  [[nodiscard]] int64_t sector_offset(uint32_t sector) const { return (int64_t{sector} + 1) * sector_bytes_; }
  [[nodiscard]] Error damaged(const std::string& what) const;

  std::filesystem::path path_;
  FileDescriptor file_;
  FileStamp stamp_;
  int64_t sector_bytes_ = 512, sectors_ = 0;
  bool long_sizes_ = false;              // sizes of streams have 64 bits
  std::vector<uint32_t> table_sectors_;  // numbers of the sectors of the sector table
  std::vector<uint32_t> table_;          // the table sector that was read last
  int64_t table_index_ = -1;             // its index
  uint32_t first_small_table_ = 0;       // first sector of the mini sector table
  std::vector<uint32_t> small_table_;    // next small sectors
  std::vector<uint32_t> small_sectors_;  // the sectors that contain the mini sectors
  int64_t small_bytes_ = 0;              // bytes in them
  std::unordered_map<std::string, CompoundStream> streams_;
  std::vector<std::string> storages_;
};

}  // namespace tl::io
