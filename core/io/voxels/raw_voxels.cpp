// Reads boxes of a block of numbers by pread() or by decompression, and converts them to float32.
#include "core/io/voxels/raw_voxels.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/io/bytes/file_descriptor.h"
#include "core/io/bytes/inflated_stream.h"
#include "core/io/bytes/read_at.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/bytes/saturated.h"

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
    if constexpr (std::is_same_v<To, int32_t>)
      to[i] = saturated(std::bit_cast<T>(bytes));
    else
      to[i] = static_cast<To>(std::bit_cast<T>(bytes));
  }
}

struct NumberType {
  std::string_view name;
  int64_t bytes;
  Convert<float> to_float;
  Convert<int32_t> to_int = nullptr;      // null: they are not integers
  Convert<uint16_t> to_counts = nullptr;  // null: the type does not fit uint16
};
template <class T>
constexpr NumberType integer_type(std::string_view name) {
  return {name, sizeof(T), convert_numbers<T>, convert_numbers<T, int32_t>};
}
template <class T>
constexpr NumberType count_type(std::string_view name) {
  return {name, sizeof(T), convert_numbers<T>, convert_numbers<T, int32_t>, convert_numbers<T, uint16_t>};
}
constexpr std::array<NumberType, 11> number_types = {{count_type<uint8_t>("uint8"),
                                                      integer_type<int8_t>("int8"),
                                                      count_type<uint16_t>("uint16"),
                                                      integer_type<int16_t>("int16"),
                                                      integer_type<uint32_t>("uint32"),
                                                      integer_type<int32_t>("int32"),
                                                      integer_type<uint64_t>("uint64"),
                                                      integer_type<int64_t>("int64"),
                                                      {"float16", 2, convert_numbers<c10::Half>},
                                                      {"float32", 4, convert_numbers<float>},
                                                      {"float64", 8, convert_numbers<double>}}};

template <class To>
Convert<To> conversion_from(const NumberType& type) {
  if constexpr (std::is_same_v<To, float>) return type.to_float;
  if constexpr (std::is_same_v<To, int32_t>) return type.to_int;
  if constexpr (std::is_same_v<To, uint16_t>) return type.to_counts;
}
template <class To>
constexpr std::string_view own_name = std::is_same_v<To, float>     ? "float32"
                                      : std::is_same_v<To, int32_t> ? "int32"
                                                                    : "uint16";

const NumberType* number_type_named(std::string_view name) {
  for (const NumberType& t : number_types)
    if (t.name == name) return &t;
  return nullptr;
}

Error not_whole(const fs::path& file) {
  return io_error("the voxels cannot be read", file.string(), "The file is damaged or incomplete: copy it again");
}

// The bytes of a file from an offset on.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual Result<void> read(int64_t offset, int64_t count, std::byte* to) = 0;
  // The number of bytes from `end` on, counted up to `most`. io: the checksum of the bytes before is
  // wrong.
  virtual Result<int64_t> bytes_behind(int64_t end, int64_t most) = 0;
};

class PlainBytes final : public ByteSource {
 public:
  PlainBytes(fs::path file, FileDescriptor handle) : file_(std::move(file)), handle_(std::move(handle)) {}
  Result<void> read(int64_t offset, int64_t count, std::byte* to) override {
    const bool whole = read_at(handle_.get(), offset, {to, static_cast<std::size_t>(count)}) == count;
    return whole ? ok() : Result<void>(not_whole(file_));
  }
  Result<int64_t> bytes_behind(int64_t end, int64_t most) override {
    struct stat s {};
    if (::fstat(handle_.get(), &s) != 0) return not_whole(file_);
    return std::clamp<int64_t>(s.st_size - end, 0, most);
  }

 private:
  fs::path file_;
  FileDescriptor handle_;
};

// Decompresses from the beginning up to the requested bytes; the next call continues from there if its bytes come
// later.
class PackedBytes final : public ByteSource {
 public:
  PackedBytes(fs::path file, FileDescriptor handle, int64_t from)
      : file_(std::move(file)), handle_(std::move(handle)), from_(from) {}

  Result<void> read(int64_t offset, int64_t count, std::byte* to) override {
    if (!stream_ || offset < at_) start();
    allow_more_cpu_time(cpu_time_for(offset - at_ + count));
    TL_TRY(skip_to(offset));
    const auto got = stream_->read({to, static_cast<std::size_t>(count)});
    at_ += got.value_or(0);
    return got && *got == count ? ok() : Result<void>(not_whole(file_));
  }

