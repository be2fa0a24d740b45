// Writes one multi-page TIFF that ImageJ opens with the right voxel size; BigTIFF beyond 4 GiB.
#include <ATen/ATen.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/io/bytes/deflate.h"
#include "core/io/output/samples.h"
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
    TL_TRY(write_all(writer->file_.handle(),
                     writer->is_packed() ? writer->layout_.packed_head() : writer->layout_.head(), target.path));
    return std::unique_ptr<VolumeWriter>(std::move(writer));
  }

 private:
  [[nodiscard]] int file_in_progress() const override { return file_.handle(); }
  Result<void> write_slice(const at::Tensor& slice) override {
    encode_slice(slice, scale_, samples_);
    range_.add_slice(slice);
    if (!is_packed()) return write_all(file_.handle(), samples_, file_.name());
    const std::vector<std::byte> packed = deflated(DeflateForm::zlib, samples_);
    layout_.packed_bytes.push_back(static_cast<int64_t>(packed.size()));
    return write_all(file_.handle(), packed, file_.name());
  }

  Result<OutputFile> complete() override {
    if (is_packed()) {
      TL_TRY(finish_packed());
      return std::move(file_);
    }
    TL_TRY(write_all(file_.handle(), layout_.tail(), file_.name()));
    if (shows_what_is_there() && range_.any) TL_TRY(fill_in_range());
    return std::move(file_);
  }

  ImageJTiff(OutputFile file, const VolumeTarget& target, SampleScale scale)
      : VolumeWriter(target.grid), file_(std::move(file)), scale_(scale), compression_(target.compression) {
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

  // The display range is the range of the values: the full range of 32-bit numbers would show as black.
  [[nodiscard]] bool shows_what_is_there() const {
    return scale_.type == SampleType::float32 || scale_.type == SampleType::int32;
  }
  [[nodiscard]] bool is_packed() const { return compression_ != Compression::none; }
  // Directories come last, when all sizes are known; then the header gets their offset.
  Result<void> finish_packed() {
    if (shows_what_is_there() && range_.any) {
      text_.min = range_.low;
      text_.max = range_.high;
    }
    layout_.description = text_.lines();
    TL_TRY(write_all(file_.handle(), layout_.packed_tail(), file_.name()));
    return write_at(0, layout_.packed_head());
  }
  Result<void> write_at(int64_t offset, std::span<const std::byte> bytes) {
    if (lseek(file_.handle(), offset, SEEK_SET) < 0 && errno != ESPIPE)
      return system_error("the output cannot be written", file_.name(), errno);
    return write_all(file_.handle(), bytes, file_.name());
  }
  // The range of the values is known only at the end; the new description has the same length.
  Result<void> fill_in_range() {
    text_.min = range_.low;
    text_.max = range_.high;
    const std::string text = text_.lines();
    TL_CHECK(text.size() == layout_.description.size(), "the description changed its length");
    return write_at(layout_.description_offset(), std::as_bytes(std::span(text)));
  }

  OutputFile file_;
  TiffLayout layout_;
  ImageJDescription text_;
  SampleScale scale_;
  std::vector<std::byte> samples_;  // samples of the current slice
  Compression compression_;
  ValueRange range_;
};

}  // namespace

Result<std::unique_ptr<VolumeWriter>> open_imagej_tiff(const VolumeTarget& target) {
  return ImageJTiff::create(target);
}

}  // namespace tl::io
