// Writes a folder of one TIFF per slice, and scale.json for integer types.
#include <ATen/ATen.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/io/bytes/deflate.h"
#include "core/io/output/samples.h"
#include "core/io/output/stack_folder.h"
#include "core/io/tiff/layout.h"

namespace tl::io {
namespace {

class TiffStackWriter final : public VolumeWriter {
 public:
  TiffStackWriter(OutputFile folder, const VolumeTarget& target)
      : VolumeWriter(target.grid),
        folder_(std::move(folder)),
        target_(target),
        scale_{target.type, target.low, target.high} {}

 private:
  Result<void> write_slice(const at::Tensor& slice) override {
    constexpr double um = 1e3;  // per mm
    const VolumeGrid& grid = target_.grid;
    ValueRange range;
    range.add_slice(slice);
    std::vector<std::byte> pixels = encode_slice(slice, scale_);
    ImageJDescription text{1,
                           um * norm(grid.step_z),
                           std::string(symbol(target_.unit)),
                           range.low,
                           range.high,
                           0,
                           scale_.step(),
                           next() == 0 ? target_.description : std::string(),
                           place_lines(grid) + slices_of_stack + "=" + std::to_string(grid.nz) + "\n"};
    if (target_.type != SampleType::float32) {
      text.min = 0;
      text.max = target_.type == SampleType::int32 ? std::max(range.high, 1.0) : largest_sample(target_.type);
      text.offset = target_.low;
    }
    TiffLayout layout{
        1, grid.ny, grid.nx, target_.type, text.lines(), 1 / (um * norm(grid.step_x)), 1 / (um * norm(grid.step_y))};
    std::vector<std::byte> bytes, tail;
    if (target_.compression == Compression::none) {
      bytes = layout.head();
    } else {
      pixels = deflated(DeflateForm::zlib, pixels);
      layout.packed_bytes = {static_cast<int64_t>(pixels.size())};
      bytes = layout.packed_head();
      tail = layout.packed_tail();
    }
    bytes.insert(bytes.end(), pixels.begin(), pixels.end());
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return folder_.add_member(slice_name(folder_.name().filename().string(), next(), grid.nz), bytes);
  }
  Result<OutputFile> complete() override {
    if (target_.type != SampleType::float32) TL_TRY(write_scale());
    return std::move(folder_);
  }

  Result<void> write_scale() {
    constexpr double um = 1e3;  // per mm
    nlohmann::ordered_json scale;
    scale["format"] = "tomoloom-scale";
    scale["type"] = sample_type_name(target_.type);
    scale["formula"] = "value = offset + stored * scale";
    scale["offset"] = target_.low;
    scale["scale"] = scale_.step();
    scale["unit"] = symbol(target_.unit);
    scale["clipped_to"] = {target_.low, target_.high};
    scale["not_a_number"] = 0;
    scale["voxel_um"] = {um * norm(target_.grid.step_x), um * norm(target_.grid.step_y),
                         um * norm(target_.grid.step_z)};
    scale["axes"] = volume_axes;
    const std::string text = scale.dump(2) + "\n";
    return folder_.add_member(scale_file, std::as_bytes(std::span(text)));
  }

  OutputFile folder_;
  VolumeTarget target_;
  SampleScale scale_;
};

}  // namespace

Result<std::unique_ptr<VolumeWriter>> open_tiff_stack(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  TL_TRY(check_scale({target.type, target.low, target.high}, target.path.string()));
  TL_TRY(OutputFile folder, OutputFile::create_folder(target.path, target.rules));
  return std::unique_ptr<VolumeWriter>(std::make_unique<TiffStackWriter>(std::move(folder), target));
}

}  // namespace tl::io
