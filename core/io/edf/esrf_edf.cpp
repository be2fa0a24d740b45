// Reads scans of the ESRF in its data format (EDF): a folder of frames with flats, darks and an .info file, or one file
// of many images.
#include <ATen/ATen.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/printable.h"
#include "core/io/edf/edf_file.h"
#include "core/io/edf/folder.h"
#include "core/io/edf/info_file.h"
#include "core/io/format.h"
#include "core/io/frame_names.h"
#include "core/io/process/reader_limits.h"
#include "core/io/scan_checks.h"
#include "core/io/worker_threads.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct EdfFrame {
  fs::path file;
  int64_t image = 0;
  std::optional<int64_t> number;  // of a view; of a flat: that of the view after it
};

struct EdfScanParts {
  ScanInfo info;
  std::vector<EdfFrame> views, flats, darks;
  double dark_sum = 1;                   // the number of darks of which each dark is the sum
  std::vector<InputFile> other_files;    // the .info file, and files to which headers refer
  std::set<fs::path> files_with_pixels;  // those of them
  int64_t threads = 1;
};

std::shared_ptr<InputFiles> input_files(const EdfScanParts& parts) {
  std::vector<InputFile> all = parts.other_files;
  for (const auto* frames : {&parts.views, &parts.flats, &parts.darks})
    for (const EdfFrame& frame : *frames)
      if (all.empty() || all.back().path != frame.file) all.push_back({frame.file, std::nullopt});
  return std::make_shared<InputFiles>(parts.info.path, std::move(all));
}

class EdfScan final : public ScanReader {
 public:
  explicit EdfScan(EdfScanParts parts)
      : parts_(std::move(parts)), inputs_(input_files(parts_)), workers_(parts_.threads) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const std::vector<EdfFrame>& frames = region.kind == Frames::views   ? parts_.views
                                          : region.kind == Frames::flats ? parts_.flats
                                                                         : parts_.darks;
    if (!Range({0, static_cast<int64_t>(frames.size())}).contains(region.frames) ||
        !Range({0, info().rows}).contains(region.rows) || !Range({0, info().cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info().path.string());
    if (out.numel() == 0) return ok();
    const bool are_sums = region.kind == Frames::darks && parts_.dark_sum != 1;
    if (out.scalar_type() == at::kFloat) {
      TL_TRY(read_frames(frames, region, out.data_ptr<float>(), out.stride(0)));
      if (are_sums) out.div_(parts_.dark_sum);
      return ok();
    }
    if (are_sums) return unavailable("its darks are averages, not counts", info().path.string());
    return read_frames(frames, region, out.data_ptr<uint16_t>(), out.stride(0));
  }

 private:
  // `step` is the frame stride in elements.
  template <class T>
  Result<void> read_frames(const std::vector<EdfFrame>& frames, const FrameRegion& region, T* to, int64_t step) {
    const int64_t count = region.frames.size(), pixels = region.rows.size() * region.cols.size();
    const auto frame = [&](int64_t i) -> const EdfFrame& {
      return frames[static_cast<std::size_t>(region.frames.begin + i)];
    };
    // Images of one file are read in sequence; several files are read by several threads.
    constexpr int64_t worth_threads = int64_t{1} << 16;  // pixels
    constexpr double for_file = 1e-3;                    // [s] to open it and to read its headers
    allow_more_cpu_time(static_cast<double>(count) * for_file +
                        cpu_time_for(count * region.rows.size() * info().cols * static_cast<int64_t>(sizeof(double))));
    if (count < 2 || count * pixels < worth_threads || frame(0).file == frame(count - 1).file) {
      for (int64_t i = 0; i < count; ++i) {
        if (!open_ || open_->path() != frame(i).file) {
          TL_TRY(open_, EdfFile::open(frame(i).file));
        }
        TL_TRY(read_frame(*open_, frame(i), region, to + i * step));
      }
      return ok();
    }
    std::vector<Result<void>> done(static_cast<std::size_t>(count), ok());
    workers_.run(
        count, [&](int64_t i) { done[static_cast<std::size_t>(i)] = open_and_read(frame(i), region, to + i * step); });
    for (const Result<void>& one : done) {
      TL_TRY(one);
    }
    return ok();
  }
  template <class T>
  [[nodiscard]] Result<void> open_and_read(const EdfFrame& frame, const FrameRegion& region, T* to) const {
    TL_TRY(const EdfFile file, EdfFile::open(frame.file));
    return read_frame(file, frame, region, to);
  }
  template <class T>
  [[nodiscard]] Result<void> read_frame(const EdfFile& file, const EdfFrame& frame, const FrameRegion& region,
                                        T* to) const {
    if (frame.image >= static_cast<int64_t>(file.images().size()))
      return io_error("the file holds " + counted(static_cast<int64_t>(file.images().size()), "image") +
                          " instead of " + std::to_string(frame.image + 1),
                      file.path().string(), "It is not whole, or changed while it was read");
    const EdfImage& image = file.images()[static_cast<std::size_t>(frame.image)];
    if (image.rows != info().rows || image.cols != info().cols)
      return invalid("the frame has " + std::to_string(image.cols) + " x " + std::to_string(image.rows) +
                         " pixels, the first one " + std::to_string(info().cols) + " x " + std::to_string(info().rows),
                     file.path().string(), "All frames of a scan have the same size: remove the odd one");
    if (image.pixels != file.path() && !parts_.files_with_pixels.contains(image.pixels))
      return io_error("its pixels are in another file, " + printable(image.pixels.filename().string()) +
                          ", unlike those of the first frame",
                      file.path().string(), "Save the frames of a scan in the same way");
    return file.read(image, region.rows, region.cols, to);
  }

  EdfScanParts parts_;
  std::shared_ptr<InputFiles> inputs_;
  WorkerThreads workers_;
  std::optional<EdfFile> open_;
};

// One frame per image. If the first file has one image, all are taken to have one. Images of files with several count
// on, whatever the numbers of the files.
Result<std::vector<EdfFrame>> frames_of(const std::vector<NumberedFile>& files) {
  std::vector<EdfFrame> frames;
  bool several = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    int64_t images = 1;
    if (i == 0 || several) {
      TL_TRY(const EdfFile file, EdfFile::open(files[i].file));
      images = static_cast<int64_t>(file.images().size());
      several = several || images > 1;
    }
    for (int64_t k = 0; k < images; ++k)
      frames.push_back({files[i].file, k, several ? static_cast<int64_t>(frames.size()) : files[i].number});
  }
  return frames;
}

