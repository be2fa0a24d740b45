// Reads scans of Zeiss (Xradia) X-ray microscopes: .txrm, a compound file with one stream per view.
//
// Streams after dxchange, CIL, txrm2tiff and xrmreader, since the vendor publishes no description. Row 0 of a frame is
// its top: txrm2tiff finds frames in the order in which the vendor's viewer shows them.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "core/base/units.h"
#include "core/base/wording.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/zeiss/txrm_values.h"

namespace tl::io {
namespace {

enum class PixelType { uint16, float32 };

int64_t bytes_of(PixelType type) { return type == PixelType::uint16 ? 2 : 4; }

// One frame; the stream belongs to the file.
struct TxrmFrame {
  const CompoundStream* stream = nullptr;
  PixelType type = PixelType::uint16;
};

struct TxrmFrames {
  std::vector<TxrmFrame> views, flats;
};

// The stream of view k, counted from 1: a storage holds a hundred.
std::string view_stream(int64_t k) {
  return "ImageData" + std::to_string((k + 99) / 100) + "/Image" + std::to_string(k);
}

std::string size_text(int64_t cols, int64_t rows, PixelType type) {
  return std::to_string(cols) + " x " + std::to_string(rows) + " pixels of " + std::to_string(bytes_of(type)) +
         " bytes";
}

class TxrmScan final : public ScanReader {
 public:
  TxrmScan(CompoundFile file, ScanInfo info)
      : file_(std::move(file)),
        info_(std::move(info)),
        inputs_(std::make_shared<InputFiles>(info_.path, std::vector<InputFile>{{info_.path, file_.stamp()}})) {}

  // Streams are found in the file that this object keeps.
  [[nodiscard]] CompoundFile& file() { return file_; }
  void set_frames(TxrmFrames frames) { frames_ = std::move(frames); }
  [[nodiscard]] ScanInfo& mutable_info() { return info_; }

