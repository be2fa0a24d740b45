// Determines the positions in space of a file's voxels, and provides its slices as the views of a scan.
#include "core/io/voxels/stored_volume.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/io/bytes/reader_limits.h"

namespace tl::io {
namespace {

double largest_component(Vec3 v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return x >= y && x >= z ? v.x : y >= z ? v.y : v.z;
}

// Reverses a step that points against its main axis.
AxisOrder turned_forward(Vec3& step) {
  if (largest_component(step) >= 0) return AxisOrder::ascending;
  step = Vec3{} - step;  // not -1 * step, which would make negative zeros
  return AxisOrder::descending;
}

Range range_in_file(Range r, int64_t length, AxisOrder order) {
  return order == AxisOrder::ascending ? r : Range{length - r.end, length - r.begin};
}

class VolumeSlices final : public ScanReader {
 public:
  explicit VolumeSlices(StoredVolume volume)
      : volume_(std::move(volume)), inputs_(std::make_shared<InputFiles>(volume_.info.path, volume_.files)) {
    const VolumeFileInfo& v = volume_.info;
    info_.path = v.path;
    info_.format = v.format;
    info_.pixel_type = v.voxel_type;
    info_.views = v.grid.nz;
    info_.rows = v.grid.ny;
    info_.cols = v.grid.nx;
    info_.angles.value.assign(static_cast<std::size_t>(v.grid.nz), 0.0);
  }

  [[nodiscard]] const ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const VolumeGrid& g = volume_.info.grid;
    const std::string where = volume_.info.path.string();
    if (region.kind != Frames::views || !Range({0, g.nz}).contains(region.frames) ||
        !Range({0, g.ny}).contains(region.rows) || !Range({0, g.nx}).contains(region.cols))
      return invalid("the requested voxels lie outside the volume", where);
    const bool whole = out.scalar_type() == at::kInt;
    if (whole && volume_.info.scale && *volume_.info.scale != ValueScale{})
      return unavailable("its integers are scaled: they are values", where);
    if (!whole && out.scalar_type() != at::kFloat)
      return unavailable("the voxels of volumes are read as float32 or int32", where);
    if (out.numel() == 0) return ok();
    TL_TRY(volume_.voxels->read(
        {range_in_file(region.frames, g.nz, volume_.pages), range_in_file(region.rows, g.ny, volume_.rows),
         range_in_file(region.cols, g.nx, volume_.cols)},
        out));
    allow_more_cpu_time(cpu_time_for(out.numel()));
    reverse(out);
    if (!whole && volume_.info.scale) to_values(out, *volume_.info.scale);
    return ok();
  }

 private:
  // Converts from the voxel order of the file to that of the grid.
  void reverse(const at::Tensor& out) const {
    const int64_t pages = out.size(0), rows = out.size(1), cols = out.size(2), step = out.stride(0);
    static_assert(sizeof(float) == sizeof(int32_t), "floats and integers are copied by the same code");
    auto* const data = static_cast<int32_t*>(out.data_ptr());
    for (int64_t k = 0; k < pages; ++k) {
      int32_t* const page = data + k * step;
      for (int64_t r = 0; volume_.rows == AxisOrder::descending && r < rows / 2; ++r)
        std::swap_ranges(page + r * cols, page + (r + 1) * cols, page + (rows - 1 - r) * cols);
      for (int64_t r = 0; volume_.cols == AxisOrder::descending && r < rows; ++r)
        std::reverse(page + r * cols, page + (r + 1) * cols);
    }
    for (int64_t k = 0; volume_.pages == AxisOrder::descending && k < pages / 2; ++k)
      std::swap_ranges(data + k * step, data + k * step + rows * cols, data + (pages - 1 - k) * step);
  }
  static void to_values(const at::Tensor& out, const ValueScale& scale) {
    const int64_t page = out.size(1) * out.size(2);
    for (int64_t k = 0; k < out.size(0); ++k) {
      float* const data = out.data_ptr<float>() + k * out.stride(0);
      for (int64_t i = 0; i < page; ++i)
        data[i] = static_cast<float>(scale.low + scale.step * static_cast<double>(data[i]));
    }
  }

  StoredVolume volume_;
  std::shared_ptr<InputFiles> inputs_;
  ScanInfo info_;
};

}  // namespace

FileAxes usual_axes(int64_t pages, int64_t rows, int64_t cols, Vec3 voxel, Vec3 centre) {
  return {pages, rows, cols, centre, {0, 0, voxel.z}, {0, -voxel.y, 0}, {voxel.x, 0, 0}};
}

Vec3 centre_from_first(const FileAxes& axes, Vec3 first) {
  const auto half = [](int64_t n) { return 0.5 * static_cast<double>(n - 1); };
  return first + half(axes.pages) * axes.page_step + half(axes.rows) * axes.row_step + half(axes.cols) * axes.col_step;
}

void set_grid(const FileAxes& axes, StoredVolume& volume) {
  VolumeGrid& g = volume.info.grid;
  g = {axes.pages, axes.rows, axes.cols, axes.centre, axes.col_step, axes.row_step, axes.page_step};
  volume.cols = turned_forward(g.step_x);
  volume.rows = turned_forward(g.step_y);
  volume.pages = turned_forward(g.step_z);
}

void guess_voxel_size(VolumeFileInfo& info) {
  info.voxel_size = Origin::guessed;
  info.voxel_size_source = "default: 1 mm";
  info.notes.emplace_back("The file states no voxel size: 1 mm is assumed, so lengths are in voxels.");
}

Result<void> check_volume_sizes(int64_t pages, int64_t rows, int64_t cols, const std::string& where) {
  constexpr int64_t max_pages = 1 << 24, most_voxels = int64_t{1} << 31;
  const std::string shape = std::to_string(pages) + " x " + std::to_string(rows) + " x " + std::to_string(cols);
  if (pages < 1 || rows < 1 || cols < 1)
    return invalid("a volume of " + shape + " voxels is empty", where, "Nothing was written, or the file is damaged");
  if (pages > max_pages || rows > most_voxels / cols)
    return invalid("a volume of " + shape + " voxels is larger than can be read", where,
                   "The file is probably damaged");
  return ok();
}

Result<std::unique_ptr<ScanReader>> slices_as_views(StoredVolume volume) {
  const VolumeFileInfo& info = volume.info;
  TL_TRY(check_volume_sizes(info.grid.nz, info.grid.ny, info.grid.nx, info.path.string()));
  if (const Result<void> valid = info.grid.validate(); !valid.ok()) {
    Error error = valid.error();
    error.where = info.path.string();
    error.hint = "Only volumes with orthogonal axes can be read";
    return error;
  }
  return std::unique_ptr<ScanReader>(std::make_unique<VolumeSlices>(std::move(volume)));
}

}  // namespace tl::io
