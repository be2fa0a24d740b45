// Reads frames, angles and numbers of scans in HDF5 files, for NXtomo and Data Exchange.
#include "core/io/hdf5/scan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/io/reader/scan_checks.h"
#include "core/io/reader/sinograms.h"

namespace tl::io {
namespace {

// Hint how to load only the recorded views: the first consecutive range of them, as parameters of the load node.
std::string recorded_views_hint(const FrameList& views) {
  const std::vector<bool>& recorded = views.dataset->recorded();
  if (recorded.empty())
    return "Leave out the views that are missing: first_view, last_view and exclude of the load node";
  const auto there = [&](std::size_t i) { return recorded[static_cast<std::size_t>(views.frames[i])]; };
  std::size_t first = 0, count = views.frames.size();
  while (first < count && !there(first)) ++first;
  std::size_t last = first;
  while (last + 1 < count && there(last + 1)) ++last;
  if (first == count) return "Record the scan again, or copy it whole";
  const std::string begin = first > 0 ? "first_view = " + std::to_string(first) + " and " : "";
  return "To use the recorded views " + std::to_string(first) + " to " + std::to_string(last) +
         ", set in the load node " + begin + "last_view = " + std::to_string(last);
}

class Hdf5Scan final : public ScanReader {
 public:
  explicit Hdf5Scan(Hdf5ScanParts parts)
      : parts_(std::move(parts)),
        inputs_(std::make_shared<InputFiles>(parts_.info.path, parts_.file.sources().opened())) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const FrameList& list = region.kind == Frames::views   ? parts_.projections
                            : region.kind == Frames::flats ? parts_.flats
                                                           : parts_.darks;
    const auto count = static_cast<int64_t>(list.frames.size());
    const bool sinograms = region.kind == Frames::views && parts_.order == FrameOrder::sinograms;
    if (!Range({0, sinograms ? parts_.info.views : count}).contains(region.frames) ||
        !Range({0, parts_.info.rows}).contains(region.rows) || !Range({0, parts_.info.cols}).contains(region.cols))
      return invalid("frames that are not in the scan", parts_.info.path.string());
    if (region.frames.empty()) return ok();
    if (sinograms) return read_sinograms(region, out);
    const std::vector<int64_t> frames(list.frames.begin() + region.frames.begin,
                                      list.frames.begin() + region.frames.end);
    Result<void> done = list.dataset->read_frames(frames, region.rows, region.cols, out);
    if (done.ok() || list.dataset->written() == 1 || !done.error().hint.empty()) return done;
    Error error = std::move(done).error();
    error.hint = what_to_use(region.kind);
    return error;
  }

