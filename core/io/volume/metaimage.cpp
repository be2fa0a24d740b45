// MetaImage: a text header (.mhd) that names a file of raw numbers, or both in one file (.mha).
#include <algorithm>
#include <map>

#include "core/io/header_text.h"
#include "core/io/samples.h"
#include "core/io/volume/format.h"
#include "core/io/volume/raw_volume_writer.h"
#include "core/io/volume/raw_voxels.h"

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

std::string meta_type_of(SampleType type) {
  return type == SampleType::float32 ? "MET_FLOAT" : type == SampleType::uint16 ? "MET_USHORT" : "MET_UCHAR";
}

struct MetaHeader {
  std::map<std::string, std::string> fields;
  int64_t bytes = 0;  // up to the end of the line ElementDataFile

  // The value of the first of these names that is there; empty if none is.
  [[nodiscard]] std::string get(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const auto found = fields.find(name); found != fields.end()) return found->second;
    return {};
  }
};

Result<MetaHeader> read_meta_header(const fs::path& path) {
  TL_TRY(const std::string text, first_bytes(path, longest_meta_header, Packing::none));
  MetaHeader header;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at), equals = text.find('=', at);
    if (end == std::string::npos && text.size() == longest_meta_header) break;
    const std::string line = text.substr(at, std::min(end, text.size()) - at);
    if (equals == std::string::npos || equals >= at + line.size())
      return invalid("the header has a line that is not KEY = VALUE", path.string(), "The file is probably damaged");
    const std::string key = without_spaces_around(text.substr(at, equals - at));
    header.fields[key] = without_spaces_around(line.substr(equals - at + 1));
    at = end == std::string::npos ? text.size() : end + 1;
    header.bytes = static_cast<int64_t>(at);
    if (key == "ElementDataFile") return header;  // the last line by definition
  }
  return invalid("the header does not say where its voxels are (ElementDataFile)", path.string(),
                 "The file is truncated or damaged: copy it again");
}

Result<RawBlock> block_of_meta(const fs::path& path, const MetaHeader& header) {
  const std::string where = path.string();
  const std::string dimensions = header.get({"NDims"});
  if (dimensions != "3" && dimensions != "2")
    return invalid("the image has " + (dimensions.empty() ? "no" : dimensions) + " dimensions (NDims)", where,
                   "Volumes have 3: save one volume a file");
  const std::size_t rank = dimensions == "3" ? 3 : 2;
  const auto sizes = integers_of(header.get({"DimSize"}), rank);
  if (!sizes)
    return invalid("the sizes (DimSize) are not " + dimensions + " whole numbers", where, "Correct the header");
  if (const std::string channels = header.get({"ElementNumberOfChannels"}); !channels.empty() && channels != "1")
    return invalid("its voxels have " + channels + " channels", where, "Save one channel a file");
  RawBlock block;
  if (lower_case_of(header.get({"CompressedData"})) == "true") block.packing = Packing::zlib;
  const std::string type = header.get({"ElementType"});
  for (const MetaType& t : meta_types)
    if (t.name == type) block.type = t.type;
  if (block.type.empty())
    return invalid("voxels of the type \"" + type + "\" cannot be read", where, "Save integers or floats");
  const bool big = lower_case_of(header.get({"ElementByteOrderMSB", "BinaryDataByteOrderMSB"})) == "true";
  block.order = big ? ByteOrder::big : ByteOrder::little;
  block.cols = (*sizes)[0];
  block.rows = (*sizes)[1];
  block.pages = rank == 3 ? (*sizes)[2] : 1;
  const std::string data = header.get({"ElementDataFile"});
  if (data == "LIST" || data.find('%') != std::string::npos)
    return unavailable("its slices are separate files", where, "Save the voxels as one file");
  if (lower_case_of(data) == "local") {
    block.file = path;
    (block.packing == Packing::none ? block.offset : block.packed_from) = header.bytes;
    return block;
  }
  TL_TRY(block.file, named_beside(path, data));
  const std::string skipped = header.get({"HeaderSize"});
  if (skipped.empty()) return block;
  const auto bytes = integers_of(skipped, 1);
  if (!bytes) return invalid("HeaderSize is not a whole number", where, "Correct the header");
  if (block.packing != Packing::none) {
    block.packed_from = std::max<int64_t>(0, bytes->front());
    return block;
  }
  block.offset = bytes->front();
  if (block.offset == -1) {  // the voxels are the end of the file
    TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, where));
    std::error_code failed;
    const auto length = static_cast<int64_t>(fs::file_size(block.file, failed));
    block.offset = failed ? 0 : length - block.pages * block.rows * block.cols * bytes_of_number(block.type);
  }
  return block;
}

