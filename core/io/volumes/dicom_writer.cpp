// Writes a volume as a DICOM series of CT images (PS3.3, A.3).
#include "core/io/volumes/dicom_writer.h"

#include <ATen/ATen.h>

#include <ctime>

#include "core/io/dicom/header.h"
#include "core/io/dicom/header_writer.h"
#include "core/io/output/samples.h"
#include "core/io/output/stack_folder.h"

namespace tl::io {
namespace {

constexpr const char* ct_image = "1.2.840.10008.5.1.4.1.1.2";

std::string utc_text(const char* form) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, form, &parts)};
}

class DicomWriter final : public VolumeWriter {
 public:
  DicomWriter(OutputFile folder, const VolumeTarget& target)
      : VolumeWriter(target.grid),
        folder_(std::move(folder)),
        target_(target),
        scale_{target.type, target.low, target.high},
        stack_(folder_.name().stem().string()),
        date_(utc_text("%Y%m%d")),
        time_(utc_text("%H%M%S")) {}

 private:
  Result<void> write_slice(const at::Tensor& slice) override {
    const std::vector<std::byte> pixels = encode_slice(slice, scale_);
    const std::string head = header(static_cast<uint32_t>(pixels.size()));
    std::vector<std::byte> bytes(head.size() + pixels.size());
    std::copy_n(reinterpret_cast<const std::byte*>(head.data()), head.size(), bytes.begin());
    std::copy(pixels.begin(), pixels.end(), bytes.begin() + static_cast<std::ptrdiff_t>(head.size()));
    return folder_.add_member(dicom_name(stack_, next(), target_.grid.nz), bytes);
  }

  Result<OutputFile> complete() override { return std::move(folder_); }

  // Everything before the pixels of the next slice; elements without a value must be there, but may be empty.
  [[nodiscard]] std::string header(uint32_t pixel_bytes) const {
    const VolumeGrid& g = target_.grid;
    const std::string instance = uids_.uid(static_cast<uint32_t>(3 + next()));
    const Vec3 first = g.position(static_cast<double>(next()), static_cast<double>(g.ny - 1), 0);
    const Vec3 col = (1 / norm(g.step_x)) * g.step_x, row = (-1 / norm(g.step_y)) * g.step_y;
    DicomElements e;
    e.text(0x00080005, "CS", "ISO_IR 192");  // texts are UTF-8
    e.text(0x00080008, "CS", "DERIVED\\SECONDARY\\AXIAL");
    e.text(0x00080016, "UI", ct_image);
    e.text(0x00080018, "UI", instance);
    e.text(0x00080020, "DA", date_);
    e.text(0x00080030, "TM", time_);
    e.text(0x00080050, "SH", "");
    e.text(0x00080060, "CS", "CT");
    e.text(dicom::manufacturer, "LO", dicom::creator);
    e.text(0x00080090, "PN", "");
    e.text(0x0008103e, "LO", stack_.substr(0, 64));
    e.text(0x00100010, "PN", "");
    e.text(0x00100020, "LO", "");
    e.text(0x00100030, "DA", "");
    e.text(0x00100040, "CS", "");
    e.text(dicom::slice_thickness, "DS", dicom_number(norm(g.step_z)));
    e.text(0x00180060, "DS", "");
    e.text(dicom::slice_spacing, "DS", dicom_number(norm(g.step_z)));
    e.text(0x0020000d, "UI", uids_.uid(0));
    e.text(dicom::series_uid, "UI", uids_.uid(1));
    e.text(0x00200010, "SH", "");
    e.text(0x00200011, "IS", "1");
    e.text(0x00200012, "IS", "");
    e.text(dicom::instance_number, "IS", std::to_string(next() + 1));
    e.text(dicom::position, "DS", dicom_numbers({first.x, first.y, first.z}));
    e.text(dicom::orientation, "DS", dicom_numbers({col.x, col.y, col.z, row.x, row.y, row.z}));
    e.text(0x00200052, "UI", uids_.uid(2));
    e.text(dicom::images_in_acquisition, "IS", std::to_string(g.nz));
    e.text(0x00201040, "LO", "");
    e.integer(dicom::samples_per_pixel, 1);
    e.text(dicom::photometric, "CS", "MONOCHROME2");
    e.integer(dicom::rows, static_cast<uint16_t>(g.ny));
    e.integer(dicom::cols, static_cast<uint16_t>(g.nx));
    e.text(dicom::pixel_spacing, "DS", dicom_numbers({norm(g.step_y), norm(g.step_x)}));
    e.integer(dicom::bits_allocated, 16);
    e.integer(dicom::bits_stored, 16);
    e.integer(dicom::high_bit, 15);
    e.integer(dicom::is_signed, 0);
    e.text(dicom::intercept, "DS", dicom_number(target_.low));
    e.text(dicom::slope, "DS", dicom_number(scale_.step()));
    e.text(dicom::rescale_type, "LO", target_.unit == Unit::none ? "US" : std::string(symbol(target_.unit)));
    if (next() == 0 && !target_.description.empty()) {
      e.text(dicom::private_creator, "LO", dicom::creator);
      e.long_text(dicom::private_record, target_.description);
    }
    e.pixels(dicom::pixels, pixel_bytes);
    return dicom_file_head(ct_image, instance) + e.bytes();
  }

  OutputFile folder_;
  VolumeTarget target_;
  SampleScale scale_;
  std::string stack_, date_, time_;
  DicomUids uids_;
};

}  // namespace

Result<std::unique_ptr<VolumeWriter>> write_dicom(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  if (target.type != SampleType::uint16)
    return invalid("DICOM series hold 16-bit integers", target.path.string(),
                   "Choose uint16 and the values that become 0 and 65535");
  TL_TRY(check_scale({target.type, target.low, target.high}, target.path.string()));
  constexpr int64_t most = 65535;
  if (target.grid.ny > most || target.grid.nx > most)
    return invalid("a slice of more than 65535 rows or columns cannot be a DICOM image", target.path.string(),
                   "Choose another format");
  TL_TRY(OutputFile folder, OutputFile::create_folder(target.path, target.rules));
  return std::unique_ptr<VolumeWriter>(std::make_unique<DicomWriter>(std::move(folder), target));
}

}  // namespace tl::io
