// Reads TIFF pages and regions with libtiff; sizes are checked before memory is allocated.
#include "core/io/tiff/file.h"

#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/io/bytes/reader_limits.h"
#include "core/io/bytes/saturated.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/tiff/checksum.h"
#include "core/io/tiff/description.h"
#include "core/io/tiff/file_state.h"

namespace tl::io {
namespace {

int keep_error(TIFF* /*tiff*/, void* user, const char* /*module*/, const char* format, va_list arguments) {
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  *static_cast<std::string*>(user) = text.data();
  return 1;
}
int ignore_warning(TIFF* /*tiff*/, void* /*user*/, const char* /*module*/, const char* /*format*/,
                   va_list /*arguments*/) {
  return 1;
}

// Converts the samples of a decoded strip or tile to another number type.
template <class From, class To>
void convert(const unsigned char* from, int64_t count, To* to) {
  const From* samples = reinterpret_cast<const From*>(from);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<To, int32_t>)
      to[i] = saturated(samples[i]);
    else
      to[i] = static_cast<To>(samples[i]);
  }
}

template <class To>
using Convert = void (*)(const unsigned char*, int64_t, To*);
struct KnownType {
  uint16_t format, bits;
  const char* name;
  Convert<float> to_float;
  Convert<int32_t> to_int = nullptr;     // null if the samples are not integers
  Convert<uint16_t> to_count = nullptr;  // null if the type does not fit uint16
};
constexpr std::array<KnownType, 8> known_types = {
    {{SAMPLEFORMAT_UINT, 8, "uint8", convert<uint8_t, float>, convert<uint8_t, int32_t>, convert<uint8_t, uint16_t>},
     {SAMPLEFORMAT_UINT, 16, "uint16", convert<uint16_t, float>, convert<uint16_t, int32_t>,
      convert<uint16_t, uint16_t>},
     {SAMPLEFORMAT_UINT, 32, "uint32", convert<uint32_t, float>, convert<uint32_t, int32_t>},
     {SAMPLEFORMAT_INT, 8, "int8", convert<int8_t, float>, convert<int8_t, int32_t>},
     {SAMPLEFORMAT_INT, 16, "int16", convert<int16_t, float>, convert<int16_t, int32_t>},
     {SAMPLEFORMAT_INT, 32, "int32", convert<int32_t, float>, convert<int32_t, int32_t>},
     {SAMPLEFORMAT_IEEEFP, 32, "float32", convert<float, float>},
     {SAMPLEFORMAT_IEEEFP, 64, "float64", convert<double, float>}}};

template <class To>
Convert<To> conversion(const KnownType& type) {
  if constexpr (std::is_same_v<To, float>)
    return type.to_float;
  else if constexpr (std::is_same_v<To, int32_t>)
    return type.to_int;
  else
    return type.to_count;
}

const KnownType* sample_type(TIFF* tiff) {
  uint16_t format = SAMPLEFORMAT_UINT, bits = 1;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  for (const KnownType& t : known_types)
    if (t.format == format && t.bits == bits) return &t;
  return nullptr;
}

// Whether samples are stored as in memory: uncompressed, in our byte order.
bool plain_samples(TIFF* tiff) {
  uint16_t compression = COMPRESSION_NONE, order = FILLORDER_MSB2LSB;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &order);
  return compression == COMPRESSION_NONE && order == FILLORDER_MSB2LSB && TIFFIsByteSwapped(tiff) == 0;
}

void swap_bytes(unsigned char* samples, int64_t count, int64_t bytes) {
  if (bytes == 2) TIFFSwabArrayOfShort(reinterpret_cast<uint16_t*>(samples), count);
  if (bytes == 4) TIFFSwabArrayOfLong(reinterpret_cast<uint32_t*>(samples), count);
  if (bytes == 8) TIFFSwabArrayOfLong8(reinterpret_cast<uint64_t*>(samples), count);
}

}  // namespace

TiffFile::TiffFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
TiffFile::TiffFile(TiffFile&& other) noexcept = default;
TiffFile& TiffFile::operator=(TiffFile&& other) noexcept = default;
TiffFile::~TiffFile() = default;

bool TiffFile::is_tiff(const std::filesystem::path& path) {
  std::array<char, 4> magic{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(magic.data(), magic.size())) return false;
  const std::string start(magic.data(), magic.size());
  using namespace std::string_literals;
  return start == "II*\0"s || start == "MM\0*"s || start == "II+\0"s || start == "MM\0+"s;
}

