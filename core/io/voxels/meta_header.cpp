// Reads the text header of MetaImage, and finds the voxel data that it describes.
#include "core/io/voxels/meta_header.h"

#include <fcntl.h>

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/io/bytes/data_checksum.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_meta_header = 1 << 16;

struct MetaType {
  std::string_view name, type;
};
constexpr MetaType meta_types[] = {{"MET_UCHAR", "uint8"},   {"MET_CHAR", "int8"},      {"MET_USHORT", "uint16"},
                                   {"MET_SHORT", "int16"},   {"MET_UINT", "uint32"},    {"MET_INT", "int32"},
                                   {"MET_ULONG", "uint32"},  {"MET_LONG", "int32"},     {"MET_ULONG_LONG", "uint64"},
                                   {"MET_FLOAT", "float32"}, {"MET_DOUBLE", "float64"}, {"MET_LONG_LONG", "int64"}};

// The value of a key that is true or false; nothing for other words.
std::optional<bool> parse_boolean(const std::string& value) {
  const std::string word = lower_case(value);
  if (word == "true" || word == "t" || word == "1") return true;
  if (word.empty() || word == "false" || word == "f" || word == "0") return false;
  return std::nullopt;
}

Result<RawBlock> shape_of_meta(const fs::path& path, const MetaHeader& header) {
  const std::string where = path.string();
  for (const auto& [name, value] : header.fields) TL_TRY(check_header_key(metaimage_keys, name, value, where));
  const std::string dimensions = header.get({"NDims"});
  if (dimensions != "3" && dimensions != "2")
    return invalid("the image has " + (dimensions.empty() ? "no" : dimensions) + " dimensions (NDims)", where,
                   "Volumes have 3: save one volume a file");
  const std::size_t rank = dimensions == "3" ? 3 : 2;
  const auto sizes = integers_of(header.get({"DimSize"}), rank);
  if (!sizes) return invalid("the sizes (DimSize) are not " + dimensions + " integers", where, "Correct the header");
  if (const std::string channels = header.get({"ElementNumberOfChannels"}); !channels.empty() && channels != "1")
    return invalid("its voxels have " + channels + " channels", where, "Save one channel a file");
  RawBlock block;
  const auto packed = parse_boolean(header.get({"CompressedData"})),
             big = parse_boolean(header.get({"ElementByteOrderMSB", "BinaryDataByteOrderMSB"}));
  if (!packed || !big)
    return invalid(
        std::string(packed ? "the byte order (ElementByteOrderMSB)" : "CompressedData") + " is neither True nor False",
        where, "Correct the header");
  if (*packed) block.packing = Packing::zlib;
  const std::string type = header.get({"ElementType"});
  for (const MetaType& t : meta_types)
    if (t.name == type) block.type = t.type;
  if (block.type.empty())
    return invalid("voxels of the type \"" + type + "\" cannot be read", where, "Save integers or floats");
  block.order = *big ? ByteOrder::big : ByteOrder::little;
  block.cols = (*sizes)[0];
  block.rows = (*sizes)[1];
  block.pages = rank == 3 ? (*sizes)[2] : 1;
  return block;
}

// Sets the offset of a block of voxels whose file is known, from HeaderSize.
Result<void> skip_to_pixels(const MetaHeader& header, const std::string& where, RawBlock& block) {
  const std::string skipped = header.get({"HeaderSize"});
  if (skipped.empty()) return ok();
  const auto bytes = integers_of(skipped, 1);
  if (!bytes || bytes->front() < (block.packing == Packing::none ? -1 : 0))
    return invalid("HeaderSize is " + skipped + ", which is not a number of bytes", where, "Correct the header");
  if (bytes->front() == 0) return ok();
  if (block.packing != Packing::none) {
    block.packed_from = bytes->front();
    return ok();
  }
  block.offset = bytes->front();
  if (block.offset > 0)
    block.behind = TrailingBytes::other_volumes;  // a header may describe one of several volumes in a file
  if (block.offset == -1) {                       // offset -1: the voxels are the end of the file
    TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
    std::error_code failed;
    const auto length = static_cast<int64_t>(fs::file_size(block.file, failed));
    block.offset = failed ? 0 : length - block.pages * block.rows * block.cols * bytes_of_number(block.type);
  }
  return ok();
}

// The file name for a number by a pattern such as "view_%04d.raw"; nullopt if it has no %d, or anything else after
// %.
std::optional<std::string> name_by_pattern(const std::string& pattern, int64_t number) {
  const std::size_t begin = pattern.find('%');
  std::size_t at = begin + 1;
  std::size_t width = 0;
  while (at < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at])) != 0 && width < 100)
    width = 10 * width + static_cast<std::size_t>(pattern[at++] - '0');
  if (at >= pattern.size() || pattern[at] != 'd' || pattern.find('%', at) != std::string::npos) return std::nullopt;
  const std::string digits = std::to_string(number);
  const char filler = begin + 1 < pattern.size() && pattern[begin + 1] == '0' ? '0' : ' ';
  return pattern.substr(0, begin) + std::string(digits.size() < width ? width - digits.size() : 0, filler) + digits +
         pattern.substr(at + 1);
}

