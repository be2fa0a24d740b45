// Makes EDF files (ESRF data format) byte by byte, and scans of them with the ESRF's file names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/file_tree.h"

namespace tl::test::edf {

using Keys = std::vector<std::pair<std::string, std::string>>;
enum class Order { low_first, high_first };

inline constexpr int rows = 3, cols = 5;

// A header of whole blocks of 512 bytes.
inline std::string header(const Keys& keys, const std::string& end = "\n") {
  std::string text = "{" + end;
  for (const auto& [key, value] : keys) text += key + " = " + value + " ;" + end;
  const std::size_t length = text.size() + 1 + end.size();
  return text + std::string((512 - length % 512) % 512, ' ') + "}" + end;
}

// Pixel (r, c) is first + 10 r + c.
template <class T = uint16_t>
std::string pixels(double first, Order order = Order::low_first) {
  std::string bytes;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const T value = static_cast<T>(first + 10 * r + c);
      char one[sizeof value];
      std::memcpy(one, &value, sizeof value);
      if (order == Order::high_first) std::reverse(one, one + sizeof value);
      bytes.append(one, sizeof value);
    }
  return bytes;
}

// The keys of such an image of uint16, with some replaced; an empty value removes its key.
inline Keys keys(const Keys& changed = {}) {
  Keys all = {{"HeaderID", "EH:000001:000000:000000"}, {"ByteOrder", "LowByteFirst"},
              {"DataType", "UnsignedShort"},           {"Dim_1", std::to_string(cols)},
              {"Dim_2", std::to_string(rows)},         {"Size", std::to_string(rows * cols * 2)}};
  for (const auto& [key, value] : changed) {
    std::erase_if(all, [&](const auto& one) { return one.first == key; });
    if (!value.empty()) all.emplace_back(key, value);
  }
  return all;
}

inline std::string image(double first, const Keys& changed = {}) { return header(keys(changed)) + pixels(first); }

// "scan_0007.edf"
inline std::string numbered(const std::string& prefix, int number) {
  const std::string digits = std::to_string(number);
  return prefix + std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits + ".edf";
}

inline std::string info_text(const Keys& changed = {}) {
  Keys all = {{"Prefix", "scan_"}, {"ScanRange", "180"}, {"TOMO_N", "6"},    {"REF_ON", "6"},      {"REF_N", "2"},
              {"DARK_N", "4"},     {"Distance", "250"},  {"Energy", "17.6"}, {"PixelSize", "0.65"}};
  for (const auto& [key, value] : changed) {
    std::erase_if(all, [&](const auto& one) { return one.first == key; });
    if (!value.empty()) all.emplace_back(key, value);
  }
  std::string text;
  for (const auto& [key, value] : all) text += key + "=    " + value + "\n";
  return text;
}

// Six views of 100 i, two more that were taken after them, flats of 1000 and 2000, a dark of 7, and the .info file, in
// the folder scan_.
inline std::filesystem::path write_scan(const std::filesystem::path& parent, const Keys& info = {}) {
  std::filesystem::path folder = parent / "scan_";
  std::filesystem::create_directories(folder);
  for (int i = 0; i < 8; ++i) put(folder / numbered("scan_", i), image(100.0 * i));
  put(folder / "refHST0000.edf", image(1000));
  put(folder / "refHST0006.edf", image(2000));
  put(folder / "dark.edf", image(7));
  put(folder / "scan_.info", info_text(info));
  return folder;
}

}  // namespace tl::test::edf
