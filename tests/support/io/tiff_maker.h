// Makes TIFF files byte by byte: pages of pixels (10 r + c + 100 k), with a description and further tags, in either
// byte order, listed one by one or like ImageJ's large stacks: only the first page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tl::test::tiffs {

inline constexpr int rows = 3, cols = 5;

enum class PixelType { uint8, int16, uint16, float32 };
enum class Bytes { little, big };
enum class Listed { all, first };

struct Picture {
  int pages = 6;
  std::string description = {};
  PixelType pixels = PixelType::uint16;
  Bytes bytes = Bytes::little;
  Listed listed = Listed::all;
  std::map<uint16_t, uint32_t> tags = {};  // further tags, or other values of the default ones
};

inline double pixel(int k, int r, int c) { return 100 * k + 10 * r + c; }

class TiffBytes {
 public:
  explicit TiffBytes(Bytes order) : order_(order) {}
  template <class T>
  void put(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if (order_ == Bytes::big) std::reverse(raw, raw + sizeof value);
    all.append(raw, sizeof value);
  }
  std::string all;

 private:
  Bytes order_;
};

template <class T>
std::string page_of(int k, Bytes order) {
  TiffBytes bytes(order);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) bytes.put(static_cast<T>(pixel(k, r, c)));
  return bytes.all;
}

inline std::string page_of(int k, const Picture& p) {
  switch (p.pixels) {
    case PixelType::uint8: return page_of<uint8_t>(k, p.bytes);
    case PixelType::int16: return page_of<int16_t>(k, p.bytes);
    case PixelType::uint16: return page_of<uint16_t>(k, p.bytes);
    case PixelType::float32: break;
  }
  return page_of<float>(k, p.bytes);
}

inline std::string tiff_bytes(const Picture& p) {
  const uint32_t bits = p.pixels == PixelType::uint8 ? 8 : p.pixels == PixelType::float32 ? 32 : 16;
  const uint32_t format = p.pixels == PixelType::float32 ? 3 : p.pixels == PixelType::int16 ? 2 : 1;
  const auto page_bytes = static_cast<uint32_t>(rows * cols * static_cast<int>(bits) / 8);
  const int listed = p.listed == Listed::all ? p.pages : 1;
  // Header, directories, description, pixels.
  std::map<uint16_t, uint32_t> tags = {{256, cols}, {257, rows}, {258, bits}, {259, 1},          {262, 1},
                                       {273, 0},    {277, 1},    {278, rows}, {279, page_bytes}, {339, format}};
  for (const auto& [tag, value] : p.tags) tags[tag] = value;
  const std::string text = p.description + std::string(1 + p.description.size() % 2, '\0');
  const auto directory = static_cast<uint32_t>(2 + 12 * (tags.size() + 1) + 4);
  const uint32_t text_at = 8 + directory * static_cast<uint32_t>(listed),
                 pixels_at = text_at + static_cast<uint32_t>(text.size());
  TiffBytes out(p.bytes);
  out.all = p.bytes == Bytes::big ? "MM" : "II";
  out.put(uint16_t{42});
  out.put(uint32_t{8});
  for (int k = 0; k < listed; ++k) {
    std::map<uint16_t, uint32_t> of_page = tags;
    of_page[273] = pixels_at + static_cast<uint32_t>(k) * page_bytes;
    of_page[270] = text_at;
    out.put(static_cast<uint16_t>(of_page.size()));
    for (const auto& [tag, value] : of_page) {
      out.put(tag);
      out.put(static_cast<uint16_t>(tag == 270 ? 2 : 4));
      out.put(static_cast<uint32_t>(tag == 270 ? text.size() : 1));
      out.put(value);
    }
    out.put(k + 1 < listed ? 8 + directory * static_cast<uint32_t>(k + 1) : 0);
  }
  out.all += text;
  for (int k = 0; k < p.pages; ++k) out.all += page_of(k, p);
  return out.all;
}

inline void write_tiff(const std::filesystem::path& file, const Picture& p) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << tiff_bytes(p);
}

}  // namespace tl::test::tiffs
