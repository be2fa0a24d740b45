// Reads boxes of a block of numbers by pread(), or through zlib, and converts them to float32.
#include "core/io/volume/raw_voxels.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/io/file_descriptor.h"
#include "core/io/process/reader_limits.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "stored numbers are compared with the machine's byte order");

template <class To>
using Convert = void (*)(const std::byte* from, int64_t count, ByteOrder order, To* to);

template <class T, class To = float>
void convert_numbers(const std::byte* from, int64_t count, ByteOrder order, To* to) {
  for (int64_t i = 0; i < count; ++i) {
    std::array<std::byte, sizeof(T)> bytes;  // NOLINT: filled at once
    std::memcpy(bytes.data(), from + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    if (order == ByteOrder::big) std::reverse(bytes.begin(), bytes.end());
    to[i] = static_cast<To>(std::bit_cast<T>(bytes));
  }
}

struct NumberType {
  std::string_view name;
  int64_t bytes;
  Convert<float> convert;
  Convert<uint16_t> to_counts = nullptr;  // null: they do not fit uint16
};
constexpr std::array<NumberType, 10> number_types = {
    {{"uint8", 1, convert_numbers<uint8_t>, convert_numbers<uint8_t, uint16_t>},
     {"int8", 1, convert_numbers<int8_t>},
     {"uint16", 2, convert_numbers<uint16_t>, convert_numbers<uint16_t, uint16_t>},
     {"int16", 2, convert_numbers<int16_t>},
     {"uint32", 4, convert_numbers<uint32_t>},
     {"int32", 4, convert_numbers<int32_t>},
     {"uint64", 8, convert_numbers<uint64_t>},
     {"int64", 8, convert_numbers<int64_t>},
     {"float32", 4, convert_numbers<float>},
     {"float64", 8, convert_numbers<double>}}};

const NumberType* number_type_named(std::string_view name) {
  for (const NumberType& t : number_types)
    if (t.name == name) return &t;
  return nullptr;
}

Error not_whole(const fs::path& file) {
  return io_error("the voxels cannot be read", file.string(), "The file is damaged or not whole: copy it again");
}

// The bytes of a file from an offset on.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual Result<void> read(int64_t offset, int64_t count, std::byte* to) = 0;
};

class PlainBytes final : public ByteSource {
 public:
  PlainBytes(fs::path file, FileDescriptor handle) : file_(std::move(file)), handle_(std::move(handle)) {}
  Result<void> read(int64_t offset, int64_t count, std::byte* to) override {
    for (int64_t got = 0; got < count;) {
      const ssize_t n = ::pread(handle_.get(), to + got, static_cast<std::size_t>(count - got), offset + got);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return not_whole(file_);
      got += n;
    }
    return ok();
  }

 private:
  fs::path file_;
  FileDescriptor handle_;
};

// Unpacks from the beginning to what is wanted, and goes on from there at the next call if that lies behind.
class GzipBytes final : public ByteSource {
 public:
  GzipBytes(fs::path file, gzFile handle) : file_(std::move(file)), handle_(handle, gzclose) {}
  Result<void> read(int64_t offset, int64_t count, std::byte* to) override {
    const int64_t from = offset < gztell(handle_.get()) ? 0 : gztell(handle_.get());
    allow_more_cpu_time(cpu_time_for(offset - from + count));
    if (gzseek(handle_.get(), offset, SEEK_SET) != offset) return not_whole(file_);
    constexpr int64_t most = int64_t{1} << 30;
    for (int64_t got = 0; got < count;) {
      const int n = gzread(handle_.get(), to + got, static_cast<unsigned>(std::min(most, count - got)));
      if (n <= 0) return not_whole(file_);
      got += n;
    }
    return ok();
  }

 private:
  fs::path file_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> handle_;
};

// The same for a stream of zlib without gzip's header.
class ZlibBytes final : public ByteSource {
 public:
  ZlibBytes(fs::path file, FileDescriptor handle, int64_t from)
      : file_(std::move(file)), handle_(std::move(handle)), from_(from), packed_(std::size_t{1} << 16) {}
  ZlibBytes(const ZlibBytes&) = delete;
  ZlibBytes& operator=(const ZlibBytes&) = delete;
  ~ZlibBytes() override { stop(); }

  Result<void> read(int64_t offset, int64_t count, std::byte* to) override {
    if (!started_ || offset < at_) TL_TRY(start());
    allow_more_cpu_time(cpu_time_for(offset - at_ + count));
    std::array<std::byte, 1 << 14> skipped;  // NOLINT: filled before it is read
    while (at_ < offset) {
      const int64_t now = std::min<int64_t>(offset - at_, static_cast<int64_t>(skipped.size()));
      TL_TRY(unpack(skipped.data(), now));
    }
    return unpack(to, count);
  }

