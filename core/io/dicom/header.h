// DicomHeader: the elements of a DICOM file that describe an image, and the position of its pixels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// Tags (group and element) of the elements that are used (PS3.6).
namespace dicom {
inline constexpr uint32_t transfer_syntax = 0x00020010, manufacturer = 0x00080070, series_uid = 0x0020000e,
                          instance_number = 0x00200013, images_in_acquisition = 0x00201002, position = 0x00200032,
                          orientation = 0x00200037, slice_thickness = 0x00180050, slice_spacing = 0x00180088,
                          samples_per_pixel = 0x00280002, photometric = 0x00280004, frames = 0x00280008,
                          rows = 0x00280010, cols = 0x00280011, pixel_spacing = 0x00280030, bits_allocated = 0x00280100,
                          bits_stored = 0x00280101, high_bit = 0x00280102, is_signed = 0x00280103,
                          intercept = 0x00281052, slope = 0x00281053, rescale_type = 0x00281054,
                          // Sequences that describe each frame of a multi-frame file, instead of the elements above.
    shared_groups = 0x52009229, frame_groups = 0x52009230,
                          // Our private block, for the embedded text.
    private_creator = 0x00990010, private_record = 0x00991001, pixels = 0x7fe00010;
inline constexpr const char* creator = "Tomoloom";
}  // namespace dicom

struct DicomHeader {
  std::map<uint32_t, std::string> values;  // of the elements above, as stored in the file
  int64_t pixels_at = 0;                   // [bytes]; 0: there are none
  std::optional<int64_t> pixels_bytes;     // none: the pixels are compressed, in items
  std::string compression;                 // name of the pixel compression: "JPEG 2000", ...; empty: none
  std::string not_read;                    // unsupported change of pixel values that an element asks for; empty: none
  bool has_frame_groups = false;           // the file has one of the sequences that describe each frame

  // Without padding by spaces or a zero; empty if there is no such element.
  [[nodiscard]] std::string text(uint32_t tag) const;
  // The `count` numbers of a text such as "1\2"; nothing if their number differs.
  [[nodiscard]] std::optional<std::vector<double>> numbers(uint32_t tag, std::size_t count) const;
  // A 16-bit integer; `value_if_absent` if there is none.
  [[nodiscard]] int64_t integer(uint32_t tag, int64_t value_if_absent) const;
};

// Whether a file has the magic of PS3.10.
bool is_dicom(const std::filesystem::path& file);

// Reads the elements before the pixels; explicit and implicit little endian. invalid: not a DICOM file, or damaged;
// unavailable: another transfer syntax, which the message names; io: header or pixels are truncated.
Result<DicomHeader> read_dicom_header(const std::filesystem::path& file);

}  // namespace tl::io