 private:
  // Frame r is the sinogram of detector row r.
  Result<void> read_sinograms(const FrameRegion& region, const at::Tensor& out) {
    const auto& all = parts_.projections.frames;
    const std::vector<int64_t> rows(all.begin() + region.rows.begin, all.begin() + region.rows.end);
    const at::Tensor sinograms =
        at::empty({region.rows.size(), region.frames.size(), region.cols.size()}, out.options());
    Result<void> done = parts_.projections.dataset->read_frames(rows, region.frames, region.cols, sinograms);
    if (!done.ok()) {
      Error error = std::move(done).error();
      if (error.hint.empty())
        error.hint = "These are detector rows: crop to the existing ones, or copy the complete scan";
      return error;
    }
    copy_sinograms(sinograms, out);
    return ok();
  }
  [[nodiscard]] std::string what_to_use(Frames kind) const {
    if (parts_.content == Content::frames_only)
      return "Record them again, or copy the scan whole; views can be left out: first_view, last_view and exclude of "
             "the load node";
    if (kind != Frames::views) return "Flats and darks must be whole: record them again, or copy the scan whole";
    return recorded_views_hint(parts_.projections);
  }
  Hdf5ScanParts parts_;
  std::shared_ptr<InputFiles> inputs_;
};

Result<void> check_same_detector(const FrameList& list, const ScanInfo& info, const std::string& what) {
  if (!list.dataset) return ok();
  const auto& shape = list.dataset->shape();
  if (shape[1] == info.rows && shape[2] == info.cols) return ok();
  return invalid("the " + what + " have " + std::to_string(shape[1]) + " x " + std::to_string(shape[2]) +
                     " pixels, the projections " + std::to_string(info.rows) + " x " + std::to_string(info.cols),
                 list.dataset->where(), "Flats, darks and projections must come from the same detector region");
}

void note_pixels(const Hdf5Dataset& data, ScanInfo& info) {
  if (data.type() == "uint32" || data.type() == "int32" || data.type().ends_with("int64") || data.type() == "float64")
    info.notes.push_back("Pixels are " + data.type() + "; they are read as float32, exact up to 2^24.");
}

// Notes frames that were not recorded: the fraction of pixels, and their numbers.
void note_unrecorded(const FrameList& list, const std::string& what, ScanInfo& info) {
  if (!list.dataset || list.dataset->written() >= 1) return;
  const std::vector<bool>& recorded = list.dataset->recorded();
  std::string text = "Only about " + std::to_string(std::lround(std::floor(100 * list.dataset->written()))) +
                     " % of the pixels of " + list.dataset->path() + " were ever recorded (scan cut short?)";
  if (!recorded.empty())
    text += ": frames " + frame_runs(recorded, false) + " of " + std::to_string(recorded.size()) + " are missing";
  info.notes.push_back(text + ". Reading them is an error." +
                       (what == "views" && !recorded.empty() ? " " + recorded_views_hint(list) + "." : ""));
}

Error wrong_rank(const Hdf5Dataset& data, const std::string& wanted, const std::string& hint) {
  std::string shape;
  for (const int64_t n : data.shape()) shape += (shape.empty() ? "" : " x ") + std::to_string(n);
  return invalid("frames need rank 3, " + wanted + ", not rank " + std::to_string(data.shape().size()) +
                     (shape.empty() ? "" : " (" + shape + ")"),
                 data.where(), hint);
}

// Notes files outside the scan's folder, and folders from which filter code may be loaded.
void note_sources(const Hdf5File& file, ScanInfo& info) {
  constexpr std::size_t max_named = 5;
  std::string text;
  const auto outside = file.sources().outside();
  for (std::size_t i = 0; i < std::min(outside.size(), max_named); ++i)
    text += (i > 0 ? ", " : "") + outside[i].string();
  if (outside.size() > max_named) text += " and " + std::to_string(outside.size() - max_named) + " more";
  if (!outside.empty())
    info.outside.push_back("The scan is read from files outside its folder, as asked for: " + text + ".");
  for (const std::string& folder : plugin_folders_of_environment())
    info.outside.push_back("HDF5 filters are loaded as code from " + folder + ", which HDF5_PLUGIN_PATH names.");
  info.notes.insert(info.notes.end(), info.outside.begin(), info.outside.end());
}

}  // namespace

Result<std::unique_ptr<ScanReader>> make_hdf5_scan(Hdf5ScanParts parts, const ScanChoices& choices) {
  ScanInfo& info = parts.info;
  const Hdf5Dataset& data = *parts.projections.dataset;
  info.path = parts.file.path();
  info.pixel_type = data.type();
  info.views = static_cast<int64_t>(parts.projections.frames.size());
  info.flats = static_cast<int64_t>(parts.flats.frames.size());
  info.darks = static_cast<int64_t>(parts.darks.frames.size());
  info.rows = data.shape()[1];
  info.cols = data.shape()[2];
  if (parts.order == FrameOrder::sinograms) std::swap(info.views, info.rows);
  TL_TRY(apply(choices, info));
  TL_TRY(check_same_detector(parts.flats, info, "flats"));
  TL_TRY(check_same_detector(parts.darks, info, "darks"));
  TL_TRY(check_finite(info.angles.value, "angle", parts.file.path().string() + ":" + info.angles.source));
  if (!info.angles.value.empty() && static_cast<int64_t>(info.angles.value.size()) != info.views)
    return invalid("there are " + counted(static_cast<int64_t>(info.angles.value.size()), "angle") + " but " +
                       counted(info.views, "projection"),
                   parts.file.path().string() + ":" + info.angles.source, advice_on_angles());
  if (data.written() == 0 && parts.content == Content::scan)
    return invalid("no pixel was ever written", data.where(), "The scan was prepared but not recorded");
  note_pixels(data, info);
  note_unrecorded(parts.projections, parts.order == FrameOrder::sinograms ? "sinograms" : "views", info);
  if (parts.flats.dataset != parts.projections.dataset) note_unrecorded(parts.flats, "flats", info);
  if (parts.darks.dataset != parts.projections.dataset) note_unrecorded(parts.darks, "darks", info);
  note_sources(parts.file, info);
  if (parts.content == Content::scan) note_missing_references(choices, info);
  if (parts.file.unlocked())
    info.notes.emplace_back("The file system does not lock files: the scan was opened without a lock.");
  if (parts.content == Content::scan) guess_missing(info);
  return std::unique_ptr<ScanReader>(std::make_unique<Hdf5Scan>(std::move(parts)));
}