 private:
  void stop() {
    if (std::exchange(started_, false)) inflateEnd(&stream_);
  }
  Result<void> start() {
    stop();
    stream_ = {};
    if (inflateInit(&stream_) != Z_OK)
      return unavailable("there is not enough memory to unpack the file", file_.string(), "End other programs");
    started_ = true;
    at_ = 0;
    read_ = from_;
    return ok();
  }
  Result<void> unpack(std::byte* to, int64_t count) {
    constexpr int64_t most = int64_t{1} << 30;
    for (int64_t got = 0; got < count;) {
      if (stream_.avail_in == 0) {
        const ssize_t n = ::pread(handle_.get(), packed_.data(), packed_.size(), read_);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return not_whole(file_);
        read_ += n;
        stream_.next_in = packed_.data();
        stream_.avail_in = static_cast<unsigned>(n);
      }
      const auto room = static_cast<unsigned>(std::min(most, count - got));
      stream_.next_out = reinterpret_cast<Bytef*>(to + got);
      stream_.avail_out = room;
      const int done = inflate(&stream_, Z_NO_FLUSH);
      const int64_t made = room - stream_.avail_out;
      got += made;
      at_ += made;
      if (done != Z_OK && (done != Z_STREAM_END || got < count)) return not_whole(file_);
    }
    return ok();
  }

  fs::path file_;
  FileDescriptor handle_;
  int64_t from_, at_ = 0, read_ = 0;  // of the stream in the file; in what unpacking gives; what was read of the file
  std::vector<Bytef> packed_;
  z_stream stream_{};
  bool started_ = false;
};

Result<FileDescriptor> opened(const fs::path& file) {
  FileDescriptor handle(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (handle.is_open()) return handle;
  return io_error(std::string("the file cannot be opened: ") + std::strerror(errno), file.string(),
                  "Check that it is there and may be read");
}

Result<std::unique_ptr<ByteSource>> byte_source(const RawBlock& block) {
  TL_TRY(FileDescriptor handle, opened(block.file));
  if (block.packing == Packing::none) return std::unique_ptr<ByteSource>(new PlainBytes(block.file, std::move(handle)));
  if (block.packing == Packing::zlib)
    return std::unique_ptr<ByteSource>(new ZlibBytes(block.file, std::move(handle), block.packed_from));
  // zlib counts from where the file stands, and closes its own handle.
  const int own = dup(handle.get());
  if (own < 0 || lseek(own, block.packed_from, SEEK_SET) != block.packed_from) {
    if (own >= 0) close(own);
    return not_whole(block.file);
  }
  gzFile packed = gzdopen(own, "rb");
  if (packed == nullptr) {
    close(own);
    return unavailable("there is not enough memory to unpack the file", block.file.string(), "End other programs");
  }
  return std::unique_ptr<ByteSource>(new GzipBytes(block.file, packed));
}

class RawVoxels final : public StoredVoxels {
 public:
  RawVoxels(RawBlock block, std::unique_ptr<ByteSource> bytes)
      : block_(std::move(block)), type_(*number_type_named(block_.type)), bytes_(std::move(bytes)) {}

  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    if (out.scalar_type() != at::kUInt16) return read_box(box, out.data_ptr<float>(), out.stride(0));
    if (type_.to_counts == nullptr)
      return unavailable("its numbers are " + block_.type + ", not counts", block_.file.string());
    return read_box(box, out.data_ptr<uint16_t>(), out.stride(0));
  }

 private:
  // `step` is the page stride in elements.
  template <class To>
  Result<void> read_box(const GridBox& box, To* out, int64_t step) {
    const int64_t cols = box.x.size();
    // Rows that are read whole follow each other in the file.
    const int64_t at_once = cols == block_.cols ? box.y.size() : 1;
    for (int64_t k = 0; k < box.z.size(); ++k)
      for (int64_t r = 0; r < box.y.size(); r += at_once) {
        const int64_t first = ((box.z.begin + k) * block_.rows + box.y.begin + r) * block_.cols + box.x.begin;
        TL_TRY(read_run(first, at_once * cols, out + k * step + r * cols));
      }
    return ok();
  }
  template <class To>
  Result<void> read_run(int64_t first, int64_t count, To* to) {
    constexpr int64_t piece_bytes = int64_t{1} << 18;
    const int64_t piece = piece_bytes / type_.bytes, from = block_.offset + first * type_.bytes;
    const std::string_view own = std::is_same_v<To, float> ? "float32" : "uint16";
    if (type_.name == own && block_.order == ByteOrder::little)
      return bytes_->read(from, count * type_.bytes, reinterpret_cast<std::byte*>(to));
    buffer_.resize(static_cast<std::size_t>(piece_bytes));
    for (int64_t done = 0; done < count; done += piece) {
      const int64_t now = std::min(piece, count - done);
      TL_TRY(bytes_->read(from + done * type_.bytes, now * type_.bytes, buffer_.data()));
      if constexpr (std::is_same_v<To, float>)
        type_.convert(buffer_.data(), now, block_.order, to + done);
      else
        type_.to_counts(buffer_.data(), now, block_.order, to + done);
    }
    return ok();
  }

  RawBlock block_;
  const NumberType& type_;
  std::unique_ptr<ByteSource> bytes_;
  std::vector<std::byte> buffer_;
};

}  // namespace

