// Writes slices as a plain block of little-endian numbers behind a header, or beside it.
#include "core/io/volume/raw_volume_writer.h"

#include <ATen/ATen.h>

#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "core/io/samples.h"

namespace tl::io {
namespace {

class RawVolumeWriter final : public VolumeWriter {
 public:
  // `voxels`: nothing if they follow the header.
  RawVolumeWriter(OutputFile header, std::optional<OutputFile> voxels, const VolumeTarget& target)
      : header_(std::move(header)),
        voxels_(std::move(voxels)),
        grid_(target.grid),
        scale_{target.type, target.low, target.high} {}

  Result<void> write(Range z, const at::Tensor& slab) override {
    TL_CHECK(z.begin == next_ && z.end <= grid_.nz, "slabs come in ascending order");
    TL_CHECK(slab.dim() == 3 && slab.size(0) == z.size() && slab.size(1) == grid_.ny && slab.size(2) == grid_.nx,
             "a slab has the grid's rows and columns");
    const at::Tensor plain = slab.to(at::kCPU, at::kFloat).contiguous();
    const OutputFile& to = voxels_ ? *voxels_ : header_;
    for (int64_t k = 0; k < z.size(); ++k) {
      ValueRange unused;
      TL_TRY(write_all(to.handle(), encode_slice(plain[k], scale_, unused), to.name()));
    }
    next_ = z.end;
    return ok();
  }

  Result<OutputFile> finish() override {
    TL_CHECK(next_ == grid_.nz, "finish() before the last slab");
    if (voxels_) header_.add_companion(*std::exchange(voxels_, std::nullopt));
    return std::move(header_);
  }

 private:
  OutputFile header_;
  std::optional<OutputFile> voxels_;
  VolumeGrid grid_;
  SampleScale scale_;
  int64_t next_ = 0;
};

}  // namespace

Result<std::unique_ptr<VolumeWriter>> open_raw_volume(const VolumeTarget& target, const RawVolumeFiles& files) {
  TL_TRY(target.grid.validate());
  TL_TRY(check_scale({target.type, target.low, target.high}, target.path.string()));
  TL_TRY(OutputFile header, OutputFile::create(target.path, target.rules));
  std::optional<OutputFile> voxels;
  if (!files.voxels.empty()) {
    TL_TRY(voxels, OutputFile::create(files.voxels, target.rules));
  }
  TL_TRY(write_all(header.handle(), std::as_bytes(std::span(files.header)), target.path));
  return std::unique_ptr<VolumeWriter>(std::make_unique<RawVolumeWriter>(std::move(header), std::move(voxels), target));
}

std::string number_text(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string vector_text(Vec3 v, const char* separator) {
  return number_text(v.x) + separator + number_text(v.y) + separator + number_text(v.z);
}

}  // namespace tl::io
