// NXtomoproc: volumes in HDF5, as Tomoloom and nabu write them.
#include <ATen/ATen.h>
#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

#include "core/io/hdf5/file.h"
#include "core/io/hdf5/nexus_file.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/grid_text.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr const char *result_data = "/reconstruction/results/data", *plot_data = "/data/data",
                     *record_text = "/reconstruction/record", *grid_attribute = "grid_mm";

class Hdf5Voxels final : public StoredVoxels {
 public:
  Hdf5Voxels(Hdf5File file, Hdf5Dataset data) : file_(std::move(file)), data_(std::move(data)) {}
  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    std::vector<int64_t> pages(static_cast<std::size_t>(box.z.size()));
    std::iota(pages.begin(), pages.end(), box.z.begin);
    return data_.read_frames(pages, box.y, box.x, out);
  }
  [[nodiscard]] const Hdf5File& file() const { return file_; }

 private:
  Hdf5File file_;  // outlives the dataset
  Hdf5Dataset data_;
};

// The entries that hold a volume, with the path of its voxels.
std::vector<std::pair<std::string, std::string>> volumes_in(const Hdf5File& file) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const std::string& name : file.children("/")) {
    const std::string entry = "/" + name;
    if (file.has_dataset(entry + result_data))
      found.emplace_back(entry, entry + result_data);
    else if (file.text(entry + "/definition") == "NXtomoproc" && file.has_dataset(entry + plot_data))
      found.emplace_back(entry, entry + plot_data);
  }
  return found;
}

struct AxisValues {
  double first = 0, step = 0;  // [mm]
};
// Equidistant positions along one axis of the volume; nothing unless the file has two or more of them.
std::optional<AxisValues> axis_values(const Hdf5File& file, const std::string& name, int64_t count) {
  constexpr double uneven = 1e-3;  // of a step
  if (count < 2 || !file.has_dataset(name)) return std::nullopt;
  const auto data = file.dataset(name);
  if (!data.ok()) return std::nullopt;
  const auto unit = parse_unit(data.value().attribute("units").value_or("mm"));
  auto values = data.value().read_all();
  if (!unit.ok() || dimension(unit.value()) != Dimension::length || !values.ok() ||
      static_cast<int64_t>(values.value().size()) != count)
    return std::nullopt;
  const std::vector<double>& v = values.value();
  const double step = (v.back() - v.front()) / static_cast<double>(count - 1);
  for (int64_t i = 0; i < count; ++i)
    if (!(std::abs(v[static_cast<std::size_t>(i)] - v.front() - static_cast<double>(i) * step) <=
          uneven * std::abs(step)))
      return std::nullopt;
  if (step == 0 || !std::isfinite(step)) return std::nullopt;
  return AxisValues{to_stored(v.front(), unit.value()), to_stored(step, unit.value())};
}

void place_nxtomoproc(const Hdf5File& file, const std::string& entry, const Hdf5Dataset& data, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  const int64_t pages = data.shape()[0], rows = data.shape()[1], cols = data.shape()[2];
  FileAxes axes = usual_axes(pages, rows, cols, {1, 1, 1});
  if (const auto g = grid_from_text(data.attribute(grid_attribute).value_or(""), pages, rows, cols)) {
    axes = {pages, rows, cols, g->centre, g->step_z, Vec3{} - g->step_y, g->step_x};
    info.voxel_size = info.position = Origin::file;
    info.voxel_size_source = grid_attribute;
  } else {
    const auto x = axis_values(file, entry + "/data/x", cols), y = axis_values(file, entry + "/data/y", rows),
               z = axis_values(file, entry + "/data/z", pages);
    if (x && y && z) {
      axes.col_step = {x->step, 0, 0};
      axes.row_step = {0, y->step, 0};
      axes.page_step = {0, 0, z->step};
      axes.centre = centre_from_first(axes, {x->first, y->first, z->first});
      info.voxel_size = info.position = Origin::file;
      info.voxel_size_source = entry + "/data/x, y, z";
    } else {
      guess_voxel_size(info);
    }
  }
  set_grid(axes, volume);
}