Result<void> place_meta(const MetaHeader& header, const RawBlock& block, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  FileAxes axes{block.pages, block.rows, block.cols, {}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  // The axes of the file as columns of nine numbers; lengths in mm.
  if (const auto m = numbers_of(header.get({"TransformMatrix", "Rotation", "Orientation"}), 9)) {
    axes.col_step = {(*m)[0], (*m)[1], (*m)[2]};
    axes.row_step = {(*m)[3], (*m)[4], (*m)[5]};
    axes.page_step = {(*m)[6], (*m)[7], (*m)[8]};
  }
  const std::string spacing = header.get({"ElementSpacing", "ElementSize"});
  const std::size_t rank = header.get({"NDims"}) == "3" ? 3 : 2;
  if (const auto s = numbers_of(spacing, rank)) {
    axes.col_step = (*s)[0] * axes.col_step;
    axes.row_step = (*s)[1] * axes.row_step;
    axes.page_step = (rank == 3 ? (*s)[2] : (*s)[0]) * axes.page_step;
    info.voxel_size = Origin::file;
    info.voxel_size_source = "ElementSpacing";
  } else if (!spacing.empty()) {
    return invalid("the voxel size (ElementSpacing) is not " + std::to_string(rank) + " numbers", info.path.string(),
                   "Correct the header");
  } else {
    guess_voxel_size(info);
  }
  if (const auto first = numbers_of(header.get({"Offset", "Position", "Origin"}), 3)) {
    axes.centre = centre_from_first(axes, {(*first)[0], (*first)[1], (*first)[2]});
    info.position = Origin::file;
  }
  place(axes, volume);
  return ok();
}

int sniff_meta(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return 0;
  const auto start = first_bytes(path, 256, Packing::none);
  if (!start.ok()) return 0;
  const std::string& text = start.value();
  return text.starts_with("ObjectType") || (text.starts_with("NDims") && text.find("DimSize") != std::string::npos) ? 90
                                                                                                                    : 0;
}

Result<StoredVolume> open_meta(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(const MetaHeader header, read_meta_header(path));
  TL_TRY(const RawBlock block, block_of_meta(path, header));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "metaimage";
  info.voxel_type = block.type;
  TL_TRY(volume.voxels, raw_voxels(block));
  TL_TRY(place_meta(header, block, volume));
  if (const auto unit = parse_unit(header.get({"ValueUnit"})); unit.ok()) info.unit = unit.value();
  const auto low = numbers_of(header.get({"ElementToIntensityFunctionOffset"}), 1),
             step = numbers_of(header.get({"ElementToIntensityFunctionSlope"}), 1);
  if (step) info.scale = ValueScale{low ? low->front() : 0, step->front()};
  volume.files = {{path, stamp_of(path)}};
  if (block.file != path) volume.files.push_back({block.file, stamp_of(block.file)});
  return volume;
}

Result<std::unique_ptr<VolumeWriter>> write_meta(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  const VolumeGrid& g = target.grid;
  const bool apart = lower_case_of(target.path.extension().string()) != ".mha";
  fs::path voxels = target.path;
  const bool packed = target.compression == Compression::gzip;
  voxels.replace_extension(packed ? ".zraw" : ".raw");
  const auto direction = [](Vec3 step) { return vector_text((1 / norm(step)) * step); };
  const double step = SampleScale{target.type, target.low, target.high}.step();
  std::string header = "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n";
  std::optional<std::size_t> packed_bytes_at;
  header += std::string("CompressedData = ") + (packed ? "True" : "False") + "\n";
  if (packed) {
    header += "CompressedDataSize = ";
    packed_bytes_at = header.size();
    header += std::string(room_for_packed_bytes, ' ') + "\n";
  }
  header += "TransformMatrix = " + direction(g.step_x) + " " + direction(Vec3{} - g.step_y) + " " +
            direction(g.step_z) + "\n";
  header += "Offset = " + vector_text(g.position(0, static_cast<double>(g.ny - 1), 0)) + "\n";
  header += "CenterOfRotation = 0 0 0\nElementSpacing = " + number_text(norm(g.step_x)) + " " +
            number_text(norm(g.step_y)) + " " + number_text(norm(g.step_z)) + "\n";
  header += "DimSize = " + std::to_string(g.nx) + " " + std::to_string(g.ny) + " " + std::to_string(g.nz) + "\n";
  if (target.unit != Unit::none) header += "ValueUnit = " + std::string(symbol(target.unit)) + "\n";
  if (target.type != SampleType::float32)
    header += "ElementToIntensityFunctionSlope = " + number_text(step) +
              "\nElementToIntensityFunctionOffset = " + number_text(target.low) + "\n";
  header += "ElementType = " + meta_type_of(target.type) + "\n";
  header += "ElementDataFile = " + (apart ? voxels.filename().string() : std::string("LOCAL")) + "\n";
  return open_raw_volume(target, {header, apart ? voxels : fs::path(),
                                  packed ? RawPacking::voxels_by_zlib : RawPacking::none, packed_bytes_at});
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_metaimage() {
  return {"metaimage",
          "MetaImage",
          ".mhd .mha",
          "A text header and raw numbers, in two files (.mhd and .raw) or in one (.mha), for ITK, 3D Slicer and Fiji.",
          "It holds no pipeline: keep the record beside it.",
          tl::io::sniff_meta,
          tl::io::open_meta,
          tl::io::write_meta};
}
