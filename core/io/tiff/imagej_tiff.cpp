// Writes one multi-page TIFF that ImageJ opens with the right voxel size; BigTIFF beyond 4 GiB.
#include <ATen/ATen.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/io/samples.h"
#include "core/io/tiff/layout.h"

namespace tl::io {
namespace {

class ImageJTiff final : public VolumeWriter {
 public:
  static Result<std::unique_ptr<VolumeWriter>> create(const VolumeTarget& target) {
    TL_TRY(target.grid.validate());
    const SampleScale scale{target.type, target.low, target.high};
    TL_TRY(check_scale(scale, target.path.string()));
    TL_TRY(OutputFile file, OutputFile::create(target.path, target.rules));
    std::unique_ptr<ImageJTiff> writer(new ImageJTiff(std::move(file), target, scale));
    TL_TRY(write_all(writer->file_.handle(), writer->layout_.head(), target.path));
    return std::unique_ptr<VolumeWriter>(std::move(writer));
  }

  Result<void> write(Range z, const at::Tensor& slab) override {
    TL_CHECK(z.begin == next_ && z.end <= layout_.pages, "slabs come in ascending order");
    TL_CHECK(
        slab.dim() == 3 && slab.size(0) == z.size() && slab.size(1) == layout_.rows && slab.size(2) == layout_.cols,
        "a slab has the grid's rows and columns");
    const at::Tensor plain = slab.to(at::kCPU, at::kFloat).contiguous();
    for (int64_t k = 0; k < z.size(); ++k) {
      TL_TRY(write_all(file_.handle(), encode_slice(plain[k], scale_, seen_), file_.name()));
      ++next_;
    }
    return ok();
  }

  Result<OutputFile> finish() override {
    TL_CHECK(next_ == layout_.pages, "finish() before the last slab");
    TL_TRY(write_all(file_.handle(), layout_.tail(), file_.name()));
    if (scale_.type == SampleType::float32 && seen_.any) TL_TRY(fill_in_range());
    return std::move(file_);
  }

 private:
  ImageJTiff(OutputFile file, const VolumeTarget& target, SampleScale scale) : file_(std::move(file)), scale_(scale) {
    const VolumeGrid& grid = target.grid;
    constexpr double um = 1e3;  // per mm
    text_ = {grid.nz,
             um * norm(grid.step_z),
             std::string(symbol(target.unit)),
             0,
             1,
             0,
             scale.step(),
             target.description,
             place_lines(grid)};
    if (scale.type != SampleType::float32) {
      text_.max = largest_sample(scale.type);
      text_.offset = scale.low;
    }
    layout_ = {grid.nz,
               grid.ny,
               grid.nx,
               target.type,
               text_.lines(),
               1 / (um * norm(grid.step_x)),
               1 / (um * norm(grid.step_y))};
  }

  // The display range of floats is known only at the end; the new description has the same length.
  Result<void> fill_in_range() {
    text_.min = seen_.low;
    text_.max = seen_.high;
    const std::string text = text_.lines();
    TL_CHECK(text.size() == layout_.description.size(), "the description changed its length");
    if (lseek(file_.handle(), layout_.description_offset(), SEEK_SET) < 0 && errno != ESPIPE)
      return system_error("the output cannot be written", file_.name(), errno);
    return write_all(file_.handle(), std::as_bytes(std::span(text)), file_.name());
  }

  OutputFile file_;
  TiffLayout layout_;
  ImageJDescription text_;
  SampleScale scale_;
  ValueRange seen_;
  int64_t next_ = 0;
};

}  // namespace

Result<std::unique_ptr<VolumeWriter>> open_imagej_tiff(const VolumeTarget& target) {
  return ImageJTiff::create(target);
}

}  // namespace tl::io
