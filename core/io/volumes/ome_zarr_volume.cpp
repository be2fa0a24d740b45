// Opens the finest level of an image of OME-Zarr, and finds its position and scale.
#include "core/io/volumes/ome_zarr_volume.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/io/bytes/reader_limits.h"
#include "core/io/keys/header_keys.h"
#include "core/io/voxels/grid_text.h"
#include "core/io/voxels/raw_volume_writer.h"
#include "core/io/zarr/chunks.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t max_listed = 4096;  // files of a volume whose state is looked at

const char* header_name(ZarrVersion version) { return version == ZarrVersion::two ? zarr_attributes_2 : zarr_header_3; }

// The attributes of a group; an empty object for a folder that is an array.
Result<json> read_attributes(const fs::path& folder, ZarrVersion version) {
  std::error_code failed;
  const fs::path header = folder / header_name(version);
  if (version == ZarrVersion::two) {
    if (!fs::exists(header, failed)) return json(json::object());
    return read_json_object(header);
  }
  TL_TRY(const json whole, read_json_object(header));
  const json& attributes = json_member(whole, "attributes");
  return attributes.is_object() ? attributes : json(json::object());
}

// The first image; null if there is none.
const json& first_image(const json& attributes, ZarrVersion version) {
  const json& around = version == ZarrVersion::two ? attributes : json_member(attributes, "ome");
  const json& images = json_member(around, "multiscales");
  static const json none;
  return images.is_array() && !images.empty() ? images.front() : none;
}

// The folder of the finest level.
Result<fs::path> finest_level(const fs::path& folder, const json& image, ZarrVersion version) {
  const std::string header = (folder / header_name(version)).string();
  const json& levels = json_member(image, "datasets");
  const std::string name = levels.is_array() && !levels.empty() ? json_text(levels.front(), "path") : std::string();
  if (name.empty()) return invalid("the image names no array (datasets)", header, "The file is damaged: copy it again");
  std::error_code failed;
  const fs::path level = fs::weakly_canonical(folder / name, failed), root = fs::canonical(folder, failed);
  if (failed || std::mismatch(root.begin(), root.end(), level.begin(), level.end()).first != root.end())
    return invalid("the image names an array outside of its folder, \"" + name + "\"", header,
                   "Copy the array into the folder");
  return folder / name;
}

struct AxisScale {
  double step = 1, first = 0;  // in the unit of the file
  bool stated = false;
};

// Applies a list of scales and translations to the last `scales.size()` axes. Invalid: another transformation, or one
// whose numbers stand elsewhere.
Result<void> transform(const json& list, std::size_t rank, std::span<AxisScale> scales, const std::string& where) {
  if (!list.is_array()) return ok();
  for (const json& one : list) {
    const std::string type = json_text(one, "type");
    if (type == "identity") continue;
    const json& numbers = json_member(one, type.c_str());
    bool fits = (type == "scale" || type == "translation") && numbers.is_array() && numbers.size() == rank;
    for (const json& n : numbers) fits = fits && n.is_number() && std::isfinite(n.get<double>());
    if (!fits)
      return invalid("the image is placed by a \"" + type + "\" that cannot be read (coordinateTransformations)", where,
                     "Scales and translations with a number for each axis can be read");
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const auto value = numbers[rank - scales.size() + i].get<double>();
      if (type == "scale") {
        scales[i].step *= value;
        scales[i].first *= value;
        scales[i].stated = true;
      } else {
        scales[i].first += value;
      }
    }
  }
  return ok();
}

bool has_translation(const json& list) {
  return list.is_array() &&
         std::any_of(list.begin(), list.end(), [](const json& one) { return json_text(one, "type") == "translation"; });
}

// Millimetres of the units of the last axes, by their names in UDUNITS; nothing if one has none.
std::optional<std::array<double, 3>> axis_units(const json& axes, std::size_t rank) {
  std::array<double, 3> mm{1, 1, 1};
  if (!axes.is_array() || axes.size() != rank || rank < 2) return std::nullopt;
  for (std::size_t i = rank == 2 ? 1 : 0; i < 3; ++i) {
    const std::string name = json_text(axes[rank + i - 3], "unit");
    const auto unit = parse_unit(name);
    if (name == "angstrom")
      mm[i] = 1e-7;
    else if (unit.ok() && dimension(unit.value()) == Dimension::length)
      mm[i] = to_stored(1, unit.value());
    else
      return std::nullopt;
  }
  if (rank == 2) mm[0] = mm[2];
  return mm;
}

Result<void> check_axes(const json& axes, std::size_t rank, const std::string& where) {
  if (axes.is_null()) return ok();
  if (!axes.is_array() || axes.size() != rank)
    return invalid("the image does not name " + std::to_string(rank) + " axes", where,
                   "The file is damaged: copy it again");
  const std::array<std::string_view, 3> names = {"z", "y", "x"};
  for (std::size_t i = rank == 2 ? 1 : 0; i < 3; ++i)
    if (const std::string name = json_text(axes[rank + i - 3], "name"); name != names[i])
      return unavailable("the last axes of the image are not z, y, x: there is \"" + name + "\"", where,
                         "Write it in the order z, y, x");
  return ok();
}

