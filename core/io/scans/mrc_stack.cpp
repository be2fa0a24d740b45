// Reads MRC files whose sections are images: tilt series, movies, stacks of particles; one file, or a folder of them.
// Rows begin at the bottom, so that the last one is row 0 of a view. Angles stand in a text next to the file (IMOD's
// .rawtlt and .tlt).
#include <ATen/ATen.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/io/mrc/mrc_numbers.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/text/angles_file.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/numbered_frames.h"
#include "core/io/voxels/paged_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct MrcFrames {
  fs::path file;
  MrcHeader header;
};

struct MrcScanParts {
  ScanInfo info;
  std::vector<MrcFrames> views, flats, darks;  // each with the same rows and columns
  std::vector<InputFile> texts;                // of angles
};

int64_t frames_of_files(const std::vector<MrcFrames>& files) {
  int64_t count = 0;
  for (const MrcFrames& f : files) count += f.header.pages;
  return count;
}

std::shared_ptr<InputFiles> mrc_input_files(const MrcScanParts& parts) {
  std::vector<InputFile> all = parts.texts;
  for (const auto* files : {&parts.views, &parts.flats, &parts.darks})
    for (const MrcFrames& f : *files) all.push_back({f.file, std::nullopt});
  return std::make_shared<InputFiles>(parts.info.path, std::move(all));
}

// Exchanges the first row of every frame with the last one, and so on.
template <class T>
void turn_frames_over(const at::Tensor& frames) {
  const int64_t rows = frames.size(1), cols = frames.size(2);
  for (int64_t n = 0; n < frames.size(0); ++n) {
    T* const frame = frames.data_ptr<T>() + n * frames.stride(0);
    for (int64_t r = 0; r < rows / 2; ++r)
      std::swap_ranges(frame + r * cols, frame + (r + 1) * cols, frame + (rows - 1 - r) * cols);
  }
}

PagedVoxels paged_mrc(const std::vector<MrcFrames>& frames) {
  std::vector<PagedFile> files;
  for (const MrcFrames& f : frames) files.push_back({f.header.pages, [f] { return mrc_numbers(f.file, f.header); }});
  return PagedVoxels(std::move(files));
}

class MrcScan final : public ScanReader {
 public:
  explicit MrcScan(const MrcScanParts& parts)
      : info_(parts.info),
        inputs_(mrc_input_files(parts)),
        views_(paged_mrc(parts.views)),
        flats_(paged_mrc(parts.flats)),
        darks_(paged_mrc(parts.darks)) {}