  Result<int64_t> bytes_behind(int64_t end, int64_t most) override {
    if (!stream_ || end < at_) start();
    allow_more_cpu_time(cpu_time_for(end - at_ + most));
    TL_TRY(skip_to(end));
    const auto behind = stream_->skip(most);
    at_ += behind.value_or(0);
    return behind ? Result<int64_t>(*behind) : not_whole(file_);
  }

 private:
  void start() {
    at_ = 0;
    stream_.emplace([handle = handle_.get(), from = from_](std::span<std::byte> to) mutable {
      const int64_t n = read_at(handle, from, to);
      from += std::max<int64_t>(n, 0);
      return n;
    });
  }
  Result<void> skip_to(int64_t offset) {
    const int64_t wanted = offset - at_;
    const auto skipped = stream_->skip(wanted);
    at_ += skipped.value_or(0);
    return skipped && *skipped == wanted ? ok() : Result<void>(not_whole(file_));
  }

  fs::path file_;
  FileDescriptor handle_;
  int64_t from_, at_ = 0;  // position of the compressed stream in the file; position in its decompressed content
  std::optional<InflatedStream> stream_;
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
  return std::unique_ptr<ByteSource>(new PackedBytes(block.file, std::move(handle), block.packed_from));
}

int64_t bytes_of_page(const RawBlock& block) { return block.rows * block.cols * bytes_of_number(block.type); }
int64_t end_of_voxels(const RawBlock& block) { return block.offset + block.pages * bytes_of_page(block); }

// Some bytes more than the voxels are padding; a slice more means that the header states other sizes than the voxels
// have.
Result<void> check_bytes_behind(const RawBlock& block, int64_t behind) {
  if (block.behind != TrailingBytes::padding || behind < bytes_of_page(block)) return ok();
  return invalid("there are more voxels than the header claims: behind its " + std::to_string(block.pages) + " x " +
                     std::to_string(block.rows) + " x " + std::to_string(block.cols) + " " + block.type +
                     " there is at least another slice",
                 block.file.string(), "Correct the sizes or the type in the header, or cut the file to its voxels");
}

class RawVoxels final : public StoredVoxels {
 public:
  RawVoxels(RawBlock block, std::unique_ptr<ByteSource> bytes)
      : block_(std::move(block)), type_(*number_type_named(block_.type)), bytes_(std::move(bytes)) {}

  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    const bool counts = out.scalar_type() == at::kUInt16, whole = out.scalar_type() == at::kInt;
    if ((counts && type_.to_counts == nullptr) || (whole && type_.to_int == nullptr))
      return unavailable("its numbers are " + block_.type + (counts ? ", not counts" : ", not integers"),
                         block_.file.string());
    // The end of the file is checked once: first, unless the last voxel is being read anyway.
    const bool to_end = box.z.end == block_.pages && box.y.end == block_.rows && box.x.end == block_.cols;
    if (!to_end) TL_TRY(check_end());
    TL_TRY(counts  ? read_box(box, out.data_ptr<uint16_t>(), out.stride(0))
           : whole ? read_box(box, out.data_ptr<int32_t>(), out.stride(0))
                   : read_box(box, out.data_ptr<float>(), out.stride(0)));
    return check_end();
  }
  [[nodiscard]] std::string note() const override {
    constexpr int64_t most = int64_t{1} << 62;
    if (block_.behind == TrailingBytes::anything || block_.packing != Packing::none) return {};
    const auto behind = bytes_->bytes_behind(end_of_voxels(block_), most);
    if (!behind.ok() || behind.value() == 0) return {};
    return "The " + std::to_string(behind.value()) + " bytes of " + block_.file.filename().string() +
           " behind the voxels that the header claims are not read.";
  }

 private:
  Result<void> check_end() {
    if (end_was_right_) return ok();
    TL_TRY(const int64_t behind, bytes_->bytes_behind(end_of_voxels(block_), bytes_of_page(block_)));
    TL_TRY(check_bytes_behind(block_, behind));
    end_was_right_ = true;
    return ok();
  }
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
    const Convert<To> convert = conversion_from<To>(type_);
    if (type_.name == own_name<To> && block_.order == ByteOrder::little)
      return bytes_->read(from, count * type_.bytes, reinterpret_cast<std::byte*>(to));
    buffer_.resize(static_cast<std::size_t>(piece_bytes));
    for (int64_t done = 0; done < count; done += piece) {
      const int64_t now = std::min(piece, count - done);
      TL_TRY(bytes_->read(from + done * type_.bytes, now * type_.bytes, buffer_.data()));
      convert(buffer_.data(), now, block_.order, to + done);
    }
    return ok();
  }

  RawBlock block_;
  const NumberType& type_;
  std::unique_ptr<ByteSource> bytes_;
  std::vector<std::byte> buffer_;
  bool end_was_right_ = false;
};

}  // namespace

