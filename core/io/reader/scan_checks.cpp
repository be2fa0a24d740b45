// Checks sizes found in scan files, and fills missing metadata with defaults.
#include "core/io/reader/scan_checks.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/wording.h"

namespace tl::io {

Result<at::Tensor> new_frames(int64_t n, int64_t rows, int64_t cols, const std::string& where) {
  constexpr int64_t limit = std::numeric_limits<int64_t>::max() / static_cast<int64_t>(sizeof(float));
  const std::string shape = std::to_string(n) + " x " + std::to_string(rows) + " x " + std::to_string(cols);
  const bool empty = n <= 0 || rows <= 0 || cols <= 0;
  if (!empty && (rows > limit / cols || n > limit / (rows * cols)))
    return invalid("a region of " + shape + " pixels cannot be addressed", where);
  try {
    return empty ? at::empty({std::max<int64_t>(n, 0), std::max<int64_t>(rows, 0), std::max<int64_t>(cols, 0)},
                             at::kFloat)
                 : at::empty({n, rows, cols}, at::kFloat);
  } catch (const std::exception&) {
    return unavailable("there is not enough memory for a region of " + shape + " pixels", where,
                       "Read fewer views or rows at a time");
  }
}

Result<void> check_region(const ScanInfo& info, Range views, Range rows, Range cols) {
  const auto inside = [](Range part, int64_t count) {
    return part.begin >= 0 && part.begin <= part.end && part.end <= count;
  };
  if (inside(views, info.views) && inside(rows, info.rows) && inside(cols, info.cols)) return ok();
  const auto text = [](Range r) { return std::to_string(r.begin) + ":" + std::to_string(r.end); };
  return invalid("views " + text(views) + ", rows " + text(rows) + ", columns " + text(cols) + " are not in the scan",
                 info.path.string(),
                 "It has " + std::to_string(info.views) + " views of " + std::to_string(info.rows) + " x " +
                     std::to_string(info.cols) + " pixels");
}

Result<void> check_sizes(int64_t frames, int64_t rows, int64_t cols, const std::string& where) {
  constexpr int64_t max_frames = 1 << 24, max_pixels = int64_t{1} << 31;
  const std::string shape =
      std::to_string(frames) + " frames of " + std::to_string(rows) + " x " + std::to_string(cols);
  if (frames < 1 || rows < 1 || cols < 1)
    return invalid("a scan of " + shape + " pixels is empty", where, "Nothing was recorded, or the file is damaged");
  if (frames > max_frames || rows > max_pixels / cols)
    return invalid("a scan of " + shape + " pixels is larger than any detector makes", where,
                   "The file is probably damaged");
  return ok();
}

void guess_missing(ScanInfo& info) {
  if (info.angles.value.empty()) {
    info.angles = {equidistant_angles(info.views, pi), Origin::guessed, "default: 0 to 180 degrees, end not included"};
    info.notes.emplace_back(
        "The scan holds no angles: 0 to 180 degrees in equal steps are guessed, the end not included.");
  }
  const bool none = !(info.pixel_size_u.value > 0) && !(info.pixel_size_v.value > 0);
  if (none) {
    info.pixel_size_u = info.pixel_size_v = {1.0, Origin::guessed, "default: 1 mm"};
    info.notes.emplace_back("The scan holds no pixel size: 1 mm is guessed, so lengths and attenuation are per pixel.");
  } else if (!(info.pixel_size_u.value > 0)) {
    info.pixel_size_u = {info.pixel_size_v.value, Origin::guessed, "same as along v"};
  } else if (!(info.pixel_size_v.value > 0)) {
    info.pixel_size_v = {info.pixel_size_u.value, Origin::guessed, "same as along u"};
  }
}

Result<void> apply_with_gaps(const ScanChoices& choices, std::span<const int64_t> indices, int64_t all,
                             ScanInfo& info) {
  const int64_t there = info.views;
  const Result<void> one_each = apply(choices, info);
  if (!choices.angles_file.empty() && one_each.ok()) {
    guess_missing(info);
    return ok();
  }
  const bool from_file = info.angles.origin == Origin::file && !info.angles.value.empty();
  info.views = all;
  const Result<void> of_all = apply(choices, info);
  guess_missing(info);
  info.views = there;
  if (!of_all.ok()) return one_each.ok() ? of_all : one_each;
  if (from_file && !choices.gives_angles()) return ok();
  std::vector<double> angles;
  for (const int64_t index : indices) angles.push_back(info.angles.value[static_cast<std::size_t>(index)]);
  info.angles.value = std::move(angles);
  return ok();
}

Result<void> apply_and_guess(const ScanChoices& choices, const std::optional<NumberedFrames>& numbers, ScanInfo& info) {
  const bool sinograms = choices.order == FrameOrder::sinograms, gaps = numbers && numbers->count_missing() > 0;
  if (gaps) {
    info.outside.push_back(missing_frames_note(*numbers, sinograms ? "sinograms" : "views"));
    info.notes.push_back(info.outside.back());
  }
  if (gaps && !sinograms) {
    TL_TRY(apply_with_gaps(choices, numbers->indices, numbers->all, info));
    note_missing_references(choices, info);
    return ok();
  }
  TL_TRY(apply(choices, info));
  note_missing_references(choices, info);
  guess_missing(info);
  return ok();
}

std::string missing_frames_note(const NumberedFrames& frames, const std::string& what) {
  return std::to_string(frames.count_missing()) + " of " + std::to_string(frames.all) + " " + what +
         " are missing: the numbers in the names of the frames leave out " + frames.missing +
         (what == "views" ? ". Angles follow the numbers." : ". The others are treated as consecutive.");
}

void note_missing_references(const ScanChoices& choices, ScanInfo& info) {
  const bool without_flats = info.flats == 0 && !choices.names_flats();
  if (without_flats) info.notes.emplace_back("There are no flats.");
  if (info.darks == 0 && !choices.names_darks()) info.notes.emplace_back("There are no darks.");
  if (without_flats && info.kind == PixelKind::counts && info.pixel_type.starts_with("float"))
    info.notes.emplace_back(
        "Pixels are floats without flats: if they are transmission or absorption already, say so (" +
        two_wordings("parameter pixels of the load node, --pixels", "Pixels are, in the form of the load node") + ").");
}

double span_of_angles(const ScanInfo& info) {
  if (info.angles.value.empty()) return 0;
  const auto [low, high] = std::minmax_element(info.angles.value.begin(), info.angles.value.end());
  return *high - *low;
}

std::optional<Doubt> doubt_about_angles(const ScanInfo& info) {
  constexpr std::size_t fewest_views = 16;
  constexpr double least = 1, most = 2 * pi * 1.02;  // [deg]; a scan with so many views covers more than `least`
  const double span = from_stored(span_of_angles(info), Unit::deg);
  if (info.angles.value.size() < fewest_views || info.vectors || span < least || span > most) return std::nullopt;
  return Doubt{DoubtAbout::angles,
               "The views cover only " + formatted("%.3g", span) + " degrees: as radians the numbers are " +
                   std::to_string(std::lround(span * 180 / pi)) + " degrees",
               "If they are radians, say so: " +
                   two_wordings("--angle-unit radians", "Unit of the angles, in the form of the load node") + "."};
}

std::string advice_on_angles() {
  return "Correct the file, or give the angles: " +
         two_wordings("angles_dataset, angles_file or angle_step of the load node (--angles)",
                      "Angles in the file, Angles as text or Step between views in the form of the load node");
}

bool holds_counts(const std::string& pixel_type) { return pixel_type == "uint8" || pixel_type == "uint16"; }

std::string rotation_note(const std::string& source) {
  return "Gantry angles are taken as " + source +
         " gives them; the file does not tell whether stage or gantry rotated in this direction: if the volume is "
         "mirrored, set 'reverse rotation' in the load node.";
}

Result<void> check_finite(const std::vector<double>& values, const std::string& what, const std::string& where) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return invalid(what + " " + std::to_string(i) + " is not a number", where, advice_on_angles());
  return ok();
}

std::string counted(int64_t n, const std::string& singular) {
  return std::to_string(n) + " " + singular + (n == 1 ? "" : "s");
}

}  // namespace tl::io
