// Makes volumes as scanners and NRecon write them: .pcr or .vgi with .vol, and pictures with _rec.log.
#pragma once

#include <ATen/ATen.h>
#include <png.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/file_tree.h"

namespace tl::test::scanner_volumes {

namespace fs = std::filesystem;
using Keys = std::map<std::string, std::string>;

// Lines KEY=VALUE; an empty value in `changed` removes its line.
inline std::string lines_of_keys(const Keys& keys, const Keys& changed, const std::string& equals = "=") {
  std::string text;
  for (auto [key, value] : keys) {
    if (const auto other = changed.find(key); other != changed.end()) value = other->second;
    if (!value.empty()) text += key + equals + value + "\r\n";
  }
  return text;
}

// Numbers in the order of the tensor, as they are.
inline std::string bytes_of(const at::Tensor& numbers) {
  const at::Tensor whole = numbers.contiguous();
  return {static_cast<const char*>(whole.const_data_ptr()), whole.nbytes()};
}

// `voxels` [page, row, col] of uint16.
inline fs::path write_pcr(const fs::path& folder, const at::Tensor& voxels, const Keys& changed = {}) {
  put(folder / "v.vol", bytes_of(voxels));
  put(folder / "v.pcr", "[General]\r\nUser=M\xfcller\r\n[VolumeData]\r\n" +
                            lines_of_keys({{"Volume_SizeX", std::to_string(voxels.size(2))},
                                           {"Volume_SizeY", std::to_string(voxels.size(1))},
                                           {"Volume_SizeZ", std::to_string(voxels.size(0))},
                                           {"Format", "5"},
                                           {"VoxelSizeRec", "0.02"},
                                           {"VOL_File", "D:\\scans\\v.vol"}},
                                          changed));
  return folder / "v.pcr";
}

inline fs::path write_vgi(const fs::path& folder, const at::Tensor& voxels, const Keys& file = {},
                          const Keys& geometry = {}) {
  const std::string size =
      std::to_string(voxels.size(2)) + " " + std::to_string(voxels.size(1)) + " " + std::to_string(voxels.size(0));
  put(folder / "v.vol", bytes_of(voxels));
  put(folder / "v.vgi", "{volume1}\r\n[representation]\r\nsize = " + size +
                            "\r\ndatatype = unsigned integer\r\n[file1]\r\n" +
                            lines_of_keys({{"SkipHeader", "0"},
                                           {"FileType", "raw"},
                                           {"Size", size},
                                           {"Name", "v.vol"},
                                           {"Datatype", "unsigned integer"},
                                           {"BitsPerElement", "16"}},
                                          file, " = ") +
                            "{volumeprimitive12}\r\n[geometry]\r\n" +
                            lines_of_keys({{"resolution", "0.01 0.02 0.03"}, {"unit", "mm"}}, geometry, " = "));
  return folder / "v.vgi";
}

enum class BmpRows { from_bottom, from_top };

// A picture [row, col] of up to 255; its palette is the greys in their order or against it.
inline void write_bmp(const fs::path& file, const at::Tensor& greys, BmpRows order = BmpRows::from_bottom,
                      bool reversed_palette = false) {
  const at::Tensor rows = (order == BmpRows::from_bottom ? greys.flip(0) : greys).to(at::kInt).contiguous();
  const int64_t height = greys.size(0), width = greys.size(1), stride = (width + 3) / 4 * 4;
  const auto number = [](int64_t value, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
    return bytes;
  };
  constexpr int64_t headers = 54, palette = 1024;
  std::string bytes = "BM" + number(headers + palette + stride * height, 4) + number(0, 4) +
                      number(headers + palette, 4) + number(40, 4) + number(width, 4) +
                      number(order == BmpRows::from_bottom ? height : -height, 4) + number(1, 2) + number(8, 2) +
                      number(0, 4) + number(stride * height, 4) + number(0, 8) + number(256, 4) + number(0, 4);
  for (int i = 0; i < 256; ++i) bytes += std::string(3, static_cast<char>(reversed_palette ? 255 - i : i)) + '\0';
  for (int64_t r = 0; r < height; ++r) {
    std::string line(static_cast<std::size_t>(stride), '\0');
    for (int64_t c = 0; c < width; ++c) {
      const int grey = rows.const_data_ptr<int>()[r * width + c];
      line[static_cast<std::size_t>(c)] = static_cast<char>(reversed_palette ? 255 - grey : grey);
    }
    bytes += line;
  }
  put(file, bytes);
}

inline void write_png(const fs::path& file, const at::Tensor& greys, int bits, int colours = PNG_COLOR_TYPE_GRAY) {
  FILE* to = std::fopen(file.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, to);
  const int64_t channels = colours == PNG_COLOR_TYPE_GRAY ? 1 : 3;
  png_set_IHDR(png, info, static_cast<png_uint_32>(greys.size(1)), static_cast<png_uint_32>(greys.size(0)), bits,
               colours, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  const at::Tensor numbers = greys.to(at::kInt).contiguous();
  for (int64_t r = 0; r < greys.size(0); ++r) {
    std::vector<png_byte> line;
    for (int64_t c = 0; c < greys.size(1); ++c)
      for (int64_t i = 0; i < channels; ++i) {
        const int grey = numbers.const_data_ptr<int>()[r * greys.size(1) + c];
        if (bits == 16) line.push_back(static_cast<png_byte>(grey >> 8));
        line.push_back(static_cast<png_byte>(grey & 255));
      }
    png_write_row(png, line.data());
  }
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(to);
}

inline std::string rec_log_text(const Keys& changed = {}) {
  return "[Reconstruction]\r\nUser Name=M\xfcller\r\n" +
         lines_of_keys({{"Pixel Size (um)", "7.5"},
                        {"Section to Section Step", "1"},
                        {"Minimum for CS to Image Conversion", "0.000000"},
                        {"Maximum for CS to Image Conversion", "0.080000"},
                        {"Filename Prefix", "bead_rec"},
                        {"Filename Index Length", "8"}},
                       changed);
}

inline std::string slice_name(int64_t i, const std::string& ending) {
  const std::string digits = std::to_string(i);
  return "bead_rec" + std::string(8 - digits.size(), '0') + digits + ending;
}

// A volume of a format by its id, of integers [page, row, col] below 256.
inline fs::path make(std::string_view id, const at::Tensor& voxels, const fs::path& folder) {
  if (id == "pcr_vol") return write_pcr(folder, voxels.to(at::kUInt16));
  if (id == "vgi_vol") return write_vgi(folder, voxels.to(at::kUInt16));
  for (int64_t k = 0; k < voxels.size(0); ++k) {
    if (folder.filename() == "uint16")
      write_png(folder / slice_name(k, ".png"), voxels[k], 16);
    else
      write_bmp(folder / slice_name(k, ".bmp"), voxels[k]);
  }
  put(folder / "bead_rec.log", rec_log_text());
  return folder;
}

}  // namespace tl::test::scanner_volumes
