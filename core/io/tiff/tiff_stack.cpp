// Reads TIFF stacks: a folder of frames with flats and darks in it or beside it, or one file of many pages.
#include <ATen/ATen.h>

#include <algorithm>
#include <optional>

#include "core/io/format.h"
#include "core/io/frame_names.h"
#include "core/io/process/reader_limits.h"
#include "core/io/scan_checks.h"
#include "core/io/sinograms.h"
#include "core/io/tiff/file.h"
#include "core/io/worker_threads.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct Frame {
  fs::path file;
  int64_t page = 0;
};

struct StackFrames {
  std::vector<Frame> views, flats, darks;
  [[nodiscard]] const std::vector<Frame>& of(Frames kind) const {
    return kind == Frames::views ? views : kind == Frames::flats ? flats : darks;
  }
};

// Without stamps: thousands of files are checked only when they are read.
std::shared_ptr<InputFiles> files_of(const fs::path& scan, const StackFrames& frames) {
  std::vector<InputFile> all;
  for (const Frames kind : {Frames::views, Frames::flats, Frames::darks})
    for (const Frame& frame : frames.of(kind))
      if (all.empty() || all.back().path != frame.file) all.push_back({frame.file, std::nullopt});
  return std::make_shared<InputFiles>(scan, std::move(all));
}

class TiffStack final : public ScanReader {
 public:
  TiffStack(ScanInfo info, TiffPage shape, FrameOrder order, StackFrames frames, int64_t threads)
      : info_(std::move(info)),
        shape_(std::move(shape)),
        order_(order),
        frames_(std::move(frames)),
        inputs_(files_of(info_.path, frames_)),
        workers_(threads) {}

  [[nodiscard]] const ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }
  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const std::vector<Frame>& frames = frames_.of(region.kind);
    const bool sinograms = region.kind == Frames::views && order_ == FrameOrder::sinograms;
    if (!Range({0, sinograms ? info_.views : static_cast<int64_t>(frames.size())}).contains(region.frames) ||
        !Range({0, info_.rows}).contains(region.rows) || !Range({0, info_.cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info_.path.string());
    if (!sinograms) return read_frames(frames, region.frames, region.rows, region.cols, out);
    const at::Tensor rows = at::empty({region.rows.size(), region.frames.size(), region.cols.size()}, out.options());
    TL_TRY(read_frames(frames, region.rows, region.frames, region.cols, rows));
    copy_sinograms(rows, out);
    return ok();
  }

 private:
  Result<void> read_frames(const std::vector<Frame>& frames, Range which, Range rows, Range cols,
                           const at::Tensor& out) {
    if (out.scalar_type() == at::kUInt16)
      return read_frames(frames, which, rows, cols, out.data_ptr<uint16_t>(), out.stride(0));
    return read_frames(frames, which, rows, cols, out.data_ptr<float>(), out.stride(0));
  }
  // `step` is the frame stride in elements.
  template <class T>
  Result<void> read_frames(const std::vector<Frame>& frames, Range which, Range rows, Range cols, T* to, int64_t step) {
    const int64_t pixels = rows.size() * cols.size(), count = which.size();
    if (count * pixels == 0) return ok();
    const auto frame = [&](int64_t i) -> const Frame& { return frames[static_cast<std::size_t>(which.begin + i)]; };
    // Pages of one file are read in sequence; several files are read by several threads.
    constexpr int64_t worth_threads = int64_t{1} << 16;  // pixels
    const bool apart = count > 1 && count * pixels >= worth_threads && frame(0).file != frame(count - 1).file;
    // Strips and tiles are decompressed as a whole.
    allow_more_cpu_time(cpu_time_for(count * shape_.rows * shape_.cols * static_cast<int64_t>(sizeof(double))));
    if (!apart) {
      for (int64_t i = 0; i < count; ++i) {
        TL_TRY(open(frame(i).file));
        TL_TRY(read_frame(*open_, frame(i), rows, cols, to + i * step));
      }
      return ok();
    }
    std::vector<Result<void>> done(static_cast<std::size_t>(count), ok());
    workers_.run(
        count, [&](int64_t i) { done[static_cast<std::size_t>(i)] = read_file(frame(i), rows, cols, to + i * step); });
    for (const Result<void>& one : done) {
      TL_TRY(one);
    }
    return ok();
  }
  template <class T>
  [[nodiscard]] Result<void> read_file(const Frame& frame, Range rows, Range cols, T* to) const {
    TL_TRY(TiffFile file, TiffFile::open(frame.file));
    return read_frame(file, frame, rows, cols, to);
  }
  template <class T>
  Result<void> read_frame(TiffFile& file, const Frame& frame, Range rows, Range cols, T* to) const {
    TL_TRY(const TiffPage page, file.page(frame.page));
    TL_TRY(same_shape(page, frame.file));
    return file.read(frame.page, rows, cols, to);
  }
  Result<void> open(const fs::path& file) {
    if (open_ && open_path_ == file) return ok();
    TL_TRY(TiffFile next, TiffFile::open(file));
    open_ = std::move(next);
    open_path_ = file;
    return ok();
  }
  [[nodiscard]] Result<void> same_shape(const TiffPage& page, const fs::path& file) const {
    if (page.rows == shape_.rows && page.cols == shape_.cols) return ok();
    return invalid("the frame has " + std::to_string(page.rows) + " x " + std::to_string(page.cols) +
                       " pixels, the first one " + std::to_string(shape_.rows) + " x " + std::to_string(shape_.cols),
                   file.string(), "All frames of a stack have the same size: remove the odd one");
  }

  ScanInfo info_;
  TiffPage shape_;
  FrameOrder order_;
  StackFrames frames_;
  std::shared_ptr<InputFiles> inputs_;
  WorkerThreads workers_;
  std::optional<TiffFile> open_;
  fs::path open_path_;
};

