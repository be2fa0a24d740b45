// Reads chunks by pread(); those that are compressed or have a checksum as a whole.
#include "core/io/zarr/chunks.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/io/bytes/file_descriptor.h"
#include "core/io/bytes/read_at.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/bytes/saturated.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr int64_t largest_unpacked = int64_t{1} << 30, max_kept = int64_t{256} << 20;  // bytes

Error chunk_not_whole(const fs::path& file) {
  return io_error("a chunk cannot be read", file.string(), "The file is damaged or incomplete: copy it again");
}

Result<void> read_bytes(int handle, int64_t offset, int64_t count, std::byte* to, const fs::path& file) {
  const bool whole = read_at(handle, offset, {to, static_cast<std::size_t>(count)}) == count;
  return whole ? ok() : Result<void>(chunk_not_whole(file));
}

struct OpenChunk {
  FileDescriptor handle;
  int64_t bytes = 0;
};
// Not a pipe, which would block.
Result<OpenChunk> open_chunk(const fs::path& file) {
  OpenChunk chunk;
  chunk.handle = FileDescriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat s {};
  if (!chunk.handle.is_open() || fstat(chunk.handle.get(), &s) != 0 || !S_ISREG(s.st_mode))
    return chunk_not_whole(file);
  chunk.bytes = s.st_size;
  return chunk;
}

// Compares and removes the checksum after a chunk.
Result<void> take_checksum(std::vector<std::byte>& chunk, const fs::path& file) {
  constexpr std::size_t size = sizeof(uint32_t);
  if (chunk.size() < size) return chunk_not_whole(file);
  uint32_t stated = 0;  // little-endian
  std::memcpy(&stated, chunk.data() + chunk.size() - size, size);
  chunk.resize(chunk.size() - size);
  return crc32c(chunk) == stated ? ok() : Result<void>(chunk_not_whole(file));
}

// Writes numbers of the array into a row of a tensor, beginning at a given column.
class Row {
 public:
  // A row of the part of the box that the tensor holds.
  Row(const at::Tensor& out, const GridBox& part, int64_t page, int64_t row)
      : to_(static_cast<std::byte*>(out.data_ptr()) +
            out.element_size() *
                ((part.z.begin + page) * out.stride(0) + (part.y.begin + row) * out.size(2) + part.x.begin)),
        whole_(out.scalar_type() == at::kInt) {}
  void put(const ZarrArray& array, const std::byte* from, int64_t count) const {
    if (whole_)
      numbers_to_int(array.type, from, count, array.order, static_cast<int32_t*>(to_));
    else
      numbers_to_float(array.type, from, count, array.order, static_cast<float*>(to_));
  }
  void fill(double value, int64_t count) const {
    if (whole_)
      std::fill_n(static_cast<int32_t*>(to_), count, saturated(static_cast<int64_t>(value)));
    else
      std::fill_n(static_cast<float*>(to_), count, static_cast<float>(value));
  }

 private:
  void* to_;
  bool whole_;
};

bool is_below(const fs::path& file, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
}

}  // namespace

// The ranges that box and chunk have in common: in the box, and in the chunk.
struct ZarrChunks::Part {
  std::string name;
  GridBox out, chunk;
};

ZarrChunks::ZarrChunks(ZarrArray array, fs::path root, AbsentChunk absent)
    : array_(std::move(array)), root_(std::move(root)), absent_(absent) {
  const std::vector<int64_t>& c = array_.chunk;
  cols_ = c.back();
  if (c.size() > 1) rows_ = c[c.size() - 2];
  if (c.size() > 2) pages_ = c[c.size() - 3];
}

Result<void> ZarrChunks::read(const GridBox& box, const at::Tensor& out) {
  if (out.scalar_type() == at::kInt && array_.type.starts_with("float"))
    return unavailable("its numbers are " + array_.type + ", not integers", array_.folder.string());
  std::vector<int64_t> index(array_.chunk.size(), 0);
  const std::size_t rank = index.size();
  const auto common = [](Range wanted, int64_t chunk, int64_t length) {
    const Range here{std::max(wanted.begin, chunk * length), std::min(wanted.end, (chunk + 1) * length)};
    return std::pair{Range{here.begin - wanted.begin, here.end - wanted.begin},
                     Range{here.begin - chunk * length, here.end - chunk * length}};
  };
  for (int64_t k = box.z.begin / pages_; k * pages_ < box.z.end; ++k)
    for (int64_t j = box.y.begin / rows_; j * rows_ < box.y.end; ++j)
      for (int64_t i = box.x.begin / cols_; i * cols_ < box.x.end; ++i) {
        if (rank > 2) index[rank - 3] = k;
        index[rank - 2] = j;
        index[rank - 1] = i;
        Part part;
        part.name = array_.chunk_name(index);
        std::tie(part.out.z, part.chunk.z) = common(box.z, k, pages_);
        std::tie(part.out.y, part.chunk.y) = common(box.y, j, rows_);
        std::tie(part.out.x, part.chunk.x) = common(box.x, i, cols_);
        TL_TRY(read_part(part, out));
      }
  return ok();
}