// A plain array whose axes have other names may mean anything, but not one that says x, y, z.
Result<void> check_order(const std::vector<std::string>& axes, const std::string& where) {
  const auto at = [&](const char* name) { return std::find(axes.begin(), axes.end(), name) - axes.begin(); };
  const auto last = static_cast<std::ptrdiff_t>(axes.size());
  if (at("x") == last || at("y") == last || (at("y") < at("x") && (at("z") == last || at("z") < at("y")))) return ok();
  return unavailable("the axes of the array are not in the order z, y, x (dimension_names)", where,
                     "Write it in the order z, y, x");
}

Result<void> place_ome(const json& image, const ZarrArray& array, const json& ours, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  const std::size_t rank = array.shape.size();
  const int64_t pages = rank > 2 ? array.shape[rank - 3] : 1, rows = array.shape[rank - 2],
                cols = array.shape[rank - 1];
  FileAxes axes = usual_axes(pages, rows, cols, {1, 1, 1});
  if (const auto g = grid_from_text(json_text(ours, zarr_grid), pages, rows, cols)) {
    axes = {pages, rows, cols, g->centre, g->step_z, Vec3{} - g->step_y, g->step_x};
    info.voxel_size = info.position = Origin::file;
    info.voxel_size_source = zarr_grid;
    set_grid(axes, volume);
    return ok();
  }
  std::array<AxisScale, 3> scales;
  const std::span<AxisScale> used(scales.begin() + (rank == 2 ? 1 : 0), scales.end());
  const json &levels = json_member(image, "datasets"), &of_image = json_member(image, "coordinateTransformations");
  const json& of_level = levels.is_array() && !levels.empty() ? json_member(levels.front(), "coordinateTransformations")
                                                              : json_member({}, "");
  TL_TRY(transform(of_level, rank, used, info.path.string()));
  TL_TRY(transform(of_image, rank, used, info.path.string()));
  if (rank == 2) scales[0] = {scales[2].step, 0, scales[2].stated};
  const auto mm = axis_units(json_member(image, "axes"), rank);
  const auto sound = [](const AxisScale& p) { return p.stated && p.step > 0 && std::isfinite(p.step); };
  if (!mm || !sound(scales[0]) || !sound(scales[1]) || !sound(scales[2])) {
    guess_voxel_size(info);
    set_grid(axes, volume);
    return ok();
  }
  axes =
      usual_axes(pages, rows, cols, {(*mm)[2] * scales[2].step, (*mm)[1] * scales[1].step, (*mm)[0] * scales[0].step});
  info.voxel_size = Origin::file;
  info.voxel_size_source = "coordinateTransformations";
  if (has_translation(of_level) || has_translation(of_image)) {
    axes.centre =
        centre_from_first(axes, {(*mm)[2] * scales[2].first, -(*mm)[1] * scales[1].first, (*mm)[0] * scales[0].first});
    info.position = Origin::file;
  }
  set_grid(axes, volume);
  return ok();
}

// What lies in the folder of an array.
struct FoundChunks {
  int64_t there = 0;    // chunks
  std::string strange;  // a file that is named like a chunk, but does not belong to this array
};
FoundChunks count_chunks(const ZarrArray& array, const std::vector<fs::path>& files) {
  FoundChunks found;
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(array.folder).string();
    if (array.has_chunk(name))
      ++found.there;
    else if (name.find_first_not_of("0123456789./c") == std::string::npos && found.strange.empty())
      found.strange = name;
  }
  return found;
}

// Absent chunks have the fill value. Refuses a header that leads to wrong names of chunks, so that all seem absent.
// `files`: those of the folder, at most `max_listed`.
Result<void> check_chunks(const ZarrArray& array, const std::vector<fs::path>& files, std::vector<std::string>& notes) {
  const bool all_files = files.size() < max_listed;
  const FoundChunks found = count_chunks(array, files);
  const std::string first = array.chunk_name(std::vector<int64_t>(array.shape.size(), 0));
  if (found.there == 0 && !found.strange.empty())
    return invalid("none of its " + std::to_string(array.chunks()) + " chunks is where the header says (" + first +
                       "), but there is " + found.strange,
                   array.folder.string(),
                   array.version == ZarrVersion::two ? "Correct dimension_separator in .zarray"
                                                     : "Correct chunk_key_encoding in zarr.json");
  const int64_t absent = array.chunks() - found.there;
  if (all_files && absent == 0) return ok();
  const std::string which =
      all_files ? std::to_string(absent) + " of " + std::to_string(array.chunks()) + " chunks are absent and"
                : std::string("If chunks are absent, they");
  if (!array.fill)
    notes.push_back(which + " are read as 0: the array states no value for them (fill_value is null).");
  else if (all_files)
    notes.push_back(which + " are read as " + number_text(*array.fill) + " (fill_value).");
  return ok();
}