// Number of threads within the allowed memory: each may decompress a strip or tile of up to a frame.
int64_t threads_for(TiffFile& file, const TiffPage& page, int64_t threads) {
  if (file.stored_as_used()) return threads;
  const int64_t frame = page.rows * page.cols * static_cast<int64_t>(sizeof(double));
  return std::clamp(allowed_memory() / 2 / frame, int64_t{1}, threads);
}

// The files of the three kinds, and notes about where the references come from.
struct Lists {
  std::vector<fs::path> views, flats, darks;
  std::vector<std::string> notes;
};

void take_references(const fs::path& beside, const fs::path& scan, Lists& lists) {
  for (const fs::path& folder : subfolders(beside)) {
    const FrameKind kind = frame_kind(folder.filename().string());
    if (folder == scan || kind == FrameKind::projection) continue;
    const auto files = tiff_files(folder);
    auto& list = kind == FrameKind::flat ? lists.flats : lists.darks;
    list.insert(list.end(), files.begin(), files.end());
    if (!files.empty())
      lists.notes.push_back((kind == FrameKind::flat ? "Flats" : "Darks") + std::string(" come from the folder ") +
                            folder.filename().string() + ".");
  }
}

// The folder of the projections: the given one, or its only subfolder with frames that are not references.
fs::path frames_folder(const fs::path& folder) {
  if (has_tiff_files(folder)) return folder;
  std::vector<fs::path> candidates;
  for (const fs::path& sub : subfolders(folder))
    if (frame_kind(sub.filename().string()) == FrameKind::projection && has_tiff_files(sub)) candidates.push_back(sub);
  return candidates.size() == 1 ? candidates.front() : folder;
}

Lists lists_of(const fs::path& folder) {
  Lists lists;
  for (const fs::path& file : tiff_files(folder)) {
    const FrameKind kind = frame_kind(file.stem().string());
    (kind == FrameKind::projection ? lists.views : kind == FrameKind::flat ? lists.flats : lists.darks).push_back(file);
  }
  // The sample may be called "flat": references alone are not a scan.
  if (lists.views.empty() && !(lists.flats.empty() && lists.darks.empty())) {
    lists = {};
    lists.views = tiff_files(folder);
    lists.notes.emplace_back("All names look like flats or darks: all count as projections.");
  }
  if (lists.flats.empty() && lists.darks.empty()) take_references(folder, folder, lists);
  if (lists.flats.empty() && lists.darks.empty() && folder.has_parent_path())
    take_references(folder.parent_path(), folder, lists);
  return lists;
}