Result<void> ZarrChunks::read_part(const Part& part, const at::Tensor& out) {
  const fs::path named = array_.folder / part.name;
  std::error_code failed;
  const fs::path file = fs::canonical(named, failed);
  const int64_t cols = part.out.x.size();
  if (failed == std::errc::no_such_file_or_directory && absent_ == AbsentChunk::fill_value) {
    for (int64_t k = 0; k < part.out.z.size(); ++k)
      for (int64_t r = 0; r < part.out.y.size(); ++r) Row(out, part.out, k, r).fill(array_.fill.value_or(0), cols);
    return ok();
  }
  if (failed) return chunk_not_whole(named);
  if (!is_below(file, root_))
    return io_error("a chunk is a link to outside of the volume", named.string(),
                    "Copy the volume with the files that it is linked to");
  if (array_.codecs.empty() && !array_.has_checksum) return read_plain(part, file, out);
  TL_TRY(const Bytes* const bytes, unpacked(part.name, file));
  const int64_t each = bytes_of_number(array_.type);
  for (int64_t k = 0; k < part.chunk.z.size(); ++k)
    for (int64_t r = 0; r < part.chunk.y.size(); ++r) {
      const int64_t first = ((part.chunk.z.begin + k) * rows_ + part.chunk.y.begin + r) * cols_ + part.chunk.x.begin;
      Row(out, part.out, k, r).put(array_, bytes->data() + first * each, cols);
    }
  return ok();
}

Result<void> ZarrChunks::read_plain(const Part& part, const fs::path& file, const at::Tensor& out) {
  TL_TRY(const OpenChunk chunk, open_chunk(file));
  if (chunk.bytes != array_.chunk_bytes()) return chunk_not_whole(file);
  const int64_t each = bytes_of_number(array_.type), cols = part.chunk.x.size();
  Bytes row(static_cast<std::size_t>(each * cols));
  for (int64_t k = 0; k < part.chunk.z.size(); ++k)
    for (int64_t r = 0; r < part.chunk.y.size(); ++r) {
      const int64_t first = ((part.chunk.z.begin + k) * rows_ + part.chunk.y.begin + r) * cols_ + part.chunk.x.begin;
      TL_TRY(read_bytes(chunk.handle.get(), first * each, each * cols, row.data(), file));
      Row(out, part.out, k, r).put(array_, row.data(), cols);
    }
  return ok();
}

Result<const std::vector<std::byte>*> ZarrChunks::unpacked(const std::string& name, const fs::path& file) {
  if (const auto found = kept_.find(name); found != kept_.end()) {
    newest_first_.remove(name);
    newest_first_.push_front(name);
    return &found->second;
  }
  const int64_t bytes = array_.chunk_bytes();
  if (bytes > largest_unpacked)
    return unavailable("its chunks, which are read as a whole, have more than 1 GiB", file.string(),
                       "Write it in smaller chunks");
  TL_TRY(const OpenChunk chunk, open_chunk(file));
  // Data that are compressed several times, or do not compress, take a few bytes more.
  if (chunk.bytes > 2 * bytes + 4096) return chunk_not_whole(file);
  Bytes all(static_cast<std::size_t>(chunk.bytes));
  TL_TRY(read_bytes(chunk.handle.get(), 0, chunk.bytes, all.data(), file));
  allow_more_cpu_time(cpu_time_for(2 * bytes));
  if (array_.has_checksum) TL_TRY(take_checksum(all, file));
  if (array_.codecs.size() > 1)
    return unavailable("its chunks are compressed more than once", file.string(), "Write it with one compression");
  Bytes plain;
  if (array_.codecs.empty()) {
    if (static_cast<int64_t>(all.size()) != bytes) return chunk_not_whole(file);
    plain = std::move(all);
  } else {
    TL_TRY(plain, unpack_chunk(array_.codecs.front(), all, bytes, file.string()));
  }
  const int64_t room = std::min(max_kept, allowed_memory() / 4) / bytes;
  while (!newest_first_.empty() && static_cast<int64_t>(newest_first_.size()) >= room) {
    kept_.erase(newest_first_.back());
    newest_first_.pop_back();
  }
  newest_first_.push_front(name);
  return &(kept_[name] = std::move(plain));
}

}  // namespace tl::io
