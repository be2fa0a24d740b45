// Reads EDF files: the chain of headers and images, and regions of pixels of ten types in two byte orders.
//
// Meaning of the keys as in fabio. EDF_BinarySize, or else Size, is the number of bytes between a header and the next
// one. A header with EDF_DataFormatVersion belongs to no image: it holds keys that the headers of the images leave out.
// With EDF_BinaryFileName the pixels are in another file of the same folder, from EDF_BinaryFilePosition on.
#include "core/io/edf/edf_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/keys/header_keys.h"
#include "core/io/reader/scan_checks.h"

static_assert(std::endian::native == std::endian::little, "pixels of low_first are used as they lie in the file");

namespace tl::io {
namespace {

struct SampleName {
  std::string_view name;  // in lower case
  EdfSample sample;
};
constexpr std::array<SampleName, 28> sample_names = {
    {{"signedbyte", EdfSample::int8},        {"signed8", EdfSample::int8},
     {"unsignedbyte", EdfSample::uint8},     {"unsigned8", EdfSample::uint8},
     {"signedshort", EdfSample::int16},      {"signed16", EdfSample::int16},
     {"unsignedshort", EdfSample::uint16},   {"unsignedshortinteger", EdfSample::uint16},
     {"unsigned16", EdfSample::uint16},      {"signedinteger", EdfSample::int32},
     {"signedlong", EdfSample::int32},       {"signed32", EdfSample::int32},
     {"unsignedinteger", EdfSample::uint32}, {"unsignedlong", EdfSample::uint32},
     {"unsigned32", EdfSample::uint32},      {"signed64", EdfSample::int64},
     {"unsigned64", EdfSample::uint64},      {"float", EdfSample::float32},
     {"floatvalue", EdfSample::float32},     {"float32", EdfSample::float32},
     {"real", EdfSample::float32},           {"floatieee32", EdfSample::float32},
     {"double", EdfSample::float64},         {"doublevalue", EdfSample::float64},
     {"float64", EdfSample::float64},        {"floatieee64", EdfSample::float64},
     {"doubleieee64", EdfSample::float64},   {"doublefloat", EdfSample::float64}}};

std::string shown(const std::string& text) { return "\"" + printable(text.substr(0, 40)) + "\""; }

Result<EdfSample> sample_type(const EdfHeader& header, const std::string& where) {
  const std::string given = header.text("datatype");
  if (given.empty())
    return invalid("the header of an image has no DataType", where, "Correct it, or save the image again");
  const std::string name = lower_case(given);
  for (const SampleName& one : sample_names)
    if (one.name == name) return one.sample;
  return invalid("its pixels are of the type " + shown(given), where,
                 "Integers of 8 to 64 bits and floats of 32 and 64 bits can be read");
}

Result<EdfByteOrder> order_of_bytes(const EdfHeader& header, EdfSample sample, const std::string& where) {
  const std::string order = lower_case(header.text("byteorder"));
  if (order.find("low") != std::string::npos || sample_bytes(sample) == 1) return EdfByteOrder::low_first;
  if (order.find("high") != std::string::npos) return EdfByteOrder::high_first;
  return invalid(order.empty() ? "the header of an image has no ByteOrder"
                               : "the byte order of an image is " + shown(header.text("byteorder")),
                 where, "It is LowByteFirst or HighByteFirst: correct the header");
}

// Rows and columns. Images of three dimensions are not frames.
Result<void> read_shape(const EdfHeader& header, const std::string& where, EdfImage& image) {
  TL_TRY(const auto cols, header.integer("dim_1", where));
  TL_TRY(const auto rows, header.integer("dim_2", where));
  TL_TRY(const auto depth, header.integer("dim_3", where));
  if (!cols || !rows)
    return invalid(std::string("the header of an image has no Dim_") + (cols ? "2" : "1"), where,
                   "Frames have two dimensions: correct the header, or save the frames again");
  if (depth.value_or(1) != 1)
    return invalid("the image has three dimensions, Dim_3 being " + std::to_string(*depth), where,
                   "Save its frames as images of two dimensions");
  TL_TRY(check_sizes(1, *rows, *cols, where));
  image.rows = *rows;
  image.cols = *cols;
  return ok();
}

Result<void> check_compression(const EdfHeader& header, const std::string& where) {
  const std::string& compression = header.text("compression");
  if (compression.empty() || lower_case(compression).starts_with("no")) return ok();
  return unavailable("its pixels are compressed (" + shown(compression) + ")", where,
                     "Save the frames again without compression");
}

// The file and offset of pixels outside the EDF file.
Result<void> read_external_file(const EdfHeader& header, const std::filesystem::path& path, EdfImage& image) {
  const std::filesystem::path name = std::filesystem::path(header.text("edf_binaryfilename")).filename();
  if (name.empty() || name == path.filename())
    return invalid("the header of an image names no file with its pixels: EDF_BinaryFileName is " +
                       shown(header.text("edf_binaryfilename")),
                   path.string(), "Correct the header");
  image.pixels = path.parent_path() / name;
  TL_TRY(const auto offset, header.integer("edf_binaryfileposition", path.string()));
  image.offset = offset.value_or(0);
  return ok();
}

int64_t pixel_bytes(const EdfImage& image) { return image.rows * image.cols * sample_bytes(image.sample); }

// Adds general keys that the header of an image leaves out, except keys that are valid for one header only.
void fill_in(EdfHeader& header, const EdfHeader& general) {
  for (const auto& [key, value] : general.values)
    if (!key.starts_with("edf_") && key != "size" && key != "image" && key != "headerid")
      header.values.emplace(key, value);
}

// The image that a header describes.
Result<EdfImage> image_from(const EdfHeader& header, const std::filesystem::path& path) {
  const std::string where = path.string();
  EdfImage image{0, 0, EdfSample::uint16, EdfByteOrder::low_first, path, header.end};
  TL_TRY(read_shape(header, where, image));
  TL_TRY(image.sample, sample_type(header, where));
  TL_TRY(image.order, order_of_bytes(header, image.sample, where));
  TL_TRY(check_compression(header, where));
  for (const auto& [key, value] : header.values) TL_TRY(check_header_key(edf_keys, key, value, where));
  if (!header.text("edf_binaryfilename").empty()) TL_TRY(read_external_file(header, path, image));
  return image;
}

// The number of bytes between a header and the next one, at most `left`: the pixels must fit into them.
Result<int64_t> bytes_behind_header(const EdfHeader& header, const EdfImage& image, const std::filesystem::path& path,
                                    int64_t left) {
  const std::string where = path.string();
  const bool is_external = image.pixels != path;
  const int64_t needed = is_external ? 0 : pixel_bytes(image);
  TL_TRY(std::optional<int64_t> stated, header.integer("edf_binarysize", where));
  if (!stated && !is_external) {
    TL_TRY(stated, header.integer("size", where));
  }
  if (stated && *stated < needed)
    return invalid("the header of an image states " + std::to_string(*stated) + " bytes of pixels, but its " +
                       std::to_string(image.cols) + " x " + std::to_string(image.rows) + " pixels of " +
                       std::string(sample_name(image.sample)) + " take " + std::to_string(needed),
                   where, "The header is wrong, or the pixels are compressed: save the frame again");
  // Writers fill up to blocks of 512 bytes. With rows more the image has another size.
  const int64_t row = image.cols * sample_bytes(image.sample);
  if (stated && !is_external && *stated - needed >= std::max<int64_t>(row, 512))
    return invalid("the header of an image states " + std::to_string(*stated) + " bytes of pixels, but its " +
                       std::to_string(image.cols) + " x " + std::to_string(image.rows) + " pixels of " +
                       std::string(sample_name(image.sample)) + " take only " + std::to_string(needed),
                   where, "The header is wrong: correct Dim_1, Dim_2 or DataType, or save the frame again");
  if (needed > left)
    return io_error("the pixels of an image take " + std::to_string(needed) + " bytes, but the file ends after " +
                        std::to_string(left),
                    where, "The file is truncated: copy it again from its source");
  return std::min(stated.value_or(needed), left);
}

template <class From>
From swapped(From value) {
  std::array<std::byte, sizeof(From)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  std::reverse(bytes.begin(), bytes.end());
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class From, class To>
void convert_samples(const std::byte* from, int64_t count, EdfByteOrder order, To* to) {
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * static_cast<int64_t>(sizeof value), sizeof value);
    to[i] = static_cast<To>(order == EdfByteOrder::low_first ? value : swapped(value));
  }
}

template <class To>
using ConvertSamples = void (*)(const std::byte*, int64_t, EdfByteOrder, To*);
// Null: the samples do not fit.
template <class To>
ConvertSamples<To> converter(EdfSample sample) {
  if (sample == EdfSample::uint8) return convert_samples<uint8_t, To>;
  if (sample == EdfSample::uint16) return convert_samples<uint16_t, To>;
  if constexpr (std::is_same_v<To, float>) {
    constexpr std::array<ConvertSamples<To>, 10> all = {convert_samples<uint8_t, To>,  convert_samples<int8_t, To>,
                                                        convert_samples<uint16_t, To>, convert_samples<int16_t, To>,
                                                        convert_samples<uint32_t, To>, convert_samples<int32_t, To>,
                                                        convert_samples<uint64_t, To>, convert_samples<int64_t, To>,
                                                        convert_samples<float, To>,    convert_samples<double, To>};
    return all[static_cast<std::size_t>(sample)];
  }
  return nullptr;
}

template <class To>
constexpr EdfSample sample_like() {
  return std::is_same_v<To, float> ? EdfSample::float32 : EdfSample::uint16;
}

}  // namespace

