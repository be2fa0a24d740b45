// Checks metadata given by the user, and applies them to a scan's metadata.
#include "core/io/reader/scan_choices.h"

#include <algorithm>
#include <string_view>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/wording.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/text/angles_file.h"

namespace tl::io {

std::optional<RawSize> raw_size_of(const std::string& text) {
  std::string words = text;
  for (char& c : words)
    if (c == 'x' || c == 'X' || c == '*') c = ' ';
  std::optional<std::vector<int64_t>> numbers = integers_of(words, 3);
  if (!numbers) numbers = integers_of(words, 2);
  if (!numbers || *std::min_element(numbers->begin(), numbers->end()) < 1) return std::nullopt;
  RawSize size{(*numbers)[0], (*numbers)[1], std::nullopt};
  if (numbers->size() == 3) size.frames = (*numbers)[2];
  return size;
}

std::string size_of_frame(const std::string& raw_size) {
  const auto size = raw_size_of(raw_size);
  return size ? std::to_string(size->cols) + "x" + std::to_string(size->rows) : raw_size;
}

std::optional<PixelKind> ScanChoices::kind() const {
  switch (pixels) {
    case ScanPixels::counts: return PixelKind::counts;
    case ScanPixels::transmission:
    case ScanPixels::percent: return PixelKind::transmission;
    case ScanPixels::absorption: return PixelKind::absorption;
    case ScanPixels::as_the_file_says: break;
  }
  return std::nullopt;
}

Result<void> check(const ScanChoices& c) {
  const int given = (c.angles_dataset.empty() ? 0 : 1) + (c.angles_file.empty() ? 0 : 1) + (c.angle_step ? 1 : 0);
  if (given > 1)
    return invalid("the angles are given more than once", "angles_dataset",
                   "Give one of these: a dataset, a text file or a step between views");
  if (c.data.empty() && !c.image_key.empty())
    return invalid("keys are named without the dataset of the frames", "data",
                   two_wordings("Name it: --data /PATH/IN/FILE", "Fill in Frames in the file, too"));
  const bool own_flats = !c.flats.empty() && c.flats_file.empty(), own_darks = !c.darks.empty() && c.darks_file.empty();
  if (!c.image_key.empty() && (own_flats || own_darks))
    return invalid("flats and darks are given by keys and by datasets of their own", "image_key",
                   "Give the keys, or the datasets");
  if (!c.raw.size.empty() && !raw_size_of(c.raw.size))
    return invalid("\"" + c.raw.size + "\" is not a size of frames", "raw_size",
                   "Give columns x rows, or columns x rows x frames: 2048x2048x1500");
  if (c.raw.offset < 0) return invalid("pixels cannot begin before their file", "raw_offset", "Give bytes from 0 on");
  if (c.energy && !(*c.energy > 0)) return invalid("the energy is not positive", "energy", "Give another one");
  if (c.first_angle && !c.angle_step)
    return invalid("a first angle alone does not give the others", "first_angle", "Give the step between views too");
  if (c.angle_step && *c.angle_step == 0)
    return invalid("the step between views is 0", "angle_step", "Give another one");
  return ok();
}

void apply_beam(const ScanChoices& c, ScanInfo& info) {
  const auto given = [](double value) { return Found<double>{value, Origin::user, "given"}; };
  info.kind = c.kind().value_or(info.kind);
  if (c.beam) info.beam = *c.beam;
  if (c.source_to_axis) info.source_to_axis = given(*c.source_to_axis);
  if (c.axis_to_detector) info.axis_to_detector = given(*c.axis_to_detector);
  if (c.energy) info.energy = given(*c.energy);
}

namespace {

Result<void> apply_angles(const ScanChoices& c, ScanInfo& info) {
  if (!c.angles_file.empty()) {
    TL_TRY(info.angles.value, read_angles_file(c.angles_file));
    info.angles.origin = Origin::user;
    info.angles.source = c.angles_file.string();
    const auto count = static_cast<int64_t>(info.angles.value.size());
    if (count != info.views)
      return invalid("there are " + counted(count, "angle") + " but " + counted(info.views, "view"),
                     c.angles_file.string(), "Give one angle per view, none for flats and darks");
  } else if (c.angle_step) {
    info.angles = {{}, Origin::user, "given: first angle and step"};
    const double first = c.first_angle.value_or(0);
    for (int64_t i = 0; i < info.views; ++i)
      info.angles.value.push_back(first + *c.angle_step * static_cast<double>(i));
  }
  return ok();
}

// Reinterprets angles that a reader took for degrees as radians; further calls do nothing.
Result<void> take_as_radians(ScanInfo& info) {
  constexpr int64_t max_turns = 20;
  constexpr std::string_view mark = " (as radians)";
  if (info.angles.value.empty() || info.angles.source.ends_with(mark)) return ok();
  const double factor = to_stored(1, Unit::rad) / to_stored(1, Unit::deg);
  for (double& angle : info.angles.value) angle *= factor;
  if (span_of_angles(info) > static_cast<double>(max_turns) * 2 * pi)
    return invalid("taken as radians, the views cover more than " + counted(max_turns, "turn"), info.angles.source,
                   "Leave the unit of the angles to the file");
  info.angles.source += mark;
  return ok();
}

}  // namespace

Result<void> apply(const ScanChoices& c, ScanInfo& info) {
  apply_beam(c, info);
  TL_TRY(apply_angles(c, info));
  return c.angle_unit == AngleUnit::radians ? take_as_radians(info) : ok();
}

}  // namespace tl::io