// One frame per page. If the first file has one page, all are taken to have one.
Result<std::vector<Frame>> frames_of(const std::vector<fs::path>& files) {
  std::vector<Frame> frames;
  bool many = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    int64_t pages = 1;
    if (i == 0 || many) {
      TL_TRY(TiffFile file, TiffFile::open(files[i]));
      TL_TRY(pages, file.pages());
      many = pages > 1;
    }
    for (int64_t p = 0; p < pages; ++p) frames.push_back({files[i], p});
  }
  return frames;
}

int sniff_tiff_stack(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return has_tiff_files(frames_folder(path)) ? 60 : 0;
  return TiffFile::is_tiff(path) ? 60 : 0;
}

Result<std::unique_ptr<ScanReader>> open_tiff_stack_scan(const fs::path& path, const ScanAccess& access) {
  if (!access.choices.angles_dataset.empty())
    return invalid("TIFF frames hold no datasets", path.string(),
                   "Give the angles as a text file or as first angle and step");
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  const bool is_folder = fs::is_directory(path, failed);
  Lists lists;
  if (is_folder) {
    const fs::path given = absolute.has_filename() ? absolute : absolute.parent_path();
    lists = lists_of(frames_folder(given));
    if (lists.views.empty())
      return invalid("the folder holds no TIFF frames", path.string(), "Frames end in .tif or .tiff");
  } else {
    TL_TRY(TiffFile file, TiffFile::open(path));
    TL_TRY(const int64_t pages, file.pages());
    if (pages > 1) {
      lists.views = {absolute};
      take_references(absolute.parent_path(), {}, lists);
    } else {
      lists = lists_of(absolute.parent_path());
      lists.notes.push_back("One frame was named: its folder was read, " +
                            counted(static_cast<int64_t>(lists.views.size()), "file") + ".");
    }
  }
  StackFrames frames;
  TL_TRY(frames.views, frames_of(lists.views));
  TL_TRY(frames.flats, frames_of(lists.flats));
  TL_TRY(frames.darks, frames_of(lists.darks));
  const std::vector<Frame>& views = frames.views;
  TL_TRY(TiffFile first, TiffFile::open(views.front().file));
  allow_memory_for(first.length() * access.threads);
  TL_TRY(const TiffPage shape, first.page(0));
  TL_TRY(check_sizes(static_cast<int64_t>(views.size()), shape.rows, shape.cols, path.string()));

  ScanInfo info;
  info.path = path;
  info.format = "tiff_stack";
  info.pixel_type = shape.type;
  info.views = static_cast<int64_t>(views.size());
  info.flats = static_cast<int64_t>(frames.flats.size());
  info.darks = static_cast<int64_t>(frames.darks.size());
  info.rows = shape.rows;
  info.cols = shape.cols;
  if (access.choices.order == FrameOrder::sinograms) std::swap(info.views, info.rows);
  info.notes = std::move(lists.notes);
  TL_TRY(apply(access.choices, info));
  for (const Frame& flat : frames.flats) {
    const bool after = is_taken_after_scan(flat.file.stem().string()) ||
                       (flat.file.parent_path() != views.front().file.parent_path() &&
                        is_taken_after_scan(flat.file.parent_path().filename().string()));
    info.flat_positions.push_back(after ? static_cast<double>(info.views) - 0.5 : -0.5);
  }
  note_missing_references(info);
  guess_missing(info);
  const int64_t threads = threads_for(first, shape, access.threads);
  auto reader = std::make_unique<TiffStack>(std::move(info), shape, access.choices.order, std::move(frames), threads);
  // Reads the last frame of each kind, so that a folder of mixed sizes is noticed now; the others are checked when
  // read.
  const ScanInfo& found = reader->info();
  TL_TRY(reader->read({{found.views - 1, found.views}, {found.rows - 1, found.rows}, {0, 1}}));
  TL_TRY(reader->read_flats({0, 1}, {0, 1}));
  TL_TRY(reader->read_darks({0, 1}, {0, 1}));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(tiff_stack) {
  return {"tiff_stack",
          "TIFF stack",
          ".tif .tiff",
          "A folder of TIFF frames with flats and darks, or one TIFF of many pages.",
          tl::io::sniff_tiff_stack,
          tl::io::open_tiff_stack_scan};
}
