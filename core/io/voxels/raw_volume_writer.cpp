// Writes slices as one block of little-endian numbers, after a header or in a separate file.
#include "core/io/voxels/raw_volume_writer.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <span>
#include <utility>

#include "core/io/bytes/data_checksum.h"
#include "core/io/bytes/deflate.h"
#include "core/io/output/samples.h"

namespace tl::io {
namespace {

class RawVolumeWriter final : public VolumeWriter {
 public:
  // `voxels`: file for the voxels; nothing if they follow the header.
  RawVolumeWriter(OutputFile header, std::optional<OutputFile> voxels, const VolumeTarget& target, RawVolumeFiles files)
      : VolumeWriter(target.grid),
        header_(std::move(header)),
        voxels_(std::move(voxels)),
        files_(std::move(files)),
        scale_{target.type, target.low, target.high} {
    if (files_.packing != RawPacking::none)
      packed_.emplace(files_.packing == RawPacking::voxels_by_zlib ? DeflateForm::zlib : DeflateForm::gzip);
  }

  Result<void> write_header() {
    const auto bytes = std::as_bytes(std::span(files_.header));
    if (files_.packing != RawPacking::all_by_gzip) return write_all(header_.handle(), bytes, header_.name());
    return write_all(header_.handle(), packed_->add(bytes), header_.name());
  }

 private:
  [[nodiscard]] int file_in_progress() const override { return (voxels_ ? *voxels_ : header_).handle(); }
  Result<void> write_slice(const at::Tensor& slice) override {
    encode_slice(files_.first_row == FirstRow::largest_y ? slice : slice.flip(0), scale_, samples_);
    return packed_ ? write_voxels(packed_->add(samples_)) : write_voxels(samples_);
  }

  Result<OutputFile> complete() override {
    if (packed_) TL_TRY(write_voxels(packed_->finish()));
    if (files_.packed_bytes_at) {
      std::string number = std::to_string(voxel_bytes_);
      number.resize(room_for_packed_bytes, ' ');
      TL_TRY(write_in_header(*files_.packed_bytes_at, number));
    }
    if (files_.checksum_at && voxels_) {
      TL_TRY(const std::string checksum, data_checksum(voxels_->handle(), voxels_->name()));
      TL_TRY(write_in_header(*files_.checksum_at, checksum));
    }
    if (voxels_) header_.add_companion(*std::exchange(voxels_, std::nullopt));
    return std::move(header_);
  }

  Result<void> write_voxels(std::span<const std::byte> bytes) {
    const OutputFile& to = voxels_ ? *voxels_ : header_;
    voxel_bytes_ += static_cast<int64_t>(bytes.size());
    return write_all(to.handle(), bytes, to.name());
  }
  Result<void> write_in_header(std::size_t at, const std::string& text) {
    if (lseek(header_.handle(), static_cast<off_t>(at), SEEK_SET) < 0 && errno != ESPIPE)
      return system_error("the output cannot be written", header_.name(), errno);
    return write_all(header_.handle(), std::as_bytes(std::span(text)), header_.name());
  }

  OutputFile header_;
  std::optional<OutputFile> voxels_;
  RawVolumeFiles files_;
  std::optional<DeflateStream> packed_;
  int64_t voxel_bytes_ = 0;
  SampleScale scale_;
  std::vector<std::byte> samples_;  // bytes of the current slice
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
  auto writer = std::make_unique<RawVolumeWriter>(std::move(header), std::move(voxels), target, files);
  TL_TRY(writer->write_header());
  return std::unique_ptr<VolumeWriter>(std::move(writer));
}

std::string number_text(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string vector_text(Vec3 v, const char* separator) {
  return number_text(v.x) + separator + number_text(v.y) + separator + number_text(v.z);
}

}  // namespace tl::io