std::string_view sample_name(EdfSample sample) {
  constexpr std::array<std::string_view, 10> names = {"uint8", "int8",   "uint16", "int16",   "uint32",
                                                      "int32", "uint64", "int64",  "float32", "float64"};
  return names[static_cast<std::size_t>(sample)];
}

int64_t sample_bytes(EdfSample sample) {
  constexpr std::array<int64_t, 10> bytes = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes[static_cast<std::size_t>(sample)];
}

Result<EdfFile> EdfFile::open(const std::filesystem::path& path) {
  constexpr std::size_t max_images = std::size_t{1} << 24;
  constexpr double for_header = 2e-4;  // [s]
  const std::string where = path.string();
  TL_TRY(EdfSource opened, open_edf_source(where));
  EdfFile file(path, std::move(opened));
  EdfHeader general;
  for (int64_t at = 0; at < file.source_.length;) {
    allow_cpu_time_for_object(for_header);
    TL_TRY(std::optional<EdfHeader> header, read_edf_header(file.source_, at));
    if (!header) break;
    const int64_t begin = header->end, left = file.source_.length - begin;
    if (!header->text("edf_dataformatversion").empty()) {
      TL_TRY(const std::optional<int64_t> size, header->integer("edf_binarysize", where));
      at = begin + std::min(size.value_or(0), left);
      general = *std::move(header);
      continue;
    }
    fill_in(*header, general);
    TL_TRY(EdfImage image, image_from(*header, path));
    TL_TRY(const int64_t size, bytes_behind_header(*header, image, path, left));
    at = begin + size;
    file.images_.push_back(std::move(image));
    if (file.images_.size() > max_images) return invalid("the file has more images than any scan has frames", where);
  }
  if (file.images_.empty())
    return invalid("the file holds no image", where, "Check that it is an EDF file, and was copied whole");
  return file;
}

