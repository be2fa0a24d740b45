// Volumes of VGStudio (Volume Graphics), read only: a .vgi file of keys, and the .vol file of numbers that it names.
//
// Keys as in the readers of open_iA and DREAM.3D: lines KEY = VALUE in sections, of which the section [file1] states
// how the numbers lie (Size, Datatype, BitsPerElement, SkipHeader, Name) and [geometry] the voxel size (resolution,
// unit). Columns, rows and slices are taken along +x, +y and +z.
#include <algorithm>
#include <map>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/text/text_file.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Of each section the first value of a key: names in lower case, "file1/size".
using VgiKeys = std::map<std::string, std::string>;

Result<VgiKeys> read_vgi(const fs::path& path) {
  constexpr int64_t max_bytes = int64_t{1} << 20;
  TL_TRY(const std::string text, read_text(path, "the file", max_bytes));
  VgiKeys keys;
  std::string section;
  for (const std::string_view raw : lines_of(text)) {
    const std::string_view line = trimmed(raw);
    if (line.starts_with('[') && line.ends_with(']')) section = lower_case(trimmed(line.substr(1, line.size() - 2)));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    keys.emplace(section + "/" + lower_case(trimmed(line.substr(0, equals))),
                 std::string(trimmed(line.substr(equals + 1))));
  }
  return keys;
}

std::string vgi_value(const VgiKeys& keys, const std::string& key) {
  const auto found = keys.find(key);
  return found == keys.end() ? std::string() : found->second;
}

int sniff_vgi_vol(const fs::path& path) {
  if (lower_case(path.extension().string()) != ".vgi") return 0;
  const auto keys = read_vgi(path);
  return keys.ok() && !vgi_value(keys.value(), "file1/size").empty() ? 90 : 0;
}

// "" for numbers that are not read.
std::string vgi_type(const std::string& kind, int64_t bits) {
  const std::string word = lower_case(kind);
  if (word == "float") return bits == 32 ? "float32" : bits == 64 ? "float64" : "";
  if (bits != 8 && bits != 16 && bits != 32) return "";
  if (word == "unsigned integer") return "uint" + std::to_string(bits);
  return word == "signed integer" || word == "integer" ? "int" + std::to_string(bits) : "";
}

Result<RawBlock> block_of_vgi(const fs::path& path, const VgiKeys& keys) {
  const std::string where = path.string(), hint = "Export the volume again as raw numbers";
  const auto size = integers_of(vgi_value(keys, "file1/size"), 3);
  const auto bits = integers_of(vgi_value(keys, "file1/bitsperelement"), 1);
  const std::string skip = vgi_value(keys, "file1/skipheader"), kind = vgi_value(keys, "file1/datatype");
  const auto skipped = integers_of(skip.empty() ? "0" : skip, 1);
  if (!size || !bits || !skipped || skipped->front() < 0)
    return invalid("[file1] does not state Size, BitsPerElement and SkipHeader as integers", where, hint);
  RawBlock block;
  block.type = vgi_type(kind, bits->front());
  if (block.type.empty())
    return unavailable(
        "numbers of the type " + printable(kind) + " with " + std::to_string(bits->front()) + " bits are not read",
        where, hint);
  block.cols = (*size)[0];
  block.rows = (*size)[1];
  block.pages = (*size)[2];
  block.offset = skipped->front();
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
  const std::string name = vgi_value(keys, "file1/name");
  TL_TRY(block.file, names_companion(path, name.substr(name.find_last_of("/\\") + 1)));
  return block;
}

Result<StoredVolume> open_vgi_vol(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(const VgiKeys keys, read_vgi(path));
  TL_TRY(const RawBlock block, block_of_vgi(path, keys));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "vgi_vol";
  info.voxel_type = block.type;
  TL_TRY(volume.voxels, raw_voxels(block));
  const auto size = numbers_of(vgi_value(keys, "geometry/resolution"), 3);
  const std::string name = vgi_value(keys, "geometry/unit");
  const auto unit = parse_unit(name.empty() ? "mm" : name);
  const bool sized = size && *std::min_element(size->begin(), size->end()) > 0 && unit.ok() &&
                     dimension(unit.value()) == Dimension::length;
  const double mm = sized ? to_stored(1, unit.value()) : 1;
  const Vec3 step = sized ? Vec3{mm * (*size)[0], mm * (*size)[1], mm * (*size)[2]} : Vec3{1, 1, 1};
  if (sized) {
    info.voxel_size = Origin::file;
    info.voxel_size_source = "resolution";
  } else {
    guess_voxel_size(info);
  }
  set_grid({block.pages, block.rows, block.cols, {}, {0, 0, step.z}, {0, step.y, 0}, {step.x, 0, 0}}, volume);
  volume.files = {{path, stamp_of(path)}, {block.file, stamp_of(block.file)}};
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_vgi_vol() {
  return {"vgi_vol",
          "VGStudio volume",
          ".vgi",
          "A .vgi file of keys and the .vol file of numbers that it names, from VGStudio and from scanners.",
          "",
          tl::io::sniff_vgi_vol,
          tl::io::open_vgi_vol,
          nullptr};
}