  [[nodiscard]] const ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& cancel) override {
    static const std::vector<TxrmFrame> none;
    const std::vector<TxrmFrame>& frames = region.kind == Frames::views   ? frames_.views
                                           : region.kind == Frames::flats ? frames_.flats
                                                                          : none;
    if (!Range({0, static_cast<int64_t>(frames.size())}).contains(region.frames) ||
        !Range({0, info_.rows}).contains(region.rows) || !Range({0, info_.cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info_.path.string());
    // Rows are read as a whole.
    allow_more_cpu_time(
        cpu_time_for(region.frames.size() * region.rows.size() * info_.cols * bytes_of(PixelType::float32)));
    for (int64_t i = region.frames.begin; i < region.frames.end; ++i) {
      cancel.check();
      const TxrmFrame& frame = frames[static_cast<std::size_t>(i)];
      const int64_t at = (i - region.frames.begin) * out.stride(0);
      if (out.scalar_type() == at::kFloat) {
        TL_TRY(read_frame(frame, region.rows, region.cols, out.data_ptr<float>() + at));
      } else if (frame.type == PixelType::uint16) {
        TL_TRY(read_frame(frame, region.rows, region.cols, out.data_ptr<uint16_t>() + at));
      } else {
        return unavailable("its pixels are float32, not counts", stream_location(file_, frame.stream->name));
      }
    }
    return ok();
  }

 private:
  template <class To>
  Result<void> read_frame(const TxrmFrame& frame, Range rows, Range cols, To* out) {
    if (rows.empty() || cols.empty()) return ok();
    if (frame.type == PixelType::uint16) return read_pixels<uint16_t>(frame, rows, cols, out);
    return read_pixels<float>(frame, rows, cols, out);
  }

  // Whole rows are read, some at a time, through a buffer that fits the CPU cache.
  template <class From, class To>
  Result<void> read_pixels(const TxrmFrame& frame, Range rows, Range cols, To* out) {
    constexpr int64_t buffer_bytes = int64_t{1} << 18, sample = sizeof(From);
    const int64_t row_bytes = info_.cols * sample;
    CompoundFile::Cursor cursor(file_, *frame.stream);
    if (std::is_same_v<From, To> && cols.size() == info_.cols)
      return cursor.read(rows.begin * row_bytes, rows.size() * row_bytes, reinterpret_cast<std::byte*>(out));
    const int64_t at_once = std::clamp<int64_t>(buffer_bytes / row_bytes, 1, rows.size());
    buffer_.resize(static_cast<std::size_t>(at_once * row_bytes));
    for (int64_t r = rows.begin; r < rows.end; r += at_once) {
      const int64_t count = std::min(at_once, rows.end - r);
      TL_TRY(cursor.read(r * row_bytes, count * row_bytes, buffer_.data()));
      for (int64_t i = 0; i < count; ++i) {
        const std::byte* from = buffer_.data() + i * row_bytes + cols.begin * sample;
        for (int64_t c = 0; c < cols.size(); ++c) {
          From value;
          std::memcpy(&value, from + c * sample, sizeof value);
          *out++ = static_cast<To>(value);
        }
      }
    }
    return ok();
  }

  CompoundFile file_;
  ScanInfo info_;
  TxrmFrames frames_;
  std::shared_ptr<InputFiles> inputs_;
  std::vector<std::byte> buffer_;
};

int sniff_zeiss_txrm(const std::filesystem::path& path, const ScanAccess& /*access*/) {
  if (!CompoundFile::is_compound_file(path)) return 0;
  const auto file = CompoundFile::open(path);
  // Its own error says more than that the content is unknown.
  if (!file.ok()) return 60;
  return file.value().has_storage("ImageInfo") ? 90 : 10;
}

Result<int64_t> needed_integer(TxrmValues& values, CompoundFile& file, const std::string& stream) {
  TL_TRY(const std::optional<int64_t> value, values.integer(stream));
  if (!value)
    return invalid("the file has no stream " + stream, file.path().string(),
                   "It is not a scan of a Zeiss or Xradia microscope, or not complete");
  return *value;
}

Result<PixelType> pixel_type(int64_t code, CompoundFile& file, const std::string& stream) {
  if (code == 5) return PixelType::uint16;
  if (code == 10) return PixelType::float32;
  return invalid("pixels of data type " + std::to_string(code), stream_location(file, stream),
                 "Data types 5 (uint16) and 10 (float32) can be read: export the scan again from the vendor's program");
}

// Sizes of the scan, and how many of its views were taken.
Result<void> read_sizes(TxrmValues& values, CompoundFile& file, ScanInfo& info) {
  TL_TRY(const std::optional<int64_t> mode, values.integer("ImageInfo/AcquisitionMode"));
  if (mode.value_or(0) != 0)
    return invalid("the file holds slices of a volume, not views (AcquisitionMode " + std::to_string(*mode) + ")",
                   stream_location(file, "ImageInfo/AcquisitionMode"), "Give the .txrm file from which it was made");
  TL_TRY(info.views, needed_integer(values, file, "ImageInfo/NoOfImages"));
  TL_TRY(info.rows, needed_integer(values, file, "ImageInfo/ImageHeight"));
  TL_TRY(info.cols, needed_integer(values, file, "ImageInfo/ImageWidth"));
  TL_TRY(const std::optional<int64_t> taken, values.integer("ImageInfo/ImagesTaken"));
  if (taken && *taken > 0 && *taken < info.views) {
    info.notes.push_back("The scan was ended after " + counted(*taken, "view") + " of " + std::to_string(info.views) +
                         ".");
    info.views = *taken;
  }
  return check_sizes(info.views, info.rows, info.cols, file.path().string());
}

// Views must all be there, and as large as the file says.
Result<TxrmFrames> find_frames(TxrmValues& values, CompoundFile& file, ScanInfo& info) {
  TxrmFrames frames;
  TL_TRY(const int64_t code, needed_integer(values, file, "ImageInfo/DataType"));
  TL_TRY(const PixelType type, pixel_type(code, file, "ImageInfo/DataType"));
  info.pixel_type = type == PixelType::uint16 ? "uint16" : "float32";
  const int64_t pixels = info.rows * info.cols;
  for (int64_t k = 1; k <= info.views; ++k) {
    const CompoundStream* stream = file.find(view_stream(k));
    if (stream == nullptr)
      return invalid("view " + std::to_string(k) + " of " + std::to_string(info.views) + " is missing",
                     stream_location(file, view_stream(k)), "The scan is not whole: copy it again from its source");
    if (stream->size != pixels * bytes_of(type))
      return invalid("a view has " + std::to_string(stream->size) + " bytes, but " +
                         size_text(info.cols, info.rows, type) + " take " + std::to_string(pixels * bytes_of(type)),
                     stream_location(file, view_stream(k)), "All views of a scan have the size in ImageInfo");
    frames.views.push_back({stream, type});
  }
  if (file.find(view_stream(info.views + 1)) != nullptr)
    info.notes.push_back("There are more views in the file than the " + std::to_string(info.views) +
                         " that ImageInfo/NoOfImages states: they are not read.");
  const CompoundStream* flat = file.find("ReferenceData/Image");
  if (flat == nullptr) return frames;
  // Its type is not always stated; then its size shows it.
  TL_TRY(const std::optional<int64_t> stated, values.integer("ReferenceData/DataType"));
  PixelType flat_type = flat->size == pixels * bytes_of(PixelType::float32) ? PixelType::float32 : PixelType::uint16;
  if (stated) {
    TL_TRY(flat_type, pixel_type(*stated, file, "ReferenceData/DataType"));
  }
  if (flat->size != pixels * bytes_of(flat_type))
    return invalid(
        "the flat has " + std::to_string(flat->size) + " bytes, but " + size_text(info.cols, info.rows, flat_type) +
            " take " + std::to_string(pixels * bytes_of(flat_type)),
        stream_location(file, "ReferenceData/Image"), "Flat and views must come from the same detector region");
  frames.flats.push_back({flat, flat_type});
  return frames;
}

bool are_shifts(const std::vector<double>& shifts, int64_t pixels) {
  return std::all_of(shifts.begin(), shifts.end(),
                     [&](double shift) { return std::abs(shift) < static_cast<double>(pixels); });
}

Result<void> read_angles_and_shifts(TxrmValues& values, CompoundFile& file, const ScanChoices& choices,
                                    ScanInfo& info) {
  if (!choices.gives_angles_outside_the_file()) {
    info.angles = {{}, Origin::file, "ImageInfo/Angles"};
    TL_TRY(info.angles.value, values.numbers(info.angles.source, info.views));
    TL_TRY(check_finite(info.angles.value, "angle", stream_location(file, info.angles.source)));
    for (double& angle : info.angles.value) angle = to_stored(angle, Unit::deg);
    if (!info.angles.value.empty()) info.notes.push_back(rotation_note(info.angles.source));
  }
  // They say how far to move a view so that it fits the others: its image lies as far in the opposite direction.
  TL_TRY(std::vector<double> right, values.numbers("Alignment/X-Shifts", info.views));
  TL_TRY(std::vector<double> down, values.numbers("Alignment/Y-Shifts", info.views));
  const auto all_zero = [](const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return x == 0; });
  };
  if (all_zero(right) && all_zero(down)) return ok();
  if (!are_shifts(right, info.cols) || !are_shifts(down, info.rows)) {
    info.notes.emplace_back(
        "Alignment/X-Shifts and Y-Shifts hold numbers larger than a view, which cannot be shifts: both are ignored.");
    return ok();
  }
  for (double& shift : right) shift = shift == 0 ? 0 : -shift;
  using Shifts = Found<std::vector<double>>;
  if (!all_zero(right)) info.shift_u = Shifts{std::move(right), Origin::file, "Alignment/X-Shifts"};
  if (!all_zero(down)) info.shift_v = Shifts{std::move(down), Origin::file, "Alignment/Y-Shifts"};
  info.notes.push_back(
      "The views are shifted against each other, as the file says, and the geometry takes it into account. If the "
      "volume is sharper without: " +
      two_wordings("--set load.view_shifts=ignore", "Shifts of views: ignore, in the form of the load node") + ".");
  return ok();
}

// The same distance for all views, or nothing.
Result<std::optional<Found<double>>> read_distance(TxrmValues& values, const std::string& stream, ScanInfo& info) {
  constexpr double tolerance = 1e-4;
  TL_TRY(const std::vector<double> all, values.numbers(stream, info.views));
  if (all.empty() || !std::isfinite(all.front()) || all.front() == 0) return std::optional<Found<double>>();
  const double first = std::abs(all.front());
  if (std::any_of(all.begin(), all.end(),
                  [&](double d) { return !(std::abs(std::abs(d) - first) <= tolerance * first); }))
    info.notes.push_back(stream + " is not the same for all views: that of the first one is used.");
  return std::optional(Found<double>{to_stored(first, Unit::mm), Origin::file, stream});
}

// The file gives the size of a voxel; that of a pixel on the detector is larger by the magnification of the cone.
Result<void> read_beam(TxrmValues& values, ScanInfo& info) {
  TL_TRY(const std::optional<int64_t> geometry, values.integer("ImageInfo/XrayGeometry"));
  info.beam = geometry == 1 ? Beam::cone : Beam::parallel;
  TL_TRY(const std::optional<double> voxel, values.number("ImageInfo/PixelSize"));
  double magnification = 1;
  std::string source = "ImageInfo/PixelSize";
  if (info.beam == Beam::cone) {
    TL_TRY(info.source_to_axis, read_distance(values, "ImageInfo/StoRADistance", info));
    TL_TRY(info.axis_to_detector, read_distance(values, "ImageInfo/DtoRADistance", info));
    if (info.source_to_axis && info.axis_to_detector) {
      magnification = 1 + info.axis_to_detector->value / info.source_to_axis->value;
      source += " (of a voxel) times (StoRADistance + DtoRADistance) / StoRADistance";
    } else {
      info.notes.emplace_back("The file says cone beam, but not both distances: the pixel size is that of a voxel.");
    }
  }
  if (voxel && std::isfinite(*voxel) && *voxel > 0)
    info.pixel_size_u = info.pixel_size_v = {to_stored(*voxel, Unit::um) * magnification, Origin::file, source};
  return ok();
}

// Used only where the file states its unit: some microscopes write something else there.
Result<void> read_energy(TxrmValues& values, ScanInfo& info) {
  const std::string stream = "ImageInfo/Energy";
  TL_TRY(const std::optional<double> energy, values.number(stream));
  if (!energy || !std::isfinite(*energy) || *energy <= 0) return ok();
  TL_TRY(const std::string name, values.unit_of_axis("Energy"));
  const auto unit = parse_unit(name);
  if (!name.empty() && unit.ok() && dimension(unit.value()) == Dimension::energy) {
    info.energy = Found<double>{to_stored(*energy, unit.value()), Origin::file, stream};
  } else {
    info.notes.push_back(stream + " is " + std::to_string(*energy) + " without a unit: the value is ignored.");
  }
  return ok();
}

Result<void> note_references(TxrmValues& values, CompoundFile& file, ScanInfo& info) {
  if (info.flats == 0 && file.has_storage("MultiReferenceData"))
    info.notes.emplace_back("The file has flats in MultiReferenceData, which are not read.");
  TL_TRY(const std::optional<int64_t> corrected, values.integer("ImageInfo/OriginalDataRefCorrected"));
  if (corrected.value_or(0) != 0)
    info.notes.push_back("The file says that the views are divided by a flat already: if so, say it (" +
                         two_wordings("--pixels transmission", "Pixels are, in the form of the load node") + ").");
  if (info.flats == 0) return ok();
  constexpr double clearly = 0.01;
  TL_TRY(const std::optional<double> of_flat, values.number("ReferenceData/ExpTime"));
  TL_TRY(const std::optional<double> of_view, values.number("ImageInfo/ExpTimes"));
  if (of_flat && of_view && std::abs(*of_flat - *of_view) > clearly * std::abs(*of_view))
    info.notes.push_back("The flat was exposed for " + std::to_string(*of_flat) + " s, the views for " +
                         std::to_string(*of_view) + " s: the flat is not scaled.");
  info.flat_positions.assign(static_cast<std::size_t>(info.flats), -0.5);
  info.notes.emplace_back("The file does not say when the flat was taken: it counts as taken before the scan.");
  return ok();
}

Result<std::unique_ptr<ScanReader>> open_zeiss_txrm(const std::filesystem::path& path, const ScanAccess& access) {
  if (!access.choices.angles_dataset.empty())
    return invalid("a .txrm file holds no datasets", path.string(),
                   "Give the angles as a text file or as first angle and step");
  if (access.choices.order == FrameOrder::sinograms)
    return invalid("the frames of a .txrm file are views", path.string(), "Leave the order to the file");
  TL_TRY(CompoundFile opened, CompoundFile::open(path));
  allow_memory_for(opened.length());
  ScanInfo start;
  start.path = path;
  start.format = "zeiss_txrm";
  auto reader = std::make_unique<TxrmScan>(std::move(opened), std::move(start));
  ScanInfo& info = reader->mutable_info();
  CompoundFile& file = reader->file();
  TxrmValues values(file);
  TL_TRY(read_sizes(values, file, info));
  TL_TRY(TxrmFrames frames, find_frames(values, file, info));
  info.flats = static_cast<int64_t>(frames.flats.size());
  TL_TRY(read_angles_and_shifts(values, file, access.choices, info));
  TL_TRY(read_beam(values, info));
  TL_TRY(read_energy(values, info));
  TL_TRY(note_references(values, file, info));
  info.notes.emplace_back("Row 0 of a view is taken as its top, which the file does not state.");
  TL_TRY(apply(access.choices, info));
  note_missing_references(access.choices, info);
  guess_missing(info);
  reader->set_frames(std::move(frames));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(zeiss_txrm) {
  return {"zeiss_txrm",
          "Zeiss .txrm",
          ".txrm",
          "Scans of Zeiss (Xradia) X-ray microscopes with angles, distances and shifts of the views.",
          tl::io::sniff_zeiss_txrm,
          tl::io::open_zeiss_txrm};
}
