// MetaImage: a text header (.mhd) that names a file of raw numbers, or both in one file (.mha).
#include "core/base/text.h"
#include "core/io/bytes/data_checksum.h"
#include "core/io/keys/header_keys.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/meta_header.h"
#include "core/io/voxels/raw_volume_writer.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

std::string meta_type_of(SampleType type) {
  return type == SampleType::float32  ? "MET_FLOAT"
         : type == SampleType::uint16 ? "MET_USHORT"
         : type == SampleType::int32  ? "MET_INT"
                                      : "MET_UCHAR";
}

// Millimetres of the unit of all lengths in the header.
Result<double> meta_mm(const MetaHeader& header, const std::string& where) {
  const std::string name = header.get({"DistanceUnits"});
  if (name.empty() || name == "?") return 1.0;
  const auto unit = parse_unit(name);
  if (!unit.ok() || dimension(unit.value()) != Dimension::length)
    return invalid("the unit \"" + name + "\" is not a unit of length (DistanceUnits)", where, "Correct the header");
  return to_stored(1, unit.value());
}

// The numbers of the first of these keys that is there; nothing if none is. Invalid if they are not `count` numbers.
Result<std::optional<std::vector<double>>> meta_numbers(const MetaHeader& header,
                                                        std::initializer_list<const char*> keys, std::size_t count,
                                                        const std::string& where) {
  const std::string text = header.get(keys);
  auto numbers = numbers_of(text, count);
  if (!numbers && !text.empty())
    return invalid(std::string(*keys.begin()) + " is not " + std::to_string(count) + " numbers", where,
                   "Correct the header");
  return numbers;
}

Result<void> place_meta(const MetaHeader& header, const RawBlock& block, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  FileAxes axes{block.pages, block.rows, block.cols, {}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  const std::string where = info.path.string();
  const std::size_t rank = header.get({"NDims"}) == "3" ? 3 : 2;
  TL_TRY(const double mm, meta_mm(header, where));
  // The axes of the file, one after the other.
  TL_TRY(const auto m, meta_numbers(header, {"TransformMatrix", "Rotation", "Orientation"}, rank * rank, where));
  if (m) {
    axes.col_step = {(*m)[0], (*m)[1], rank == 3 ? (*m)[2] : 0};
    axes.row_step = {(*m)[rank], (*m)[rank + 1], rank == 3 ? (*m)[rank + 2] : 0};
    if (rank == 3) axes.page_step = {(*m)[6], (*m)[7], (*m)[8]};
  }
  TL_TRY(const auto s, meta_numbers(header, {"ElementSpacing", "ElementSize"}, rank, where));
  if (s) {
    axes.col_step = mm * (*s)[0] * axes.col_step;
    axes.row_step = mm * (*s)[1] * axes.row_step;
    axes.page_step = mm * (rank == 3 ? (*s)[2] : (*s)[0]) * axes.page_step;
    info.voxel_size = Origin::file;
    info.voxel_size_source = "ElementSpacing";
  } else {
    guess_voxel_size(info);
  }
  TL_TRY(const auto first, meta_numbers(header, {"Offset", "Position", "Origin"}, rank, where));
  if (first) {
    axes.centre = centre_from_first(axes, mm * Vec3{(*first)[0], (*first)[1], rank == 3 ? (*first)[2] : 0});
    info.position = Origin::file;
  }
  set_grid(axes, volume);
  return ok();
}

int sniff_meta(const fs::path& path) { return is_meta_header(path) ? 90 : 0; }

Result<StoredVolume> open_meta(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(const MetaHeader header, read_meta_header(path));
  TL_TRY(const RawBlock block, block_of_meta(path, header));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "metaimage";
  info.voxel_type = block.type;
  TL_TRY(volume.voxels, raw_voxels(block));
  TL_TRY(check_is_data_of(header, path, block));
  TL_TRY(place_meta(header, block, volume));
  if (const auto unit = parse_unit(header.get({"ValueUnit"})); unit.ok()) info.unit = unit.value();
  const auto low = numbers_of(header.get({"ElementToIntensityFunctionOffset"}), 1),
             step = numbers_of(header.get({"ElementToIntensityFunctionSlope"}), 1);
  if (low || step) info.scale = ValueScale{low ? low->front() : 0, step ? step->front() : 1};
  TL_TRY(check_header_keys(metaimage_keys, header.fields, path.string(), info.notes));
  volume.files = {{path, stamp_of(path)}};
  if (block.file != path) volume.files.push_back({block.file, stamp_of(block.file)});
  return volume;
}

// Whether a header can name this file: the format gives % and LIST a meaning, and lines and spaces around end a name.
bool can_be_named(const std::string& name) {
  return name.find_first_of("%\r\n") == std::string::npos && !name.starts_with("LIST") && lower_case(name) != "local" &&
         std::string(trimmed(name)) == name;
}

Result<std::unique_ptr<VolumeWriter>> write_meta(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  const VolumeGrid& g = target.grid;
  fs::path voxels = target.path;
  const bool packed = target.compression == Compression::gzip;
  voxels.replace_extension(packed ? ".zraw" : ".raw");
  const bool apart = lower_case(target.path.extension().string()) != ".mha" && can_be_named(voxels.filename().string());
  const auto direction = [](Vec3 step) { return vector_text((1 / norm(step)) * step); };
  const double step = SampleScale{target.type, target.low, target.high}.step();
  std::string header = "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n";
  std::optional<std::size_t> packed_bytes_at, checksum_at;
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
  if (apart) {
    header += std::string(meta_data_checksum) + " = ";
    checksum_at = header.size();
    header += std::string(data_checksum_digits, '0') + "\n";
  }
  header += "ElementType = " + meta_type_of(target.type) + "\n";
  header += "ElementDataFile = " + (apart ? voxels.filename().string() : std::string("LOCAL")) + "\n";
  return open_raw_volume(target,
                         {header, apart ? voxels : fs::path(), packed ? RawPacking::voxels_by_zlib : RawPacking::none,
                          packed_bytes_at, checksum_at});
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_metaimage() {
  return {"metaimage",
          "MetaImage",
          ".mhd .mha",
          "A text header and raw numbers, in two files (.mhd and .raw) or in one (.mha, and names with %), for ITK.",
          "It holds no pipeline: keep the record next to it.",
          tl::io::sniff_meta,
          tl::io::open_meta,
          tl::io::write_meta,
          tl::io::OutputKind::file,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_tomoloom};
}
