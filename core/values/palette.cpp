// Tables of colours with a meaning.
#include "core/values/palette.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tl {
namespace {

using NamedColour = std::pair<std::string_view, uint32_t>;

constexpr std::array<NamedColour, 10> categories{{{"Input", 0x4f9fc9},
                                                  {"Correction", 0x6f8fd6},
                                                  {"Alignment", 0x8b82d8},
                                                  {"Phase retrieval", 0xb07cc6},
                                                  {"Reconstruction", 0xd9952b},
                                                  {"Filter", 0x2fa58a},
                                                  {"Segmentation", 0x8fae4a},
                                                  {"Measure", 0xc9b93a},
                                                  {"Learning", 0xcc79a7},
                                                  {"Output", 0x8d949d}}};

constexpr std::array<NamedColour, 6> data_colours{{{"sky_blue", 0x56b4e9},
                                                   {"orange", 0xe69f00},
                                                   {"green", 0x009e73},
                                                   {"yellow", 0xf0e442},
                                                   {"vermilion", 0xd55e00},
                                                   {"purple", 0xcc79a7}}};

}  // namespace

uint32_t category_rgb(std::string_view category) {
  const auto* const found =
      std::find_if(categories.begin(), categories.end(), [&](const auto& entry) { return entry.first == category; });
  if (found != categories.end()) return found->second;
  std::size_t sum = 0;  // gives the same colour in every run, unlike the standard library's hash
  for (const char c : category) sum = 31 * sum + static_cast<unsigned char>(c);
  return categories.at(sum % categories.size()).second;
}

std::optional<uint32_t> data_rgb(std::string_view key) {
  const auto* const found =
      std::find_if(data_colours.begin(), data_colours.end(), [&](const auto& entry) { return entry.first == key; });
  return found == data_colours.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tl