Result<void> EdfFile::read(const EdfImage& image, Range rows, Range cols, float* out) const {
  return read_as(image, rows, cols, out);
}
Result<void> EdfFile::read(const EdfImage& image, Range rows, Range cols, uint16_t* out) const {
  return read_as(image, rows, cols, out);
}

// Whole rows are read, some at a time, through a buffer that fits the CPU cache.
template <class To>
Result<void> EdfFile::read_as(const EdfImage& image, Range rows, Range cols, To* out) const {
  constexpr int64_t buffer_bytes = int64_t{1} << 18;
  TL_CHECK(Range({0, image.rows}).contains(rows) && Range({0, image.cols}).contains(cols), "region outside the image");
  const ConvertSamples<To> convert = converter<To>(image.sample);
  if (convert == nullptr)
    return unavailable("its pixels are " + std::string(sample_name(image.sample)) + ", not counts", path_.string());
  EdfSource external;
  const bool is_external = image.pixels != path_;
  if (is_external) {
    TL_TRY(external, open_edf_source(image.pixels.string()));
  }
  const EdfSource& source = is_external ? external : source_;
  if (image.offset > source.length || pixel_bytes(image) > source.length - image.offset)
    return io_error("the pixels of an image take " + std::to_string(pixel_bytes(image)) + " bytes from byte " +
                        std::to_string(image.offset) + " on, but " + printable(image.pixels.filename().string()) +
                        " has " + std::to_string(source.length),
                    path_.string(), "The file is truncated: copy it again from its source");
  const int64_t sample = sample_bytes(image.sample), row_bytes = image.cols * sample;
  const auto offset_of = [&](int64_t row) { return image.offset + row * row_bytes; };
  if (image.sample == sample_like<To>() && image.order == EdfByteOrder::low_first && cols.size() == image.cols)
    return read_edf_bytes(source, offset_of(rows.begin), rows.size() * row_bytes, out);
  const int64_t at_once = std::clamp<int64_t>(buffer_bytes / row_bytes, 1, std::max<int64_t>(rows.size(), 1));
  std::vector<std::byte> buffer(static_cast<std::size_t>(at_once * row_bytes));
  for (int64_t r = rows.begin; r < rows.end; r += at_once) {
    const int64_t count = std::min(at_once, rows.end - r);
    TL_TRY(read_edf_bytes(source, offset_of(r), count * row_bytes, buffer.data()));
    for (int64_t i = 0; i < count; ++i, out += cols.size())
      convert(buffer.data() + i * row_bytes + cols.begin * sample, cols.size(), image.order, out);
  }
  return ok();
}

}  // namespace tl::io
