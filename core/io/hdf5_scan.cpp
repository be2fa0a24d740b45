// Reading frames, angles and numbers of scans in HDF5 files.
#include "core/io/hdf5_scan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/io/scan_checks.h"

namespace tl::io {
namespace {

class Hdf5Scan final : public ScanReader {
 public:
  explicit Hdf5Scan(Hdf5ScanParts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }

  Result<void> read_into(const ScanRegion& region, const at::Tensor& out) override {
    TL_TRY(check_region(parts_.info, region.views, region.rows, region.cols));
    const auto& all = parts_.projections.frames;
    const std::vector<int64_t> frames(all.begin() + region.views.begin, all.begin() + region.views.end);
    return parts_.projections.dataset->read_frames(frames, region.rows, region.cols, out);
  }
  Result<at::Tensor> read_flats(Range rows, Range cols) override { return read_all_of(parts_.flats, rows, cols); }
  Result<at::Tensor> read_darks(Range rows, Range cols) override { return read_all_of(parts_.darks, rows, cols); }

  [[nodiscard]] std::vector<std::filesystem::path> files() const override {
    std::vector<std::filesystem::path> all = {parts_.file.path()};
    for (const FrameList* list : {&parts_.projections, &parts_.flats, &parts_.darks})
      if (list->dataset)
        for (const auto& source : list->dataset->sources())
          if (std::find(all.begin(), all.end(), source) == all.end()) all.push_back(source);
    return all;
  }

 private:
  Result<at::Tensor> read_all_of(const FrameList& list, Range rows, Range cols) {
    TL_TRY(check_region(parts_.info, {0, 0}, rows, cols));
    const auto count = static_cast<int64_t>(list.frames.size());
    TL_TRY(at::Tensor out, new_frames(count, rows.size(), cols.size(), parts_.info.path.string()));
    if (count > 0) TL_TRY(list.dataset->read_frames(list.frames, rows, cols, out));
    return out;
  }
  Hdf5ScanParts parts_;
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
  if (data.written() < 0.99)
    info.notes.push_back(
        "Only about " + std::to_string(std::lround(100 * data.written())) +
        " % of the pixels were ever written: the rest reads as the file's fill value (scan cut short?).");
}

}  // namespace

Result<std::unique_ptr<ScanReader>> make_hdf5_scan(Hdf5ScanParts parts) {
  ScanInfo& info = parts.info;
  const Hdf5Dataset& data = *parts.projections.dataset;
  info.path = parts.file.path();
  info.pixel_type = data.type();
  info.views = static_cast<int64_t>(parts.projections.frames.size());
  info.flats = static_cast<int64_t>(parts.flats.frames.size());
  info.darks = static_cast<int64_t>(parts.darks.frames.size());
  info.rows = data.shape()[1];
  info.cols = data.shape()[2];
  TL_TRY(check_same_detector(parts.flats, info, "flats"));
  TL_TRY(check_same_detector(parts.darks, info, "darks"));
  TL_TRY(check_finite(info.angles.value, "angle", parts.file.path().string() + ":" + info.angles.source));
  if (!info.angles.value.empty() && static_cast<int64_t>(info.angles.value.size()) != info.views)
    return invalid("there are " + counted(static_cast<int64_t>(info.angles.value.size()), "angle") + " but " +
                       counted(info.views, "projection"),
                   parts.file.path().string() + ":" + info.angles.source,
                   "Correct the file, or choose the views and give the angles in the load node");
  if (data.written() == 0)
    return invalid("no pixel was ever written", data.where(), "The scan was prepared but not recorded");
  note_pixels(data, info);
  note_missing_references(info);
  if (parts.file.unlocked())
    info.notes.emplace_back("The file system does not lock files: the scan was opened without a lock.");
  guess_missing(info);
  return std::unique_ptr<ScanReader>(std::make_unique<Hdf5Scan>(std::move(parts)));
}

Result<std::shared_ptr<const Hdf5Dataset>> frame_dataset(const Hdf5File& file, const std::string& name) {
  TL_TRY(Hdf5Dataset data, file.dataset(name));
  if (data.shape().size() != 3) {
    std::string shape;
    for (const int64_t n : data.shape()) shape += (shape.empty() ? "" : " x ") + std::to_string(n);
    return invalid("frames need rank 3, [frame, row, column], not rank " + std::to_string(data.shape().size()) +
                       (shape.empty() ? "" : " (" + shape + ")"),
                   data.where(), "Save the frames as a stack");
  }
  TL_TRY(check_sizes(data.shape()[0], data.shape()[1], data.shape()[2], data.where()));
  return std::make_shared<const Hdf5Dataset>(std::move(data));
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
      return Found<double>{to_stored(value, assumed), Origin::guessed, name + " (unit guessed)"};
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
  if (!units || units->empty()) {
    notes.push_back(name + " has no unit: degrees are assumed.");
    angles.source += " (unit guessed)";
  } else if (const auto read = parse_unit(*units); read.ok() && dimension(read.value()) == Dimension::angle) {
    unit = read.value();
  } else {
    return invalid("the angles have the unit \"" + *units + "\"", data.where(),
                   "It must be deg or rad: correct the file, or give the angles in the load node");
  }
  for (double& v : values) v = to_stored(v, unit);
  angles.value = std::move(values);
  return angles;
}

std::string rotation_note(const std::string& source) {
  return "Gantry angles are taken as " + source +
         " gives them; whether stage or gantry turned that way cannot be known from the file: a mirrored volume asks "
         "for "
         "'reverse rotation' in the load node.";
}

}  // namespace tl::io