int sniff_nxtomoproc(const fs::path& path) { return Hdf5File::is_hdf5(path) ? 60 : 0; }

Result<StoredVolume> open_nxtomoproc(const fs::path& path, const VolumeAccess& access) {
  TL_TRY(Hdf5File file, Hdf5File::open(path, access.sources));
  const auto found = volumes_in(file);
  if (found.empty())
    return invalid("the HDF5 file holds no volume", path.string(),
                   "Looked for ENTRY/reconstruction/results/data, and for entries of the definition NXtomoproc");
  const auto& [entry, name] = found.front();
  TL_TRY(Hdf5Dataset data, file.dataset(name));
  if (data.shape().size() != 3)
    return invalid("a volume needs rank 3, not rank " + std::to_string(data.shape().size()), data.where(),
                   "Save one volume an entry");
  TL_TRY(check_volume_sizes(data.shape()[0], data.shape()[1], data.shape()[2], data.where()));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "nxtomoproc";
  info.voxel_type = data.type();
  if (found.size() > 1)
    info.notes.push_back("The file holds " + std::to_string(found.size()) + " volumes: that of " + entry + " is read.");
  place_nxtomoproc(file, entry, data, volume);
  if (const auto unit = parse_unit(data.attribute("units").value_or("")); unit.ok()) info.unit = unit.value();
  const auto low = data.attribute_number("offset"), step = data.attribute_number("scaling");
  if (step && std::isfinite(*step) && std::isfinite(low.value_or(0)) && (*step != 1 || low.value_or(0) != 0))
    info.scale = ValueScale{low.value_or(0), *step};
  info.description = file.text(entry + record_text).value_or("");
  if (data.written() < 1) info.notes.emplace_back("Not all voxels were ever written: reading the others is an error.");
  volume.files = file.sources().opened();
  volume.voxels = std::make_unique<Hdf5Voxels>(std::move(file), std::move(data));
  return volume;
}

std::string now_as_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Error not_written(const fs::path& name, const std::string& problem) {
  return io_error("the volume cannot be written", name.string(),
                  "Check that the disk has room and the folder may be written to (HDF5 says: " + problem + ")");
}

class NxtomoprocWriter final : public VolumeWriter {
 public:
  NxtomoprocWriter(OutputFile output, const VolumeTarget& target)
      : VolumeWriter(target.grid),
        output_(std::move(output)),
        grid_(target.grid),
        scale_{target.type, target.low, target.high} {
    const std::lock_guard lock(hdf5_mutex());
    file_ = std::make_unique<NexusFile>(output_.part_path());
    write_metadata(target);
  }
  ~NxtomoprocWriter() override {
    const std::lock_guard lock(hdf5_mutex());
    file_.reset();
  }

 private:
  [[nodiscard]] int file_in_progress() const override { return output_.handle(); }
  Result<void> write_slice(const at::Tensor& slice) override {
    encode_slice(slice, scale_, samples_);
    const std::lock_guard lock(hdf5_mutex());
    file_->fill_frame(next(), samples_);
    return file_->problem() ? Result<void>(not_written(output_.name(), *file_->problem())) : ok();
  }

  Result<OutputFile> complete() override {
    const std::lock_guard lock(hdf5_mutex());
    const auto problem = file_->finish();
    file_.reset();
    if (problem) return not_written(output_.name(), *problem);
    return std::move(output_);
  }

