// Reads volumes from TIFF pages, and what ImageJ's descriptions say about them.
#include "core/io/volumes/tiff_volume.h"

#include <ATen/ATen.h>

#include <cmath>
#include <optional>

#include "core/base/text.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/keys/header_keys.h"
#include "core/io/tiff/description.h"
#include "core/io/tiff/file.h"
#include "core/io/tiff/layout.h"
#include "core/io/voxels/grid_text.h"

namespace tl::io {
namespace {

class TiffVoxels final : public StoredVoxels {
 public:
  TiffVoxels(std::vector<TiffFrame> pages, TiffPage shape, TiffFile first)
      : pages_(std::move(pages)), shape_(std::move(shape)), file_(std::move(first)), path_(pages_.front().file) {}

  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    // Strips and tiles are decompressed as a whole.
    allow_more_cpu_time(cpu_time_for(box.z.size() * shape_.rows * shape_.cols * static_cast<int64_t>(sizeof(double))));
    for (int64_t k = 0; k < box.z.size(); ++k) {
      const TiffFrame& page = pages_[static_cast<std::size_t>(box.z.begin + k)];
      if (page.file != path_) {
        TL_TRY(file_, TiffFile::open(page.file));
        path_ = page.file;
      }
      TL_TRY(const TiffPage found, page_of_frame(file_, page));
      if (!(found == shape_))
        return invalid("the slice has " + std::to_string(found.rows) + " x " + std::to_string(found.cols) +
                           " pixels of " + found.type + ", the first one " + std::to_string(shape_.rows) + " x " +
                           std::to_string(shape_.cols) + " of " + shape_.type,
                       page.file.string(), "All slices of a volume have one size and type: remove the odd one");
      const int64_t at = k * out.stride(0);
      if (out.scalar_type() == at::kInt) {
        TL_TRY(file_.read(page.page, box.y, box.x, out.data_ptr<int32_t>() + at));
      } else {
        TL_TRY(file_.read(page.page, box.y, box.x, out.data_ptr<float>() + at));
      }
    }
    return ok();
  }

 private:
  std::vector<TiffFrame> pages_;
  TiffPage shape_;
  TiffFile file_;  // of the page that was read last
  std::filesystem::path path_;
};

// Millimetres of the unit of ImageJ's calibration; nothing for pixels and unknown units.
std::optional<double> imagej_mm(const std::string& description) {
  std::string name = imagej_value(description, "unit");
  if (name == "\\u00B5m") name = "um";
  if (name == "inch") return 25.4;
  const auto unit = parse_unit(name);
  if (!unit.ok() || dimension(unit.value()) != Dimension::length) return std::nullopt;
  return to_stored(1, unit.value());
}

Result<void> check_imagej(const std::string& text, const std::string& where) {
  for (const std::string& name : imagej_keys.names()) {
    const std::string value = imagej_value(text, name);
    // yunit and zunit are those of the columns, as a rule.
    if (name.ends_with("unit") && value == imagej_value(text, "unit")) continue;
    TL_TRY(check_header_key(imagej_keys, name, value, where));
  }
  return ok();
}

struct StatedVoxel {
  Vec3 size;  // [mm]; z is 0 if it is not stated
  std::string source;
};

// The voxel size from OME's description, ImageJ's calibration or the resolution in centimetres, in this order.
std::optional<StatedVoxel> stated_voxel(const TiffStatements& stated) {
  if (const auto ome = tiff_description(stated.description).voxel) return StatedVoxel{*ome, "OME's PhysicalSize"};
  if (!(stated.pixels_per_unit_x > 0) || !(stated.pixels_per_unit_y > 0)) return std::nullopt;
  const std::string& text = stated.description;
  const auto spacing = numbers_of(imagej_value(text, "spacing"), 1);
  std::optional<double> mm = is_imagej(text) ? imagej_mm(text) : std::nullopt;
  const char* const source = mm ? "ImageJ's calibration" : "resolution in centimetres";
  if (!mm && stated.centimetre) mm = 10;
  if (!mm) return std::nullopt;
  const bool deep = spacing && spacing->front() != 0;
  return StatedVoxel{
      {*mm / stated.pixels_per_unit_x, *mm / stated.pixels_per_unit_y, deep ? *mm * std::abs(spacing->front()) : 0},
      source};
}

}  // namespace

Result<void> apply_statements(const TiffStatements& stated, int64_t pages, int64_t rows, int64_t cols,
                              StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  const std::string& text = stated.description;
  if (is_imagej(text)) TL_TRY(check_imagej(text, info.path.string()));
  const auto number = [&](const char* key) { return numbers_of(imagej_value(text, key), 1); };
  FileAxes axes = usual_axes(pages, rows, cols, {1, 1, 1});
  if (const auto g = grid_from_text(imagej_value(text, "grid_mm"), pages, rows, cols)) {
    axes = {pages, rows, cols, g->centre, g->step_z, Vec3{} - g->step_y, g->step_x};
    info.voxel_size = info.position = Origin::file;
    info.voxel_size_source = "grid_mm";
  } else if (const auto found = stated_voxel(stated)) {
    Vec3 voxel = found->size;
    if (voxel.z == 0) {
      voxel.z = voxel.x;
      if (pages > 1)
        info.notes.emplace_back(
            "The file does not state the distance between slices: the distance between columns is used.");
    }
    axes = usual_axes(pages, rows, cols, voxel);
    info.voxel_size = Origin::file;
    info.voxel_size_source = found->source;
    const auto x = number("xorigin"), y = number("yorigin"), z = number("zorigin");
    if (x && y) {
      axes.centre =
          centre_from_first(axes, {-x->front() * voxel.x, y->front() * voxel.y, z ? -z->front() * voxel.z : 0});
      info.position = Origin::file;
    }
  } else {
    guess_voxel_size(info);
  }
  set_grid(axes, volume);
  if (const auto unit = parse_unit(imagej_value(text, "vunit")); unit.ok()) info.unit = unit.value();
  const auto low = number("c0"), step = number("c1");
  if (is_imagej(text) && imagej_value(text, "cf") == "0" && low && step && step->front() != 0)
    info.scale = ValueScale{low->front(), step->front()};
  info.description = text_of_description(text);
  return ok();
}

Result<std::unique_ptr<StoredVoxels>> tiff_voxels(std::vector<TiffFrame> pages) {
  TL_TRY(TiffFile first, TiffFile::open(pages.front().file));
  TL_TRY(TiffPage shape, first.page(pages.front().page));
  TL_TRY(check_volume_sizes(static_cast<int64_t>(pages.size()), shape.rows, shape.cols, pages.front().file.string()));
  allow_memory_for(first.length());
  return std::unique_ptr<StoredVoxels>(new TiffVoxels(std::move(pages), std::move(shape), std::move(first)));
}

}  // namespace tl::io
