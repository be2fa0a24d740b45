// Slab: one of several equal parts of a volume along z, written to a file of its own until all are joined.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/region.h"

namespace tl::io {

struct Slab {
  int64_t index = 1, count = 1;  // 1 to count
  friend bool operator==(const Slab&, const Slab&) = default;
};
inline constexpr int64_t max_slabs = 100'000;

// Reads "2/8". Invalid for anything else, and beyond max_slabs.
Result<Slab> parse_slab(std::string_view text);
std::string to_string(const Slab& slab);  // "2/8"
// The range of a slab among `slices`; if the number cannot be divided evenly, the first slabs have one slice more.
// Empty if there are more slabs than slices.
Range slab_range(const Slab& slab, int64_t slices);

// The folder of a volume's slabs: NAME.slabs next to it.
inline constexpr std::string_view slab_ending = ".slabs";
std::filesystem::path slab_folder(const std::filesystem::path& volume);
// NAME.slabs/2-of-8.tif
std::filesystem::path slab_file(const std::filesystem::path& volume, const Slab& slab);
// The slab stored in a file of that folder, by its name; an error for other names.
Result<Slab> slab_of_file(const std::filesystem::path& file);

}  // namespace tl::io
