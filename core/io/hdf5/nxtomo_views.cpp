// Writes views into an NXtomo file while they are computed.
#include <ATen/ATen.h>
#include <fcntl.h>

#include <cerrno>

#include "core/base/units.h"
#include "core/io/hdf5/nexus_file.h"
#include "core/io/hdf5/nxtomo_file.h"
#include "core/io/output/views_writer.h"

namespace tl::io {
namespace {

Error hdf5_failed(const std::filesystem::path& name, const std::string& problem) {
  return io_error("the views cannot be written", name.string(),
                  "Check that the disk has room and the folder may be written to (HDF5 says: " + problem + ")");
}

class NxtomoViews final : public ViewsWriter {
 public:
  NxtomoViews(OutputFile output, const ViewsTarget& target, const Orbit& orbit)
      : output_(std::move(output)), left_(target.geometry.views() * pixels_of(target.geometry)) {
    const std::lock_guard lock(hdf5_mutex());
    file_ = std::make_unique<NexusFile>(output_.part_path());
    std::vector<double> degrees;
    for (const double angle : orbit.angles) degrees.push_back(from_stored(angle, Unit::deg));
    write_nxtomo_metadata(*file_,
                          {target.geometry, orbit, target.energy_kev,
                           std::vector<int32_t>(static_cast<std::size_t>(target.geometry.views()), 0), degrees});
    const DetectorShape& d = target.geometry.detector();
    file_->empty_frames(nxtomo_frames, {target.geometry.views(), d.rows, d.cols}, std::string(to_string(target.kind)));
  }
  NxtomoViews(const NxtomoViews&) = delete;
  NxtomoViews& operator=(const NxtomoViews&) = delete;
  ~NxtomoViews() override {
    const std::lock_guard lock(hdf5_mutex());
    file_.reset();
  }

  static int64_t pixels_of(const ScanGeometry& g) { return g.detector().rows * g.detector().cols; }

  Result<void> write(const ScanRegion& region, const at::Tensor& views) override {
    TL_CHECK(views.dim() == 3 && views.size(0) == region.views.size() && views.size(1) == region.rows.size() &&
                 views.size(2) == region.cols.size(),
             "views have the shape of their region");
    const at::Tensor plain = views.to(at::kCPU, at::kFloat).contiguous();
    const std::lock_guard lock(hdf5_mutex());
    file_->fill(region, plain);
    left_ -= plain.numel();
    if (file_->problem()) return hdf5_failed(output_.name(), *file_->problem());
    return ok();
  }

  Result<OutputFile> finish() override {
    TL_CHECK(left_ == 0, "finish() before the last region");
    const std::lock_guard lock(hdf5_mutex());
    const auto problem = file_->finish();
    file_.reset();
    if (problem) return hdf5_failed(output_.name(), *problem);
    return std::move(output_);
  }

 private:
  OutputFile output_;
  std::unique_ptr<NexusFile> file_;
  int64_t left_;  // pixels
};

}  // namespace

Result<std::unique_ptr<ViewsWriter>> open_nxtomo_views(const ViewsTarget& target) {
  const auto orbit = target.geometry.orbit();
  if (!orbit)
    return invalid("only circular scans can be written as NXtomo", target.path.string(), "Save the volume instead");
  TL_TRY(OutputFile output, OutputFile::create(target.path, target.rules));
  // Reserves the disk space, before HDF5 could find the disk full halfway.
  constexpr int64_t rest = 1 << 16;
  const int64_t bytes =
      target.geometry.views() * NxtomoViews::pixels_of(target.geometry) * int64_t{sizeof(float)} + rest;
  if (fallocate(output.handle(), 0, 0, bytes) != 0 && errno != EOPNOTSUPP && errno != ENOSYS && errno != ENODEV)
    return system_error("the output of " + std::to_string(bytes) + " bytes cannot be written", output.name(), errno);
  return std::unique_ptr<ViewsWriter>(std::make_unique<NxtomoViews>(std::move(output), target, *orbit));
}

}  // namespace tl::io