// The names of the files with the pages, in order.
Result<std::vector<std::string>> names_of_pages(const fs::path& path, const MetaHeader& header, int64_t pages) {
  const std::string data = header.get({"ElementDataFile"}), where = path.string();
  std::vector<std::string> names;
  if (words_of(data).front() == "LIST") {
    constexpr std::size_t longest_list = 1 << 24;
    TL_TRY(const std::string text, first_bytes(path, longest_list, Packing::none));
    for (auto at = static_cast<std::size_t>(header.bytes); at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (std::string name = std::string(trimmed(text.substr(at, end - at))); !name.empty())
        names.push_back(std::move(name));
      at = end + 1;
    }
  } else {
    const std::vector<std::string> words = words_of(data);
    const auto numbers =
        words.size() < 2 ? std::nullopt : integers_of(data.substr(words.front().size()), words.size() - 1);
    if (!numbers || numbers->size() > 3)
      return invalid("the files of its slices are not named as PATTERN FIRST LAST STEP", where, "Correct the header");
    const int64_t first = (*numbers)[0], step = numbers->size() > 2 ? (*numbers)[2] : 1;
    constexpr int64_t largest = int64_t{1} << 32;  // its product with the largest number of pages does not overflow
    if (first < -largest || first > largest || step < 1 || step > largest)
      return invalid("the numbers of the files of its slices cannot be used", where, "Correct the header");
    if (numbers->size() > 1 && (*numbers)[1] != first + (pages - 1) * step)
      return invalid("the last of the files of its slices does not fit " + std::to_string(pages) + " slices (DimSize)",
                     where, "Correct the header");
    // A damaged header may claim millions of files.
    if (const auto name = name_by_pattern(words.front(), first)) {
      TL_TRY(const fs::path file, names_companion(path, *name));
      if (std::error_code failed; !fs::exists(file, failed))
        return io_error("the first of the files of its slices does not exist", file.string(),
                        "Copy the files into the folder of the header");
    }
    for (int64_t i = 0; i < pages; ++i) {
      auto name = name_by_pattern(words.front(), first + i * step);
      if (!name) return invalid("the name \"" + words.front() + "\" has no %d", where, "Correct the header");
      names.push_back(*std::move(name));
    }
  }
  if (static_cast<int64_t>(names.size()) != pages)
    return invalid(
        "the header names " + std::to_string(names.size()) + " files for " + std::to_string(pages) + " pages", where,
        "Correct the header");
  return names;
}

}  // namespace

bool names_many_files(const std::string& data) {
  const std::vector<std::string> words = words_of(data);
  if (words.empty()) return false;
  const bool numbers = integers_of(data.substr(words.front().size()), words.size() - 1).has_value();
  return numbers && (words.front() == "LIST" || (words.size() > 1 && words.front().find('%') != std::string::npos));
}

std::string MetaHeader::get(std::initializer_list<const char*> names) const {
  for (const char* name : names)
    if (const auto found = fields.find(name); found != fields.end()) return found->second;
  return {};
}

bool is_meta_header(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return false;
  const auto start = first_bytes(path, 256, Packing::none);
  if (!start.ok()) return false;
  const std::string& text = start.value();
  return text.starts_with("ObjectType") || (text.starts_with("NDims") && text.find("DimSize") != std::string::npos);
}

Result<MetaHeader> read_meta_header(const fs::path& path) {
  TL_TRY(const std::string text, first_bytes(path, longest_meta_header, Packing::none));
  MetaHeader header;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at), equals = text.find('=', at);
    if (end == std::string::npos && text.size() == longest_meta_header) break;
    const std::string line = text.substr(at, std::min(end, text.size()) - at);
    if (equals == std::string::npos || equals >= at + line.size())
      return invalid("the header has a line that is not KEY = VALUE", path.string(), "The file is probably damaged");
    const std::string key = std::string(trimmed(text.substr(at, equals - at)));
    header.fields[key] = std::string(trimmed(line.substr(equals - at + 1)));
    at = end == std::string::npos ? text.size() : end + 1;
    header.bytes = static_cast<int64_t>(at);
    if (key == "ElementDataFile") return header;  // the last line by definition
  }
  return invalid("the header does not say where its voxels are (ElementDataFile)", path.string(),
                 "The file is truncated or damaged: copy it again");
}

Result<RawBlock> block_of_meta(const fs::path& path, const MetaHeader& header) {
  TL_TRY(RawBlock block, shape_of_meta(path, header));
  const std::string where = path.string();
  const std::string data = header.get({"ElementDataFile"});
  if (names_many_files(data)) return unavailable("its slices are separate files", where, "Save the voxels as one file");
  if (lower_case(data) == "local") {
    block.file = path;
    (block.packing == Packing::none ? block.offset : block.packed_from) = header.bytes;
  } else {
    TL_TRY(block.file, names_companion(path, data));
  }
  TL_TRY(skip_to_pixels(header, where, block));
  return block;
}

Result<void> check_is_data_of(const MetaHeader& header, const fs::path& path, const RawBlock& block) {
  const std::string stated = header.get({meta_data_checksum});
  if (stated.empty() || block.file == path) return ok();
  const FileDescriptor data(open(block.file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  TL_TRY(const std::string found, data_checksum(data.get(), block.file));
  if (found == stated) return ok();
  return invalid(
      "the voxels in " + block.file.filename().string() + " differ from the data for which this header was written",
      path.string(),
      std::string("Write both again. If the voxels were changed on purpose, remove the line ") + meta_data_checksum +
          " from the header");
}

Result<std::vector<RawBlock>> blocks_of_meta(const fs::path& path, const MetaHeader& header) {
  std::vector<RawBlock> blocks;
  if (!names_many_files(header.get({"ElementDataFile"}))) {
    TL_TRY(RawBlock block, block_of_meta(path, header));
    blocks.push_back(std::move(block));
    return blocks;
  }
  TL_TRY(RawBlock block, shape_of_meta(path, header));
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, path.string()));
  TL_TRY(const std::vector<std::string> names, names_of_pages(path, header, block.pages));
  block.pages = 1;
  for (const std::string& name : names) {
    TL_TRY(block.file, names_companion(path, name));
    TL_TRY(skip_to_pixels(header, path.string(), block));
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace tl::io