int64_t bytes_of_number(const std::string& type) {
  const NumberType* found = number_type_named(type);
  return found == nullptr ? 0 : found->bytes;
}

void numbers_to_float(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, float* to) {
  const NumberType* found = number_type_named(type);
  TL_CHECK(found != nullptr, "the type was checked");
  found->convert(from, count, order, to);
}

Result<std::unique_ptr<StoredVoxels>> raw_voxels(const RawBlock& block) {
  constexpr int64_t best_compression = 1032;  // of deflate
  const std::string where = block.file.string();
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
  const int64_t each = bytes_of_number(block.type);
  if (each == 0)
    return invalid("voxels of the type \"" + block.type + "\" cannot be read", where,
                   "Integers of 8 to 64 bits and floats of 32 or 64 bits can be read");
  std::error_code failed;
  if (!fs::is_regular_file(block.file, failed))
    return io_error("the file with the voxels does not exist", where, "Put it beside its header");
  const auto length = static_cast<int64_t>(fs::file_size(block.file, failed));
  // No overflow: the sizes are at most 2^24 pages of 2^31 voxels of 8 bytes.
  const int64_t voxels = block.pages * block.rows * block.cols * each;
  const int64_t gain = block.packing == Packing::none ? 1 : best_compression;
  const int64_t there = failed ? 0 : length - (block.packing == Packing::none ? block.offset : block.packed_from);
  if (block.offset < 0 || there < 0 || voxels / gain > there)
    return io_error("the voxels are not all in the file: " + std::to_string(voxels) +
                        " bytes are claimed, the file has " + std::to_string(std::max<int64_t>(there, 0)) + " for them",
                    where, "The file is truncated or damaged: copy it again");
  TL_TRY(std::unique_ptr<ByteSource> bytes, byte_source(block));
  return std::unique_ptr<StoredVoxels>(new RawVoxels(block, std::move(bytes)));
}

Result<std::string> first_bytes(const fs::path& file, std::size_t most, Packing packing) {
  constexpr std::size_t piece = std::size_t{64} << 10;  // `most` is far more than headers usually have
  TL_TRY(const FileDescriptor handle, opened(file));
  std::unique_ptr<gzFile_s, int (*)(gzFile)> packed(nullptr, gzclose);
  if (packing != Packing::none) {
    packed.reset(gzdopen(dup(handle.get()), "rb"));
    if (!packed) return unavailable("there is not enough memory to read the file", file.string(), "End other programs");
  }
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size(), wanted = std::min(most - before, piece);
    bytes.resize(before + wanted);
    const ssize_t got = packed ? gzread(packed.get(), &bytes[before], static_cast<unsigned>(wanted))
                               : ::pread(handle.get(), &bytes[before], wanted, static_cast<off_t>(before));
    if (got < 0) return not_whole(file);
    bytes.resize(before + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return bytes;
}

Result<fs::path> named_beside(const fs::path& header, const std::string& name) {
  const fs::path named = name;
  const fs::path beside = header.parent_path() / named.filename();
  std::error_code failed;
  const bool plain = named.has_filename() && (named == named.filename() || named == fs::path(".") / named.filename());
  if (!plain || name == "." || name == "..")
    return invalid("the header names a file in another folder, \"" + name + "\"", header.string(),
                   "Put both into one folder, and name the file alone");
  const bool link = fs::is_symlink(fs::symlink_status(beside, failed));
  if (link && fs::weakly_canonical(beside, failed).parent_path() != fs::weakly_canonical(header, failed).parent_path())
    return invalid("the header names a link to a file in another folder, \"" + name + "\"", header.string(),
                   "Put the file itself beside its header");
  return beside;
}

}  // namespace tl::io