// Flats that are images of one file were taken at the same time.
Result<std::vector<EdfFrame>> flats_of(const std::vector<NumberedFile>& files) {
  TL_TRY(std::vector<EdfFrame> frames, frames_of(files));
  for (EdfFrame& frame : frames)
    frame.number =
        std::find_if(files.begin(), files.end(), [&](const NumberedFile& f) { return f.file == frame.file; })->number;
  return frames;
}

// Files with pixels to which the headers refer, if that of the first frame does.
Result<void> find_files_with_pixels(const std::vector<EdfFrame>& frames, SourceFiles& sources, EdfScanParts& parts) {
  const fs::path* before = nullptr;
  for (const EdfFrame& frame : frames) {
    if (before != nullptr && *before == frame.file) continue;
    before = &frame.file;
    TL_TRY(const EdfFile file, EdfFile::open(frame.file));
    bool any = false;
    for (const EdfImage& image : file.images()) {
      if (image.pixels == frame.file) continue;
      any = true;
      if (parts.files_with_pixels.contains(image.pixels)) continue;
      const auto stamp = stamp_of(image.pixels);
      if (!stamp || !sources.admits(image.pixels))
        return io_error("the file with its pixels, " + printable(image.pixels.filename().string()) +
                            (stamp ? ", may not be read" : ", is missing"),
                        frame.file.string(), "Put it beside the EDF file");
      sources.add(image.pixels, *stamp);
      parts.files_with_pixels.insert(image.pixels);
      parts.other_files.push_back({image.pixels, stamp});
    }
    if (!any) break;
  }
  return ok();
}

void note_outside_files(const SourceFiles& sources, ScanInfo& info) {
  const auto outside = sources.outside();
  if (outside.empty()) return;
  info.outside.push_back(
      "Pixels are read from outside the scan's folder, as asked for: " + printable(outside.front().string()) +
      (outside.size() > 1 ? " and " + counted(static_cast<int64_t>(outside.size()) - 1, "other") : std::string()) +
      ".");
  info.notes.push_back(info.outside.back());
}

// Views with the numbers TOMO_N and more were taken after the scan, at angles already seen, to show what moved.
Result<void> leave_out_later_views(const EsrfInfo& stated, int64_t first, EdfScanParts& parts) {
  const auto is_later = [&](const EdfFrame& frame) { return *frame.number - first >= stated.views; };
  const auto later = static_cast<int64_t>(std::count_if(parts.views.begin(), parts.views.end(), is_later));
  if (later == static_cast<int64_t>(parts.views.size()))
    return invalid("no view has a number below TOMO_N = " + std::to_string(stated.views), parts.info.path.string(),
                   "Copy the missing frames, or correct " + stated.file.path.filename().string());
  std::erase_if(parts.views, is_later);
  if (later > 0)
    parts.info.notes.push_back(counted(later, "frame") + " with the number TOMO_N = " + std::to_string(stated.views) +
                               " or more, taken after the scan, left out.");
  return ok();
}