Result<std::unique_ptr<ScanReader>> open_hdf5_frames(const std::filesystem::path& path, const std::string& dataset,
                                                     const std::shared_ptr<SourceFiles>& sources) {
  TL_TRY(Hdf5File file, Hdf5File::open(path, sources));
  Hdf5ScanParts parts{std::move(file), {}, {}, {}, {}, FrameOrder::views, Content::frames_only};
  parts.info.format = frames_format;
  TL_TRY(parts.projections.dataset, reference_dataset(parts.file, dataset));
  parts.projections.frames = all_frame_numbers(*parts.projections.dataset);
  return make_hdf5_scan(std::move(parts), {});
}

Result<std::shared_ptr<const Hdf5Dataset>> frame_dataset(const Hdf5File& file, const std::string& name) {
  TL_TRY(Hdf5Dataset data, file.dataset(name));
  if (data.shape().size() != 3) return wrong_rank(data, "[frame, row, column]", "Save the frames as a stack");
  TL_TRY(check_sizes(data.shape()[0], data.shape()[1], data.shape()[2], data.where()));
  return std::make_shared<const Hdf5Dataset>(std::move(data));
}

Result<std::shared_ptr<const Hdf5Dataset>> reference_dataset(const Hdf5File& file, const std::string& name) {
  TL_TRY(Hdf5Dataset data, file.dataset(name));
  if (data.shape().size() == 2) data.add_frame_axis();
  if (data.shape().size() != 3)
    return wrong_rank(data, "[frame, row, column], or 2, [row, column]", "Save them as a stack, or as their average");
  TL_TRY(check_sizes(data.shape()[0], data.shape()[1], data.shape()[2], data.where()));
  return std::make_shared<const Hdf5Dataset>(std::move(data));
}

std::vector<int64_t> all_frame_numbers(const Hdf5Dataset& frames) {
  std::vector<int64_t> numbers(static_cast<std::size_t>(frames.shape()[0]));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  return numbers;
}

std::optional<Found<double>> find_number(const Hdf5File& file, std::initializer_list<std::string> names, Unit assumed,
                                         std::vector<std::string>& notes) {
  for (const std::string& name : names) {
    if (!file.has_dataset(name)) continue;
    const auto data = file.dataset(name);
    if (!data.ok()) continue;
    const auto values = data.value().read_all();
    if (!values.ok() || values.value().empty() || !std::isfinite(values.value().front())) continue;
    const double value = values.value().front();
    auto units = data.value().attribute("units");
    if (!units) units = data.value().attribute("unit");
    if (!units || units->empty()) {
      notes.push_back(name + " has no unit: " + std::string(symbol(assumed)) + " is assumed.");
      return Found<double>{to_stored(value, assumed), Origin::guessed, name + " (unit guessed)", Guess::unit};
    }
    const auto unit = parse_unit(*units);
    if (unit.ok() && dimension(unit.value()) == dimension(assumed))
      return Found<double>{to_stored(value, unit.value()), Origin::file, name};
    notes.push_back(name + " has the unit \"" + *units + "\", which is not one of its kind: the value is ignored.");
  }
  return std::nullopt;
}

Result<Found<std::vector<double>>> read_angles(const Hdf5File& file, const std::string& name,
                                               std::vector<std::string>& notes) {
  TL_TRY(const Hdf5Dataset data, file.dataset(name));
  TL_TRY(std::vector<double> values, data.read_all());
  auto units = data.attribute("units");
  if (!units) units = data.attribute("unit");
  Found<std::vector<double>> angles{{}, Origin::file, name};
  Unit unit = Unit::deg;
  if ((!units || units->empty()) && (name.ends_with("_rad") || name.ends_with("_radians"))) {
    notes.push_back(name + " has no unit: radians, as its name says.");
    angles.source += " (unit from the name)";
    unit = Unit::rad;
  } else if (!units || units->empty()) {
    notes.push_back(name + " has no unit: degrees are assumed.");
    angles.source += " (unit guessed)";
  } else if (const auto read = parse_unit(*units); read.ok() && dimension(read.value()) == Dimension::angle) {
    unit = read.value();
  } else {
    return invalid("the angles have the unit \"" + *units + "\"", data.where(),
                   "It must be deg or rad. " + advice_on_angles());
  }
  for (double& v : values) v = to_stored(v, unit);
  angles.value = std::move(values);
  return angles;
}

}  // namespace tl::io
