// ZarrChunks: reads boxes of an array of Zarr, chunk by chunk, in bounded memory.
#pragma once

#include <list>
#include <map>

#include "core/io/voxels/stored_volume.h"
#include "core/io/zarr/array.h"

namespace tl::io {

// Whether a missing chunk file means the fill value or damage.
enum class AbsentChunk : uint32_t { fill_value, damage };

// The last three (or the only two) axes of an array as pages, rows and columns; all axes before them must have length
// one. Uncompressed chunks are read in parts; others are decompressed as a whole, and the last ones are cached.
class ZarrChunks final : public StoredVoxels {
 public:
  // `root`: the real path of a folder; nothing outside it is read.
  ZarrChunks(ZarrArray array, std::filesystem::path root, AbsentChunk absent);
  Result<void> read(const GridBox& box, const at::Tensor& out) override;

 private:
  struct Part;  // the part of a box that lies in one chunk
  using Bytes = std::vector<std::byte>;

  Result<void> read_part(const Part& part, const at::Tensor& out);
  Result<void> read_plain(const Part& part, const std::filesystem::path& file, const at::Tensor& out);
  Result<const Bytes*> unpacked(const std::string& name, const std::filesystem::path& file);

  ZarrArray array_;
  std::filesystem::path root_;
  AbsentChunk absent_;
  int64_t pages_ = 1, rows_ = 1, cols_ = 1;  // of a chunk
  std::map<std::string, Bytes> kept_;
  std::list<std::string> newest_first_;
};

}  // namespace tl::io