// Numbers count from 0; from 1 if there is none above TOMO_N.
int64_t first_number(const EdfScanParts& parts, int64_t views) {
  const int64_t first = *parts.views.front().number, last = *parts.views.back().number;
  return first == 1 && (views == 0 || last == views) ? 1 : 0;
}

void note_missing_views(int64_t first, EdfScanParts& parts) {
  const int64_t last = *parts.views.back().number;
  const int64_t missing = last - first + 1 - static_cast<int64_t>(parts.views.size());
  if (missing <= 0) return;
  int64_t expected = first;
  for (const EdfFrame& view : parts.views)
    if (*view.number == expected) ++expected;
  parts.info.notes.push_back(counted(missing, "view") + " below number " + std::to_string(last) +
                             " missing, the first is " + std::to_string(expected) + ".");
}

// Angle i of view i is i ScanRange / TOMO_N.
Result<void> use_numbers(const std::optional<EsrfInfo>& stated, const ScanChoices& choices, EdfScanParts& parts) {
  const int64_t views = stated ? stated->views : 0;
  const int64_t first = first_number(parts, views);
  if (views > 0) TL_TRY(leave_out_later_views(*stated, first, parts));
  note_missing_views(first, parts);
  ScanInfo& info = parts.info;
  if (static_cast<int64_t>(parts.views.size()) < views)
    info.notes.push_back("There are " + counted(static_cast<int64_t>(parts.views.size()), "view") + " of the " +
                         std::to_string(views) + " that TOMO_N states: the scan was cut short, or is not whole.");
  for (const EdfFrame& flat : parts.flats) {
    const auto is_before = [&](const EdfFrame& view) { return !flat.number || *view.number < *flat.number; };
    const bool after = flat.number ? true : is_taken_after_scan(edf_stem(flat.file));
    const auto before = after ? std::count_if(parts.views.begin(), parts.views.end(), is_before) : 0;
    info.flat_positions.push_back(static_cast<double>(before) - 0.5);
  }
  if (choices.gives_angles() || views == 0 || !stated->range) return ok();
  const double step = *stated->range / static_cast<double>(views);
  info.angles = {
      {}, Origin::file, "ScanRange / TOMO_N times the number (" + stated->file.path.filename().string() + ")"};
  for (const EdfFrame& view : parts.views)
    info.angles.value.push_back(step * static_cast<double>(*view.number - first));
  info.notes.push_back(rotation_note(info.angles.source));
  return ok();
}

void use_info_file(const EsrfInfo& stated, EdfScanParts& parts) {
  ScanInfo& info = parts.info;
  parts.other_files.push_back(stated.file);
  info.notes.insert(info.notes.end(), stated.notes.begin(), stated.notes.end());
  if (stated.pixel_size) info.pixel_size_u = info.pixel_size_v = *stated.pixel_size;
  info.energy = stated.energy;
  info.axis_to_detector = stated.axis_to_detector;
}

// A single image darkend0000.edf is the sum of DARK_N darks.
void divide_sum_of_darks(const std::optional<EsrfInfo>& stated, const EdfFolder& folder, EdfScanParts& parts) {
  if (folder.dark_files != DarkFiles::as_measured || parts.darks.size() != 1) return;
  const std::string name = parts.darks.front().file.filename().string();
  if (!stated || stated->darks == 0) {
    parts.info.notes.push_back(name + " may be the sum of several darks; how many is not known: it counts as one.");
  } else if (stated->darks > 1) {
    parts.dark_sum = static_cast<double>(stated->darks);
    parts.info.notes.push_back(name + " counts as the sum of DARK_N = " + std::to_string(stated->darks) +
                               " darks, and is divided by it.");
  }
}