Result<TiffFile> TiffFile::open(const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, &state->said);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, nullptr);
  state->tiff = TIFFOpenExt(path.c_str(), "rm", options.get());
  if (state->tiff == nullptr)
    return io_error("the TIFF file cannot be opened", path.string(),
                    "It is damaged or incomplete" + (state->said.empty() ? "" : " (" + state->said + ")"));
  std::error_code unknown;
  const auto length = std::filesystem::file_size(path, unknown);
  state->length = unknown ? 0 : length;
  return TiffFile(std::move(state));
}

Result<TiffPage> TiffFile::page(int64_t index) {
  TL_TRY(select(index));
  uint32_t width = 0, height = 0;
  uint16_t samples = 1;
  TIFFGetField(state_->tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(state_->tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted(state_->tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TL_TRY(check_sizes(1, height, width, state_->path.string()));
  TL_TRY(check_tiff_storage(state_->tiff, state_->path.string()));
  if (samples != 1)
    return invalid("its pixels have " + std::to_string(samples) + " channels", state_->path.string(),
                   "Frames have one grey channel: convert colour images first");
  const KnownType* type = sample_type(state_->tiff);
  if (type == nullptr) {
    uint16_t format = 0, bits = 1;
    TIFFGetFieldDefaulted(state_->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(state_->tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    return invalid("its pixels have " + std::to_string(bits) + " bits of sample format " + std::to_string(format),
                   state_->path.string(), "8, 16 or 32 bit integers and 32 or 64 bit floats can be read");
  }
  return TiffPage{height, width, type->name};
}

Result<void> TiffFile::read(int64_t index, Range rows, Range cols, float* out) {
  return read_as(index, rows, cols, out);
}
Result<void> TiffFile::read(int64_t index, Range rows, Range cols, uint16_t* out) {
  return read_as(index, rows, cols, out);
}
Result<void> TiffFile::read(int64_t index, Range rows, Range cols, int32_t* out) {
  return read_as(index, rows, cols, out);
}

// Mirrors pages whose first stored row is the lowest one, or whose first column is the right one.
template <class T>
Result<void> TiffFile::read_as(int64_t index, Range rows, Range cols, T* out) {
  TL_TRY(const TiffPage shape, page(index));
  TL_CHECK(Range({0, shape.rows}).contains(rows) && Range({0, shape.cols}).contains(cols), "region outside the page");
  uint16_t orientation = ORIENTATION_TOPLEFT;
  TIFFGetFieldDefaulted(state_->tiff, TIFFTAG_ORIENTATION, &orientation);
  const bool upwards = orientation == ORIENTATION_BOTLEFT || orientation == ORIENTATION_BOTRIGHT;
  const bool leftwards = orientation == ORIENTATION_TOPRIGHT || orientation == ORIENTATION_BOTRIGHT;
  const auto stored = [](Range r, int64_t all) { return Range{all - r.end, all - r.begin}; };
  TL_TRY(read_stored(index, shape, upwards ? stored(rows, shape.rows) : rows,
                     leftwards ? stored(cols, shape.cols) : cols, out));
  const int64_t height = rows.size(), width = cols.size();
  for (int64_t r = 0; upwards && r < height / 2; ++r)
    std::swap_ranges(out + r * width, out + (r + 1) * width, out + (height - 1 - r) * width);
  for (int64_t r = 0; leftwards && r < height; ++r) std::reverse(out + r * width, out + (r + 1) * width);
  return ok();
}

template <class T>
Result<void> TiffFile::read_stored(int64_t index, const TiffPage& shape, Range rows, Range cols, T* out) {
  State& s = *state_;
  s.said.clear();
  const KnownType* type = sample_type(s.tiff);
  const Convert<T> convert_to = conversion<T>(*type);
  if (convert_to == nullptr)
    return unavailable(
        "its pixels are " + shape.type + (std::is_same_v<T, int32_t> ? ", not integers" : ", not counts"),
        s.path.string());
  const int64_t sample = type->bits / 8;
  if (s.behind_first) {
    const int64_t begin = static_cast<int64_t>(TIFFGetStrileOffset(s.tiff, 0)), each = shape.rows * shape.cols;
    const bool whole = cols.size() == shape.cols;
    for (int64_t r = rows.begin; r < rows.end; r = whole ? rows.end : r + 1)
      TL_TRY(copy_samples(begin + (index * each + r * shape.cols + cols.begin) * sample,
                          whole ? rows.size() * shape.cols : cols.size(), out + (r - rows.begin) * cols.size()));
    return ok();
  }
  const bool tiled = TIFFIsTiled(s.tiff) != 0, plain = plain_samples(s.tiff);
  uint32_t block_rows = 0, block_cols = static_cast<uint32_t>(shape.cols);
  if (tiled) {
    TIFFGetField(s.tiff, TIFFTAG_TILELENGTH, &block_rows);
    TIFFGetField(s.tiff, TIFFTAG_TILEWIDTH, &block_cols);
  } else {
    TIFFGetFieldDefaulted(s.tiff, TIFFTAG_ROWSPERSTRIP, &block_rows);
    block_rows = std::min(block_rows, static_cast<uint32_t>(shape.rows));
  }
  const Error damaged = io_error("its pixels cannot be decoded", s.path.string(), "The file is damaged or incomplete");
  constexpr int64_t largest_block = int64_t{1} << 34;
  if (block_rows == 0 || block_cols == 0 || int64_t{block_rows} > largest_block / (int64_t{block_cols} * sample))
    return damaged;
  const int64_t height = block_rows, width = block_cols;
  // Strips that are contiguous in the file are read together: most writers make strips of 8 KB, as does libtiff for a
  // file of one strip.
  struct Run {
    int64_t offset = 0, count = 0;  // bytes, samples
    T* to = nullptr;
  } run;
  const auto read_run = [&] { return copy_samples(run.offset, std::exchange(run.count, 0), run.to); };
  for (int64_t r0 = rows.begin / height * height; r0 < rows.end; r0 += height)
    for (int64_t c0 = cols.begin / width * width; c0 < cols.end; c0 += width) {
      const Range block_r = Range({r0, r0 + height}).clamp(rows), block_c = Range({c0, c0 + width}).clamp(cols);
      // Only the bytes of a strip up to the last needed row are decoded; the file must be long enough for them.
      const int64_t lines = tiled ? height : block_r.end - r0;
      const int64_t bytes = lines * width * sample;
      const uint32_t number = tiled
                                  ? TIFFComputeTile(s.tiff, static_cast<uint32_t>(c0), static_cast<uint32_t>(r0), 0, 0)
                                  : TIFFComputeStrip(s.tiff, static_cast<uint32_t>(r0), 0);
      TL_TRY(check_block(number, bytes));
      if (plain && !tiled && block_c.size() == shape.cols) {
        const int64_t offset =
            static_cast<int64_t>(TIFFGetStrileOffset(s.tiff, number)) + (block_r.begin - r0) * width * sample;
        if (run.count == 0 || offset != run.offset + run.count * sample) {
          TL_TRY(read_run());
          run = {offset, 0, out + (block_r.begin - rows.begin) * width};
        }
        run.count += block_r.size() * width;
        continue;
      }
      s.buffer.resize(static_cast<std::size_t>(bytes));
      const int64_t got = tiled ? TIFFReadEncodedTile(s.tiff, number, s.buffer.data(), bytes)
                                : TIFFReadEncodedStrip(s.tiff, number, s.buffer.data(), bytes);
      if (got < bytes) {
        Error error = damaged;
        error.hint += " (" + s.said + ")";
        return error;
      }
      TL_TRY(check_checksum(number, bytes, (tiled ? height : std::min(height, shape.rows - r0)) * width * sample));
      for (int64_t r = block_r.begin; r < block_r.end; ++r)
        convert_to(s.buffer.data() + ((r - r0) * width + block_c.begin - c0) * sample, block_c.size(),
                   out + (r - rows.begin) * cols.size() + block_c.begin - cols.begin);
    }
  return read_run();
}

// Reads samples at an offset that was checked: directly into `out` if the types are equal, else in pieces through a
// buffer that fits into the CPU cache.
template <class T>
Result<void> TiffFile::copy_samples(int64_t offset, int64_t count, T* out) {
  constexpr int64_t piece_bytes = int64_t{1} << 18;
  State& s = *state_;
  const KnownType* type = sample_type(s.tiff);
  const int64_t sample = type->bits / 8, piece = piece_bytes / sample;
  const Convert<T> convert_to = conversion<T>(*type), as_they_are = convert<T, T>;
  const bool swapped = TIFFIsByteSwapped(s.tiff) != 0;
  if (convert_to == as_they_are && !swapped) return copy_bytes(offset, count * sample, out);
  s.buffer.resize(static_cast<std::size_t>(piece_bytes));
  for (int64_t done = 0; done < count; done += piece) {
    const int64_t now = std::min(piece, count - done);
    TL_TRY(copy_bytes(offset + done * sample, now * sample, s.buffer.data()));
    if (swapped) swap_bytes(s.buffer.data(), now, sample);
    convert_to(s.buffer.data(), now, out + done);
  }
  return ok();
}

Result<void> TiffFile::copy_bytes(int64_t offset, int64_t count, void* out) {
  for (int64_t got = 0; got < count;) {
    const ssize_t n = ::pread(TIFFFileno(state_->tiff), static_cast<std::byte*>(out) + got,
                              static_cast<std::size_t>(count - got), offset + got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return io_error("its pixels cannot be read", state_->path.string(), "The file is damaged or incomplete");
    got += n;
  }
  return ok();
}

// Checks that the file can contain a strip or tile: uncompressed, it is at most as large as its stored bytes;
// compressed, at most 5000 times.
Result<void> TiffFile::check_block(uint32_t number, int64_t bytes) {
  constexpr uint64_t best_compression = 5000;
  uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(state_->tiff, TIFFTAG_COMPRESSION, &compression);
  const uint64_t length = state_->length;
  const uint64_t offset = TIFFGetStrileOffset(state_->tiff, number);
  const uint64_t stored = TIFFGetStrileByteCount(state_->tiff, number);
  const uint64_t gain = compression == COMPRESSION_NONE ? 1 : best_compression;
  if (offset <= length && stored <= length - offset && static_cast<uint64_t>(bytes) / gain <= stored) return ok();
  return io_error("its pixels are not all in the file: " + std::to_string(bytes) + " bytes are claimed at " +
                      std::to_string(offset) + ", the file has " + std::to_string(length),
                  state_->path.string(), "The file is truncated or damaged: copy it again");
}

// Compares the checksum after the data of a strip or tile, which libtiff does not read: it stops unpacking when the
// output is full. The buffer holds the first `bytes` unpacked bytes.
Result<void> TiffFile::check_checksum(uint32_t number, int64_t bytes, int64_t whole_bytes) {
  State& s = *state_;
  uint16_t compression = COMPRESSION_NONE, order = FILLORDER_MSB2LSB, predictor = PREDICTOR_NONE;
  TIFFGetFieldDefaulted(s.tiff, TIFFTAG_COMPRESSION, &compression);
  if (!may_have_checksum(compression)) return ok();
  TIFFGetFieldDefaulted(s.tiff, TIFFTAG_FILLORDER, &order);
  TIFFGetFieldDefaulted(s.tiff, TIFFTAG_PREDICTOR, &predictor);
  std::vector<std::byte> packed(TIFFGetStrileByteCount(s.tiff, number));
  TL_TRY(copy_bytes(static_cast<int64_t>(TIFFGetStrileOffset(s.tiff, number)), static_cast<int64_t>(packed.size()),
                    packed.data()));
  if (order == FILLORDER_LSB2MSB)
    TIFFReverseBits(reinterpret_cast<uint8_t*>(packed.data()), static_cast<tmsize_t>(packed.size()));
  std::span<const std::byte> plain;
  if (bytes == whole_bytes && predictor == PREDICTOR_NONE && TIFFIsByteSwapped(s.tiff) == 0)
    plain = {reinterpret_cast<const std::byte*>(s.buffer.data()), static_cast<std::size_t>(bytes)};
  if (strile_checksum_fits(compression, packed, plain, whole_bytes)) return ok();
  return io_error("its pixels do not have the checksum that the file states", s.path.string(),
                  "The file is damaged: copy it again");
}

bool TiffFile::stored_as_used() const { return plain_samples(state_->tiff); }
int64_t TiffFile::length() const { return static_cast<int64_t>(state_->length); }

TiffResolution TiffFile::resolution() {
  float x = 0, y = 0;
  uint16_t unit = RESUNIT_INCH;
  TIFFGetField(state_->tiff, TIFFTAG_XRESOLUTION, &x);
  TIFFGetField(state_->tiff, TIFFTAG_YRESOLUTION, &y);
  TIFFGetFieldDefaulted(state_->tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  return {x, y, unit == RESUNIT_CENTIMETER};
}

std::string TiffFile::description() {
  char* text = nullptr;
  return TIFFGetField(state_->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != nullptr ? text : "";
}

}  // namespace tl::io
