// Names and ranges of slabs.
#include "core/io/output/slab.h"

#include <algorithm>
#include <charconv>

namespace tl::io {
namespace {

constexpr std::string_view between_numbers = "-of-", file_ending = ".tif";

// "2" + separator + "8"; nothing else.
Result<Slab> read_slab(std::string_view text, std::string_view separator) {
  Slab slab;
  const auto read = [](std::string_view digits, int64_t& number) {
    const char* end = digits.data() + digits.size();
    const auto done = std::from_chars(digits.data(), end, number);
    return done.ec == std::errc() && done.ptr == end;
  };
  const auto at = text.find(separator);
  if (at == std::string_view::npos || !read(text.substr(0, at), slab.index) ||
      !read(text.substr(at + separator.size()), slab.count) || slab.count > max_slabs || slab.index < 1 ||
      slab.index > slab.count)
    return invalid("\"" + std::string(text) + "\" is not a slab", {},
                   "Give its number and how many there are, for example 2/8; at most " + std::to_string(max_slabs));
  return slab;
}

}  // namespace

Result<Slab> parse_slab(std::string_view text) { return read_slab(text, "/"); }

std::string to_string(const Slab& slab) { return std::to_string(slab.index) + "/" + std::to_string(slab.count); }

Range slab_range(const Slab& slab, int64_t slices) {
  const int64_t each = slices / slab.count, longer = slices % slab.count, before = slab.index - 1;
  const int64_t begin = before * each + std::min(before, longer);
  return {begin, begin + each + (before < longer ? 1 : 0)};
}

std::filesystem::path slab_folder(const std::filesystem::path& volume) {
  return volume.string() + std::string(slab_ending);
}

std::filesystem::path slab_file(const std::filesystem::path& volume, const Slab& slab) {
  return slab_folder(volume) / (std::to_string(slab.index) + std::string(between_numbers) + std::to_string(slab.count) +
                                std::string(file_ending));
}

Result<Slab> slab_of_file(const std::filesystem::path& file) {
  if (file.extension() != file_ending) return invalid("this is not the file of a slab", file.string());
  return read_slab(file.stem().string(), between_numbers);
}

}  // namespace tl::io
