// Reads TIFF stacks: a folder of frames with flats and darks in it or beside it, or one file of many pages.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <optional>

#include "core/io/format.h"
#include "core/io/frame_names.h"
#include "core/io/scan_checks.h"
#include "core/io/tiff_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct Frame {
  fs::path file;
  int64_t page = 0;
};

class TiffStack final : public ScanReader {
 public:
  TiffStack(ScanInfo info, TiffPage shape, std::vector<Frame> views, std::vector<Frame> flats, std::vector<Frame> darks)
      : info_(std::move(info)),
        shape_(std::move(shape)),
        views_(std::move(views)),
        flats_(std::move(flats)),
        darks_(std::move(darks)) {}

  [[nodiscard]] const ScanInfo& info() const override { return info_; }
  Result<void> read_into(const ScanRegion& region, const at::Tensor& out) override {
    TL_TRY(check_region(info_, region.views, region.rows, region.cols));
    if (out.scalar_type() == at::kUInt16)
      return read_frames(views_, region.views, region.rows, region.cols, out.data_ptr<uint16_t>(), out.stride(0));
    return read_frames(views_, region.views, region.rows, region.cols, out.data_ptr<float>(), out.stride(0));
  }
  Result<at::Tensor> read_flats(Range rows, Range cols) override { return read_all_of(flats_, rows, cols); }
  Result<at::Tensor> read_darks(Range rows, Range cols) override { return read_all_of(darks_, rows, cols); }
  [[nodiscard]] std::vector<fs::path> files() const override {
    std::vector<fs::path> all;
    for (const auto* list : {&views_, &flats_, &darks_})
      for (const Frame& frame : *list)
        if (all.empty() || all.back() != frame.file) all.push_back(frame.file);
    return all;
  }

 private:
  Result<at::Tensor> read_all_of(const std::vector<Frame>& frames, Range rows, Range cols) {
    TL_TRY(check_region(info_, {0, 0}, rows, cols));
    const auto count = static_cast<int64_t>(frames.size());
    TL_TRY(at::Tensor out, new_frames(count, rows.size(), cols.size(), info_.path.string()));
    TL_TRY(read_frames(frames, {0, count}, rows, cols, out.data_ptr<float>(), out.stride(0)));
    return out;
  }
  // Frames lie `step` numbers apart in memory.
  template <class T>
  Result<void> read_frames(const std::vector<Frame>& frames, Range which, Range rows, Range cols, T* to, int64_t step) {
    const int64_t pixels = rows.size() * cols.size(), count = which.size();
    if (count * pixels == 0) return ok();
    const auto frame = [&](int64_t i) -> const Frame& { return frames[static_cast<std::size_t>(which.begin + i)]; };
    // Pages of one file are walked one after the other; files are opened by several threads.
    constexpr int64_t worth_threads = int64_t{1} << 16;  // pixels
    const bool apart = count > 1 && count * pixels >= worth_threads && frame(0).file != frame(count - 1).file;
    if (!apart) {
      for (int64_t i = 0; i < count; ++i) {
        TL_TRY(open(frame(i).file));
        TL_TRY(read_frame(*open_, frame(i), rows, cols, to + i * step));
      }
      return ok();
    }
    std::vector<Result<void>> done(static_cast<std::size_t>(count), ok());
    at::parallel_for(0, count, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        done[static_cast<std::size_t>(i)] = read_file(frame(i), rows, cols, to + i * step);
    });
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
  std::vector<Frame> views_, flats_, darks_;
  std::optional<TiffFile> open_;
  fs::path open_path_;
};

// File lists of the three kinds, and where flats were taken: before the scan or after it.
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

// The folder that holds the projections: the given one, or its only subfolder with frames that are not references.
fs::path frames_folder(const fs::path& folder) {
  if (!tiff_files(folder).empty()) return folder;
  std::vector<fs::path> candidates;
  for (const fs::path& sub : subfolders(folder))
    if (frame_kind(sub.filename().string()) == FrameKind::projection && !tiff_files(sub).empty())
      candidates.push_back(sub);
  return candidates.size() == 1 ? candidates.front() : folder;
}

Lists lists_of(const fs::path& folder) {
  Lists lists;
  for (const fs::path& file : tiff_files(folder)) {
    const FrameKind kind = frame_kind(file.stem().string());
    (kind == FrameKind::projection ? lists.views : kind == FrameKind::flat ? lists.flats : lists.darks).push_back(file);
  }
  // A sample called "flat": references alone are no scan.
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

// One frame per page. A list whose first file has one page holds single pages throughout.
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

int sniff_tiff_stack(const fs::path& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return tiff_files(frames_folder(path)).empty() ? 0 : 60;
  return TiffFile::is_tiff(path) ? 60 : 0;
}

Result<std::unique_ptr<ScanReader>> open_tiff_stack_scan(const fs::path& path) {
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
  TL_TRY(std::vector<Frame> views, frames_of(lists.views));
  TL_TRY(std::vector<Frame> flats, frames_of(lists.flats));
  TL_TRY(std::vector<Frame> darks, frames_of(lists.darks));
  TL_TRY(TiffFile first, TiffFile::open(views.front().file));
  TL_TRY(const TiffPage shape, first.page(0));
  TL_TRY(check_sizes(static_cast<int64_t>(views.size()), shape.rows, shape.cols, path.string()));

  ScanInfo info;
  info.path = path;
  info.format = "tiff_stack";
  info.pixel_type = shape.type;
  info.views = static_cast<int64_t>(views.size());
  info.flats = static_cast<int64_t>(flats.size());
  info.darks = static_cast<int64_t>(darks.size());
  info.rows = shape.rows;
  info.cols = shape.cols;
  info.notes = std::move(lists.notes);
  for (const Frame& flat : flats) {
    const bool after =
        taken_after(flat.file.stem().string()) || (flat.file.parent_path() != views.front().file.parent_path() &&
                                                   taken_after(flat.file.parent_path().filename().string()));
    info.flat_positions.push_back(after ? static_cast<double>(info.views) - 0.5 : -0.5);
  }
  note_missing_references(info);
  guess_missing(info);
  auto reader =
      std::make_unique<TiffStack>(std::move(info), shape, std::move(views), std::move(flats), std::move(darks));
  // The last frame of each kind is looked at now, so that a mixed folder shows before the work; the others when read.
  const ScanInfo& found = reader->info();
  TL_TRY(reader->read({{found.views - 1, found.views}, {0, 1}, {0, 1}}));
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