int64_t bytes_of_number(const std::string& type) {
  const NumberType* found = number_type_named(type);
  return found == nullptr ? 0 : found->bytes;
}

void numbers_to_float(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, float* to) {
  const NumberType* found = number_type_named(type);
  TL_CHECK(found != nullptr, "the type was checked");
  found->to_float(from, count, order, to);
}
void numbers_to_int(const std::string& type, const std::byte* from, int64_t count, ByteOrder order, int32_t* to) {
  const NumberType* found = number_type_named(type);
  TL_CHECK(found != nullptr, "the type was checked");
  if (found->to_int != nullptr) found->to_int(from, count, order, to);
}

Result<std::unique_ptr<StoredVoxels>> raw_voxels(const RawBlock& block) {
  constexpr int64_t best_compression = 1032;  // of deflate
  const std::string where = block.file.string();
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
  const int64_t each = bytes_of_number(block.type);
  if (each == 0)
    return invalid("voxels of the type \"" + block.type + "\" cannot be read", where,
                   "Integers of 8 to 64 bits and floats of 16, 32 or 64 bits can be read");
  std::error_code failed;
  if (!fs::is_regular_file(block.file, failed))
    return io_error("the file with the voxels does not exist", where, "Put it next to its header");
  const auto length = static_cast<int64_t>(fs::file_size(block.file, failed));
  // No overflow: the sizes are at most 2^24 pages of 2^31 voxels of 8 bytes.
  const int64_t voxels = block.pages * block.rows * block.cols * each;
  const int64_t gain = block.packing == Packing::none ? 1 : best_compression;
  const int64_t there = failed ? 0 : length - (block.packing == Packing::none ? block.offset : block.packed_from);
  if (block.offset < 0 || there < 0 || voxels / gain > there)
    return io_error("the voxels are not all in the file: " + std::to_string(voxels) +
                        " bytes are claimed, the file has " + std::to_string(std::max<int64_t>(there, 0)) + " for them",
                    where, "The file is truncated or damaged: copy it again");
  if (block.packing == Packing::none) TL_TRY(check_bytes_behind(block, there - voxels));
  TL_TRY(std::unique_ptr<ByteSource> bytes, byte_source(block));
  return std::unique_ptr<StoredVoxels>(new RawVoxels(block, std::move(bytes)));
}

Result<std::string> first_bytes(const fs::path& file, std::size_t most, Packing packing) {
  constexpr std::size_t piece = std::size_t{64} << 10;  // `most` is far more than headers usually have
  TL_TRY(const FileDescriptor handle, opened(file));
  std::unique_ptr<gzFile_s, int (*)(gzFile)> packed(nullptr, gzclose);
  if (packing != Packing::none) {
    packed.reset(gzdopen(dup(handle.get()), "rb"));
    if (!packed)
      return unavailable("there is not enough memory to read the file", file.string(), "Close other programs");
  }
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size(), wanted = std::min(most - before, piece);
    bytes.resize(before + wanted);
    const std::span<char> to(&bytes[before], wanted);
    const int64_t got = packed ? gzread(packed.get(), to.data(), static_cast<unsigned>(wanted))
                               : read_at(handle.get(), static_cast<int64_t>(before), std::as_writable_bytes(to));
    if (got < 0) return not_whole(file);
    bytes.resize(before + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return bytes;
}

Result<fs::path> names_companion(const fs::path& header, const std::string& name) {
  const fs::path named = name;
  const fs::path companion = header.parent_path() / named.filename();
  std::error_code failed;
  const bool plain = named.has_filename() && (named == named.filename() || named == fs::path(".") / named.filename());
  if (!plain || name == "." || name == "..")
    return invalid("the header names a file in another folder, \"" + name + "\"", header.string(),
                   "Put both into one folder, and name the file alone");
  const bool link = fs::is_symlink(fs::symlink_status(companion, failed));
  if (link &&
      fs::weakly_canonical(companion, failed).parent_path() != fs::weakly_canonical(header, failed).parent_path())
    return invalid("the header names a link to a file in another folder, \"" + name + "\"", header.string(),
                   "Put the file itself next to its header");
  return companion;
}

}  // namespace tl::io
