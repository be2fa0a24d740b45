// A folder of one TIFF per slice, in the natural order of their names, with or without scale.json.
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/io/output/stack_folder.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/numbered_frames.h"
#include "core/io/tiff/description.h"
#include "core/io/tiff/file.h"
#include "core/io/tiff/layout.h"
#include "core/io/volumes/format.h"
#include "core/io/volumes/tiff_volume.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

int sniff_slices(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed) && has_tiff_files(path) ? 60 : 0;
}

// scale.json, where the slices do not say the same: their descriptions may have been lost in another program.
void apply_scale_file(const nlohmann::json& scale, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  const auto number = [&](const char* key) {
    const auto found = scale.find(key);
    return found != scale.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
  };
  const auto offset = number("offset"), step = number("scale");
  if (offset && step && std::isfinite(*offset) && std::isfinite(*step) && *step != 0)
    info.scale = ValueScale{*offset, *step};
  if (const auto found = scale.find("unit"); found != scale.end() && found->is_string())
    if (const auto unit = parse_unit(found->get<std::string>()); unit.ok()) info.unit = unit.value();
  const auto voxel = scale.find("voxel_um");
  const bool three = voxel != scale.end() && voxel->is_array() && voxel->size() == 3 &&
                     std::all_of(voxel->begin(), voxel->end(), [](const auto& v) { return v.is_number(); });
  if (info.voxel_size == Origin::file || !three) return;
  const auto mm = [&](std::size_t i) { return 1e-3 * (*voxel)[i].template get<double>(); };
  const Vec3 size{mm(0), mm(1), mm(2)};
  if (!(size.x > 0) || !(size.y > 0) || !(size.z > 0)) return;
  const VolumeGrid& g = info.grid;
  info.notes.pop_back();  // about the missing voxel size
  info.voxel_size = Origin::file;
  info.voxel_size_source = scale_file;
  set_grid(usual_axes(g.nz, g.ny, g.nx, size), volume);
}

Result<void> read_scale_file(const fs::path& folder, StoredVolume& volume) {
  constexpr std::streamsize longest = 1 << 16;
  const fs::path file = folder / scale_file;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return ok();
  std::string text(longest, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), longest);
  text.resize(static_cast<std::size_t>(in.gcount()));
  const auto scale = nlohmann::json::parse(text, nullptr, false);
  if (!scale.is_object())
    return invalid("the scale of the slices is not a JSON object", file.string(),
                   "Restore the file, or remove it to read the stored integers");
  if (scale.value("format", nlohmann::json()) != "tomoloom-scale") return ok();
  apply_scale_file(scale, volume);
  volume.files.push_back({file, stamp_of(file)});
  return ok();
}

// Folders of ours state how many slices they have; of older ones the numbers in the names say it, but for the end. In
// folders of others gaps may be meant.
Result<void> check_all_are_there(const fs::path& folder, const std::vector<fs::path>& files, const std::string& text,
                                 std::vector<std::string>& notes) {
  const auto there = static_cast<int64_t>(files.size());
  const auto numbers = numbered_frames(files);
  const std::string missing = numbers && numbers->count_missing() > 0 ? numbers->missing : std::string();
  const char* hint = "Copy the missing slices, or write the part that you want as a volume of its own";
  if (const auto all = integers_of(imagej_value(text, slices_of_stack), 1)) {
    if (all->front() == there) return ok();
    return invalid("the folder holds " + std::to_string(there) + " TIFF files, but " + std::to_string(all->front()) +
                       " slices were written" + (missing.empty() ? "" : ": the numbers leave out " + missing),
                   folder.string(), there < all->front() ? hint : "Move the other files out of the folder");
  }
  const bool ours = is_imagej(text) && !imagej_value(text, "grid_mm").empty();
  if (ours && numbers && (!missing.empty() || numbers->first > 0))
    return invalid("slices are missing" + (missing.empty() ? "" : ": the numbers leave out " + missing),
                   folder.string(), hint);
  if (!missing.empty()) notes.push_back(missing_frames_note(*numbers, "slices"));
  return ok();
}

Result<StoredVolume> open_slices(const fs::path& path, const VolumeAccess& /*access*/) {
  const std::vector<fs::path> files = tiff_files(path);
  if (files.empty()) return invalid("the folder holds no TIFF slices", path.string(), "Slices end in .tif or .tiff");
  TL_TRY(TiffFile first, TiffFile::open(files.front()));
  TL_TRY(const TiffPage page, first.page(0));
  const TiffResolution resolution = first.resolution();
  StoredVolume volume;
  TL_TRY(check_all_are_there(path, files, first.description(), volume.info.notes));
  volume.info.path = path;
  volume.info.format = "tiff_stack";
  volume.info.voxel_type = page.type;
  TL_TRY(std::vector<TiffFrame> slices, tiff_frames(files));
  const auto pages = static_cast<int64_t>(slices.size());
  for (const fs::path& file : files) volume.files.push_back({file, stamp_of(file)});
  TL_TRY(volume.voxels, tiff_voxels(std::move(slices)));
  TL_TRY(apply_statements({first.description(), resolution.x, resolution.y, resolution.centimetre}, pages, page.rows,
                          page.cols, volume));
  TL_TRY(read_scale_file(path, volume));
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_tiff_stack() {
  return {"tiff_stack",
          "Folder of TIFFs",
          "",
          "One TIFF per slice, with scale.json for integers; any folder of slices with names in order can be read.",
          "",
          tl::io::sniff_slices,
          tl::io::open_slices,
          tl::io::open_tiff_stack,
          tl::io::OutputKind::folder,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_imagej};
}
