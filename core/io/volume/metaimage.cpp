// MetaImage: a text header (.mhd) that names a file of raw numbers, or both in one file (.mha).
#include "core/io/header_text.h"
#include "core/io/samples.h"
#include "core/io/volume/format.h"
#include "core/io/volume/meta_header.h"
#include "core/io/volume/raw_volume_writer.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

std::string meta_type_of(SampleType type) {
  return type == SampleType::float32 ? "MET_FLOAT" : type == SampleType::uint16 ? "MET_USHORT" : "MET_UCHAR";
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
