// ScanParams: what the user states about a scan in the form of the load node, and what readers take it for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/io/reader/scan_choices.h"
#include "core/io/reader/source_files.h"
#include "core/io/scans/reference_check.h"
#include "core/node/params.h"
#include "core/nodes/beam_choice.h"
#include "core/nodes/input/scan_geometry.h"
#include "core/nodes/input/scan_pixels.h"
#include "core/nodes/input/scan_views.h"

namespace tl {

enum class ScanFormatChoice : int { automatic };  // or one of io::scan_formats(), counted from 1
enum class ScanPixels { as_the_file_says, counts, transmission, percent, absorption };

enum class RawPixelType { uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32, float64 };

struct ScanParams {
  std::string file;
  ScanFormatChoice format = ScanFormatChoice::automatic;
  Flip flip_u = Flip::keep, flip_v = Flip::keep;
  Axes axes = Axes::keep;
  Rotation rotation = Rotation::as_recorded;
  ViewShifts view_shifts = ViewShifts::as_the_file_says;
  int64_t first_view = 0;
  std::optional<int64_t> last_view;
  int64_t view_step = 1;
  std::vector<double> exclude;
  std::optional<Length> pixel_size;
  io::OutsideLinks outside_links = io::OutsideLinks::refuse;
  std::string data, image_key, flats, flats_file, darks, darks_file, angles_dataset, angles_file;
  std::optional<Angle> first_angle, angle_step;
  io::AngleUnit angle_unit = io::AngleUnit::as_the_file_says;
  io::OddReferences odd_references = io::OddReferences::leave_out;
  io::UseOfDarks use_darks = io::UseOfDarks::all;
  ScanPixels pixels = ScanPixels::as_the_file_says;
  BeamChoice beam = BeamChoice::unchanged;
  std::optional<Length> source_to_axis, axis_to_detector;
  std::optional<Energy> energy;
  io::FrameOrder order = io::FrameOrder::as_the_file_says;
  std::string raw_size;
  RawPixelType raw_type = RawPixelType::uint16;
  int64_t raw_offset = 0;
  io::ByteOrder raw_byte_order = io::ByteOrder::little;
};

// The id of the format chosen; empty: detected.
std::string_view format_id(ScanFormatChoice format);
std::vector<Choice> format_choices();
std::vector<Choice> raw_type_choices();

io::ReferenceUse use_of(const ScanParams& p);
io::ScanChoices choices_of(const ScanParams& p);

}  // namespace tl