  void write_metadata(const VolumeTarget& target) {
    const std::string entry = "/entry", process = entry + "/reconstruction";
    file_->root_attribute("default", "entry");
    file_->group(entry, "NXentry");
    file_->object_attribute(entry, "default", "data");
    file_->text(entry + "/definition", "NXtomoproc");
    file_->group(process, "NXprocess");
    file_->text(process + "/program", "Tomoloom");
    file_->text(process + "/date", now_as_text());
    if (!target.description.empty()) file_->text(entry + record_text, target.description);
    file_->group(entry + "/data", "NXdata");
    file_->object_attribute(entry + "/data", "signal", "data");
    file_->empty_block(entry + plot_data, {grid_.nz, grid_.ny, grid_.nx},
                       target.type == SampleType::float32  ? H5T_IEEE_F32LE
                       : target.type == SampleType::uint16 ? H5T_STD_U16LE
                       : target.type == SampleType::int32  ? H5T_STD_I32LE
                                                           : H5T_STD_U8LE,
                       target.compression);
    if (target.unit != Unit::none) file_->block_attribute("units", std::string(symbol(target.unit)));
    if (target.type != SampleType::float32) {
      file_->block_attribute("transform", "value = offset + scaling * stored");
      file_->block_attribute("offset", target.low);
      file_->block_attribute("scaling", scale_.step());
    }
    file_->block_attribute("axes", std::string(volume_axes));
    file_->block_attribute(grid_attribute, grid_text(grid_));
    if (grid_.is_axis_aligned()) write_axes(entry + "/data");
    file_->group(process + "/results", "NXdata");
    file_->link(entry + plot_data, entry + result_data);
  }
  // The positions of columns, rows and pages along x, y, z.
  void write_axes(const std::string& group) {
    std::vector<double> x, y, z;
    for (int64_t i = 0; i < grid_.nx; ++i) x.push_back(grid_.position(0, 0, static_cast<double>(i)).x);
    for (int64_t j = grid_.ny - 1; j >= 0; --j) y.push_back(grid_.position(0, static_cast<double>(j), 0).y);
    for (int64_t k = 0; k < grid_.nz; ++k) z.push_back(grid_.position(static_cast<double>(k), 0, 0).z);
    file_->numbers(group + "/x", H5T_NATIVE_DOUBLE, x, "mm");
    file_->numbers(group + "/y", H5T_NATIVE_DOUBLE, y, "mm");
    file_->numbers(group + "/z", H5T_NATIVE_DOUBLE, z, "mm");
  }

  OutputFile output_;
  std::unique_ptr<NexusFile> file_;
  VolumeGrid grid_;
  SampleScale scale_;
  std::vector<std::byte> samples_;  // of the slice that is written
};

Result<std::unique_ptr<VolumeWriter>> write_nxtomoproc(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  TL_TRY(check_scale({target.type, target.low, target.high}, target.path.string()));
  TL_TRY(OutputFile output, OutputFile::create(target.path, target.rules));
  // Reserves the disk space, before HDF5 could find the disk full halfway.
  const int64_t rest = (1 << 16) + static_cast<int64_t>(target.description.size()) +
                       8 * (target.grid.nx + target.grid.ny + target.grid.nz);
  // Compression may add some bytes, and an index of the chunks.
  const int64_t samples = target.grid.count() * bytes_per_sample(target.type),
                chunks = target.compression == Compression::none ? 0 : samples / 1000 + 512 * target.grid.nz;
  const int64_t bytes = samples + chunks + rest;
  if (fallocate(output.handle(), 0, 0, bytes) != 0 && errno != EOPNOTSUPP && errno != ENOSYS && errno != ENODEV)
    return system_error("the output of " + std::to_string(bytes) + " bytes cannot be written", output.name(), errno);
  return std::unique_ptr<VolumeWriter>(std::make_unique<NxtomoprocWriter>(std::move(output), target));
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_nxtomoproc() {
  return {"nxtomoproc",
          "HDF5 (NXtomoproc)",
          ".h5 .hdf5 .hdf .nx .nxs",
          "A NeXus file with positions along x, y, z and the pipeline; also volumes that nabu wrote.",
          "",
          tl::io::sniff_nxtomoproc,
          tl::io::open_nxtomoproc,
          tl::io::write_nxtomoproc,
          tl::io::OutputKind::file,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_tomoloom};
}