// The files of the volume, as far as it has few: their state is looked at while it is read. Notes what is not known of
// them.
Result<void> list_files(const fs::path& folder, const ZarrArray& array, AbsentChunk absent, StoredVolume& volume) {
  std::vector<fs::path> chunks;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(array.folder, failed), end;
       !failed && it != end && chunks.size() < max_listed; it.increment(failed))
    if (it->is_regular_file(failed)) chunks.push_back(it->path());
  if (chunks.size() == max_listed)
    volume.info.notes.push_back("The volume has " + std::to_string(max_listed) +
                                " files or more: changes in the other files during reading are not detected.");
  if (absent == AbsentChunk::fill_value) TL_TRY(check_chunks(array, chunks, volume.info.notes));
  std::sort(chunks.begin(), chunks.end());
  if (const fs::path header = folder / header_name(array.version); fs::exists(header, failed) && folder != array.folder)
    chunks.insert(chunks.begin(), header);
  int64_t bytes = 0;
  for (const fs::path& file : chunks) {
    volume.files.push_back({file, stamp_of(file)});
    if (volume.files.back().stamp) bytes += volume.files.back().stamp->size;
  }
  allow_memory_for(bytes);
  return ok();
}

Error no_image(const fs::path& path) {
  std::error_code failed;
  for (const char* inner : {"0", "1"})
    if (fs::exists(path / inner / zarr_attributes_2, failed) || fs::exists(path / inner / zarr_array_2, failed) ||
        fs::exists(path / inner / zarr_header_3, failed))
      return invalid("the group holds no image itself", path.string(),
                     "Open an image in it, for example " + (path / inner).string());
  return invalid("the group holds no image (multiscales)", path.string(), "Open a folder that holds one");
}

}  // namespace

int sniff_ome_zarr(const fs::path& path, ZarrVersion version) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return 0;
  const auto has = [&](const char* name) { return fs::is_regular_file(path / name, failed); };
  if (version == ZarrVersion::three) return has(zarr_header_3) ? 95 : 0;
  return has(zarr_attributes_2) || has(zarr_group_2) || has(zarr_array_2) ? 90 : 0;
}

Result<StoredVolume> open_ome_zarr(const fs::path& path, ZarrVersion version) {
  if (sniff_ome_zarr(path, version) == 0)
    return invalid(std::string("the folder holds nothing of Zarr ") + (version == ZarrVersion::two ? "2" : "3"),
                   path.string(), "Choose another format, or detect it");
  TL_TRY(const json attributes, read_attributes(path, version));
  const json &image = first_image(attributes, version), &ours = json_member(attributes, zarr_statements);
  std::error_code failed;
  fs::path level = path;
  if (!image.is_null()) {
    TL_TRY(level, finest_level(path, image, version));
  } else if (version == ZarrVersion::two && !fs::exists(path / zarr_array_2, failed)) {
    return no_image(path);
  } else if (version == ZarrVersion::three) {
    TL_TRY(const json header, read_json_object(path / zarr_header_3));
    if (json_text(header, "node_type") != "array") return no_image(path);
  }
  TL_TRY(ZarrArray array, read_zarr_array(level));
  const std::size_t rank = array.shape.size();
  bool one_volume = rank > 1;
  for (std::size_t i = 0; i + 3 < rank; ++i) one_volume = one_volume && array.shape[i] == 1;
  if (!one_volume)
    return invalid(rank < 2 ? "the array has one axis" : "the image has several channels or times", level.string(),
                   "Save one volume a folder");
  TL_TRY(check_axes(json_member(image, "axes"), rank, path.string()));
  if (image.is_null()) TL_TRY(check_order(array.axes, path.string()));
  TL_TRY(check_volume_sizes(rank > 2 ? array.shape[rank - 3] : 1, array.shape[rank - 2], array.shape[rank - 1],
                            level.string()));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = version == ZarrVersion::two ? "ome_zarr" : "ome_zarr_05";
  info.voxel_type = array.type;
  TL_TRY(check_header_keys(ome_image_keys, json_texts(image), path.string(), info.notes));
  TL_TRY(place_ome(image, array, ours, volume));
  if (const auto unit = parse_unit(json_text(ours, zarr_unit)); unit.ok()) info.unit = unit.value();
  const auto low = json_number(ours, zarr_offset), step = json_number(ours, zarr_step);
  if (low && step && *step != 0) info.scale = ValueScale{*low, *step};
  info.description = json_text(ours, zarr_record);
  const AbsentChunk absent = ours.is_object() ? AbsentChunk::damage : AbsentChunk::fill_value;
  TL_TRY(list_files(path, array, absent, volume));
  const fs::path root = fs::canonical(path, failed);
  volume.voxels = std::make_unique<ZarrChunks>(std::move(array), root, absent);
  return volume;
}

}  // namespace tl::io