// The files of the scan: those of a folder, or one of many images with flats and darks beside it.
Result<EdfFolder> files_of_scan(const fs::path& path, ScanInfo& info) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  const fs::path given = absolute.has_filename() ? absolute : absolute.parent_path();
  const bool is_folder = fs::is_directory(given, failed);
  EdfFolder sorted;
  int64_t images = 1;
  if (!is_folder) {
    TL_TRY(const EdfFile file, EdfFile::open(given));
    images = static_cast<int64_t>(file.images().size());
  }
  const std::string wanted = is_folder ? given.filename().string() : images > 1 ? edf_stem(given) : prefix_of(given);
  sorted = sort_edf_folder(is_folder ? given : given.parent_path(), wanted);
  if (images > 1) {
    sorted.prefix = wanted;
    sorted.views = {{given, std::nullopt}};
    sorted.notes.clear();
  } else if (sorted.views.empty()) {
    return invalid("there is no EDF file called NAME and a number", path.string(),
                   "Frames are called, for example, scan_0000.edf; a file with all frames of a scan is opened itself");
  } else if (!is_folder) {
    info.notes.push_back("One frame was named: its folder was read, " +
                         counted(static_cast<int64_t>(sorted.views.size()), "file") + ".");
  }
  return sorted;
}

Result<void> measure_edf_frames(EdfScanParts& parts, const ScanAccess& access) {
  ScanInfo& info = parts.info;
  TL_TRY(const EdfFile first, EdfFile::open(parts.views.front().file));
  // Each thread unpacks a file.
  allow_memory_for(first.is_unpacked() ? first.length() * (access.threads + 1) : first.length());
  const EdfImage& image = first.images().front();
  info.rows = image.rows;
  info.cols = image.cols;
  info.pixel_type = name_of(image.sample);
  info.views = static_cast<int64_t>(parts.views.size());
  info.flats = static_cast<int64_t>(parts.flats.size());
  info.darks = static_cast<int64_t>(parts.darks.size());
  parts.threads = access.threads;
  return check_sizes(info.views, info.rows, info.cols, info.path.string());
}

// A folder with more TIFF than EDF frames is one of TIFF.
int sniff_esrf_edf(const fs::path& path, const ScanAccess& /*access*/) {
  constexpr int more_than_tiff = 65, less_than_tiff = 55;
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return is_edf_name(path) && EdfFile::is_edf(path) ? 80 : 0;
  const std::size_t frames = edf_files(path).size();
  return frames == 0 ? 0 : frames >= tiff_files(path).size() ? more_than_tiff : less_than_tiff;
}

Result<std::unique_ptr<ScanReader>> open_esrf_edf(const fs::path& path, const ScanAccess& access) {
  if (!access.choices.angles_dataset.empty())
    return invalid("EDF frames hold no datasets", path.string(),
                   "Give the angles as a text file or as first angle and step");
  if (access.choices.order == FrameOrder::sinograms)
    return invalid("EDF frames are views, not sinograms", path.string(), "Leave the order of the frames to the file");
  EdfScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "esrf_edf";
  TL_TRY(const EdfFolder folder, files_of_scan(path, info));
  info.notes.insert(info.notes.end(), folder.notes.begin(), folder.notes.end());
  std::optional<EsrfInfo> stated;
  if (const auto file = find_esrf_info(folder.views.front().file.parent_path(), folder.prefix)) {
    TL_TRY(stated, read_esrf_info(*file));
    use_info_file(*stated, parts);
  }
  TL_TRY(parts.views, frames_of(folder.views));
  TL_TRY(parts.flats, flats_of(folder.flats));
  std::vector<NumberedFile> darks;
  for (const fs::path& file : folder.darks) darks.push_back({file, std::nullopt});
  TL_TRY(parts.darks, frames_of(darks));
  divide_sum_of_darks(stated, folder, parts);
  TL_TRY(use_numbers(stated, access.choices, parts));
  for (const auto* frames : {&parts.views, &parts.flats, &parts.darks})
    TL_TRY(find_files_with_pixels(*frames, *access.sources, parts));
  note_outside_files(*access.sources, info);
  TL_TRY(measure_edf_frames(parts, access));
  TL_TRY(apply(access.choices, info));
  note_missing_references(info);
  guess_missing(info);
  auto reader = std::make_unique<EdfScan>(std::move(parts));
  const ScanInfo& found = reader->info();
  // The other frames are checked when they are read.
  TL_TRY(reader->read({{found.views - 1, found.views}, {found.rows - 1, found.rows}, {0, 1}}));
  TL_TRY(reader->read_flats({0, 1}, {0, 1}));
  TL_TRY(reader->read_darks({0, 1}, {0, 1}));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(esrf_edf) {
  return {"esrf_edf",
          "ESRF EDF",
          ".edf",
          "A folder of EDF frames with refHST, dark and .info files, or one EDF file of many images.",
          tl::io::sniff_esrf_edf,
          tl::io::open_esrf_edf};
}