  [[nodiscard]] const ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    PagedVoxels& files = region.kind == Frames::views ? views_ : region.kind == Frames::flats ? flats_ : darks_;
    const int64_t rows = info().rows;
    if (!Range({0, files.pages()}).contains(region.frames) || !Range({0, rows}).contains(region.rows) ||
        !Range({0, info().cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info().path.string());
    if (out.numel() == 0) return ok();
    TL_TRY(files.read({region.frames, {rows - region.rows.end, rows - region.rows.begin}, region.cols}, out));
    if (out.scalar_type() == at::kUInt16)
      turn_frames_over<uint16_t>(out);
    else
      turn_frames_over<float>(out);
    return ok();
  }

 private:
  const ScanInfo info_;
  std::shared_ptr<InputFiles> inputs_;
  PagedVoxels views_, flats_, darks_;
};

bool is_one_of_endings(const fs::path& file, std::initializer_list<std::string_view> endings) {
  const std::string ending = lower_case(file.extension().string());
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}
bool is_mrc_name(const fs::path& file) { return is_one_of_endings(file, {".mrc", ".mrcs", ".st", ".ali"}); }
// Names that say series of images, as .mrc does not.
bool is_series_name(const fs::path& file) { return is_one_of_endings(file, {".mrcs", ".st", ".ali"}); }

// The text with the angles of a series, as IMOD calls it.
std::optional<fs::path> tilts_next_to(const fs::path& file) {
  for (const char* ending : {".rawtlt", ".tlt"}) {
    std::error_code failed;
    const fs::path text = fs::path(file).replace_extension(ending);
    if (text != file && fs::is_regular_file(text, failed)) return text;
  }
  return std::nullopt;
}

// Whether a file is a series of images, and not a volume, by its header, its name, angles, or what it is opened for.
bool is_series(const fs::path& file, bool header_says_images, const ScanAccess& access) {
  return header_says_images || is_series_name(file) || access.choices.gives_angles() ||
         access.content == Content::frames_only || tilts_next_to(file).has_value();
}

int sniff_mrc_stack(const fs::path& path, const ScanAccess& access) {
  constexpr int series = 75, folder = 55, perhaps_a_volume = 20;
  std::error_code failed;
  if (fs::is_directory(path, failed)) return files_in(path, is_mrc_name).empty() ? 0 : folder;
  if (!is_mrc(path)) return 0;
  const auto header = read_mrc_header(path);
  return is_series(path, header.ok() && header.value().is_stack, access) ? series : perhaps_a_volume;
}

// The frames of a file, which have to be as large as those before.
Result<void> add_file(const fs::path& file, std::vector<MrcFrames>& files, const ScanInfo& info) {
  TL_TRY(const MrcHeader header, read_mrc_header(file));
  TL_TRY(check_sizes(header.pages, header.rows, header.cols, file.string()));
  if (info.rows > 0 && (header.rows != info.rows || header.cols != info.cols))
    return invalid("the frames have " + std::to_string(header.rows) + " x " + std::to_string(header.cols) +
                       " pixels, those of the first file " + std::to_string(info.rows) + " x " +
                       std::to_string(info.cols),
                   file.string(), "All frames of a stack have the same size: remove the odd file");
  files.push_back({file, header});
  return ok();
}

std::string type_of_pixels(const MrcHeader& h) { return h.packing == MrcPacking::bytes ? h.type : "uint4"; }

Result<void> add_views(const std::vector<fs::path>& files, MrcScanParts& parts) {
  ScanInfo& info = parts.info;
  for (const fs::path& file : files) {
    TL_TRY(add_file(file, parts.views, info));
    const MrcHeader& h = parts.views.back().header;
    const std::string type = type_of_pixels(h);
    if (parts.views.size() == 1) {
      info.rows = h.rows;
      info.cols = h.cols;
      info.pixel_type = type;
      const std::array<double, 3> step{h.step.x, h.step.y, h.step.z};
      if (step.at(h.axes[0]) > 0) info.pixel_size_u = {step.at(h.axes[0]), Origin::file, "CELLA"};
      if (step.at(h.axes[1]) > 0) info.pixel_size_v = {step.at(h.axes[1]), Origin::file, "CELLA"};
    } else if (type != info.pixel_type) {
      return invalid("the pixels are " + type + ", those of the first file " + info.pixel_type, file.string(),
                     "All frames of a stack have pixels of one type: remove the odd file");
    }
  }
  return ok();
}

// Views, flats and darks of a folder by the names of its files; of names that all say flat or dark, all are views.
Result<void> add_folder(const fs::path& folder, MrcScanParts& parts) {
  std::array<std::vector<fs::path>, 3> of_kind;
  for (const fs::path& file : files_in(folder, is_mrc_name))
    of_kind.at(static_cast<std::size_t>(frame_kind(file.stem().string()))).push_back(file);
  auto& [views, flats, darks] = of_kind;
  if (views.empty()) {
    views = files_in(folder, is_mrc_name);
    flats.clear();
    darks.clear();
  }
  TL_TRY(add_views(views, parts));
  for (const fs::path& file : flats) TL_TRY(add_file(file, parts.flats, parts.info));
  for (const fs::path& file : darks) TL_TRY(add_file(file, parts.darks, parts.info));
  return ok();
}

// The angles that stand next to a file, if there are as many as it has views.
Result<void> use_tilts(const fs::path& file, MrcScanParts& parts) {
  const auto text = tilts_next_to(file);
  if (!text) return ok();
  ScanInfo& info = parts.info;
  const std::string name = text->filename().string();
  TL_TRY(std::vector<double> angles, read_angles_file(*text));
  const auto count = static_cast<int64_t>(angles.size());
  if (count != info.views) {
    info.notes.push_back(name + " has " + counted(count, "angle") + " for " + counted(info.views, "view") +
                         ": it is not used.");
    return ok();
  }
  parts.texts = {{*text, stamp_of(*text)}};
  info.angles = {std::move(angles), Origin::file, name};
  info.notes.push_back(rotation_note(name));
  return ok();
}

// Every view has a file of its own: what the numbers in the names leave out.
std::optional<NumberedFrames> numbers_of_mrc_files(const MrcScanParts& parts) {
  std::vector<fs::path> views, references;
  for (const MrcFrames& f : parts.views) {
    if (f.header.pages != 1) return std::nullopt;
    views.push_back(f.file);
  }
  for (const auto* files : {&parts.flats, &parts.darks})
    for (const MrcFrames& f : *files) references.push_back(f.file);
  return numbered_frames(views, references);
}

Result<std::unique_ptr<ScanReader>> open_mrc_stack(const fs::path& path, const ScanAccess& access) {
  const ScanChoices& choices = access.choices;
  if (!choices.angles_dataset.empty())
    return invalid("MRC files hold no datasets", path.string(),
                   "Give the angles as a text file or as first angle and step");
  if (choices.order == FrameOrder::sinograms)
    return invalid("the sections of an MRC file are views, not sinograms", path.string(),
                   "Leave the order of the frames to the file");
  MrcScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "mrc_stack";
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    TL_TRY(add_folder(path, parts));
  } else {
    TL_TRY(add_views({path}, parts));
    if (!is_series(path, parts.views.front().header.is_stack, access))
      return invalid("an MRC file whose header says volume is a scan only if its angles are given", path.string(),
                     two_wordings("Give them: --angles angles.tlt. To show a volume, open it as one",
                                  "Fill in Angles as text or Step between views in the form of the load node"));
  }
  info.views = frames_of_files(parts.views);
  info.flats = frames_of_files(parts.flats);
  info.darks = frames_of_files(parts.darks);
  TL_TRY(check_sizes(info.views, info.rows, info.cols, path.string()));
  info.flat_positions.assign(static_cast<std::size_t>(info.flats), -0.5);
  if (!choices.gives_angles() && parts.views.size() == 1) TL_TRY(use_tilts(parts.views.front().file, parts));
  TL_TRY(apply_and_guess(choices, numbers_of_mrc_files(parts), info));
  auto reader = std::make_unique<MrcScan>(parts);
  // The other files are checked when they are read.
  TL_TRY(reader->read({{0, 1}, {0, 1}, {0, 1}}));
  TL_TRY(reader->read({{reader->info().views - 1, reader->info().views}, {0, 1}, {0, 1}}));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(mrc_stack) {
  return {"mrc_stack",
          "MRC stack",
          ".mrc .mrcs .st .ali",
          "Images in an MRC file, or in a folder of them, with angles in a .rawtlt or .tlt of the same name.",
          tl::io::sniff_mrc_stack,
          tl::io::open_mrc_stack};
}
