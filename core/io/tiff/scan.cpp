// Reads the frames of scans stored as TIFF, with one or many pages per file: shared by TIFF stacks, Nikon scans and
// scans with a measured geometry.
#include "core/io/tiff/scan.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/io/bytes/reader_limits.h"
#include "core/io/bytes/worker_threads.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/sinograms.h"
#include "core/io/tiff/description.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Frames without stamps: thousands of files are checked only when they are read.
std::shared_ptr<InputFiles> files_of(const TiffScanParts& parts) {
  std::vector<InputFile> all = parts.text_files;
  for (const auto* frames : {&parts.views, &parts.flats, &parts.darks})
    for (const TiffFrame& frame : *frames)
      if (all.empty() || all.back().path != frame.file) all.push_back({frame.file, std::nullopt});
  return std::make_shared<InputFiles>(parts.info.path, std::move(all));
}

class TiffScan final : public ScanReader {
 public:
  TiffScan(TiffScanParts parts, FrameOrder order)
      : parts_(std::move(parts)), order_(order), inputs_(files_of(parts_)), workers_(parts_.threads) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }
  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const bool sinograms = region.kind == Frames::views && order_ == FrameOrder::sinograms;
    if (!Range({0, count_of(region.kind)}).contains(region.frames) || !Range({0, info().rows}).contains(region.rows) ||
        !Range({0, info().cols}).contains(region.cols))
      return invalid("the requested frames, rows or columns lie outside the scan", info().path.string());
    if (region.kind != Frames::views && parts_.references) return fill(region.kind, out);
    const std::vector<TiffFrame>& frames = frames_of(region.kind);
    if (!sinograms) return read_frames(frames, region.frames, region.rows, region.cols, out);
    const at::Tensor rows = at::empty({region.rows.size(), region.frames.size(), region.cols.size()}, out.options());
    TL_TRY(read_frames(frames, region.rows, region.frames, region.cols, rows));
    copy_sinograms(rows, out);
    return ok();
  }

 private:
  [[nodiscard]] int64_t count_of(Frames kind) const {
    return kind == Frames::views ? info().views : kind == Frames::flats ? info().flats : info().darks;
  }
  [[nodiscard]] const std::vector<TiffFrame>& frames_of(Frames kind) const {
    return kind == Frames::views ? parts_.views : kind == Frames::flats ? parts_.flats : parts_.darks;
  }
  // Rows and columns of a frame as stored in its file.
  [[nodiscard]] bool on_its_side() const { return parts_.layout == FrameLayout::on_its_side; }
  [[nodiscard]] int64_t stored_rows() const {
    return order_ == FrameOrder::sinograms ? info().views : on_its_side() ? info().cols : info().rows;
  }
  [[nodiscard]] int64_t stored_cols() const { return on_its_side() ? info().rows : info().cols; }

  [[nodiscard]] Result<void> fill(Frames kind, const at::Tensor& out) const {
    if (out.scalar_type() != at::kFloat)
      return unavailable("the references of this scan are not counts of the detector", info().path.string());
    out.fill_(kind == Frames::flats ? parts_.references->flat : parts_.references->dark);
    return ok();
  }
  Result<void> read_frames(const std::vector<TiffFrame>& frames, Range which, Range rows, Range cols,
                           const at::Tensor& out) {
    if (out.scalar_type() == at::kUInt16)
      return read_frames(frames, which, rows, cols, out.data_ptr<uint16_t>(), out.stride(0));
    return read_frames(frames, which, rows, cols, out.data_ptr<float>(), out.stride(0));
  }
  // `step` is the frame stride in elements.
  template <class T>
  Result<void> read_frames(const std::vector<TiffFrame>& frames, Range which, Range rows, Range cols, T* to,
                           int64_t step) {
    const int64_t pixels = rows.size() * cols.size(), count = which.size();
    if (count * pixels == 0) return ok();
    const auto frame = [&](int64_t i) -> const TiffFrame& { return frames[static_cast<std::size_t>(which.begin + i)]; };
    // Pages of one file are read in sequence; several files are read by several threads.
    constexpr int64_t worth_threads = int64_t{1} << 16;  // pixels
    const bool apart = count > 1 && count * pixels >= worth_threads && frame(0).file != frame(count - 1).file;
    // Strips and tiles can only be decompressed as a whole.
    allow_more_cpu_time(cpu_time_for(count * stored_rows() * stored_cols() * static_cast<int64_t>(sizeof(double))));
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
  [[nodiscard]] Result<void> read_file(const TiffFrame& frame, Range rows, Range cols, T* to) const {
    TL_TRY(TiffFile file, TiffFile::open(frame.file));
    return read_frame(file, frame, rows, cols, to);
  }
  template <class T>
  Result<void> read_frame(TiffFile& file, const TiffFrame& frame, Range rows, Range cols, T* to) const {
    TL_TRY(const TiffPage page, page_of_frame(file, frame));
    TL_TRY(same_shape(page, frame.file));
    if (parts_.layout == FrameLayout::as_stored) return file.read(frame.page, rows, cols, to);
    if (on_its_side()) return read_on_its_side(file, frame.page, rows, cols, to);
    const bool columns = parts_.layout != FrameLayout::mirrored_rows,
               lines = parts_.layout != FrameLayout::mirrored_columns;
    const Range in_rows = lines ? Range{info().rows - rows.end, info().rows - rows.begin} : rows;
    const Range in_cols = columns ? Range{info().cols - cols.end, info().cols - cols.begin} : cols;
    TL_TRY(file.read(frame.page, in_rows, in_cols, to));
    // Reversing all pixels reverses the rows and the columns.
    const int64_t width = cols.size(), height = rows.size();
    if (lines) std::reverse(to, to + width * height);
    if (lines != columns)
      for (int64_t r = 0; r < height; ++r) std::reverse(to + r * width, to + (r + 1) * width);
    return ok();
  }
  template <class T>
  Result<void> read_on_its_side(TiffFile& file, int64_t page, Range rows, Range cols, T* to) const {
    std::vector<T> stored(static_cast<std::size_t>(rows.size() * cols.size()));
    TL_TRY(file.read(page, {info().cols - cols.end, info().cols - cols.begin}, rows, stored.data()));
    for (int64_t c = 0; c < cols.size(); ++c) {
      const T* from = stored.data() + (cols.size() - 1 - c) * rows.size();
      for (int64_t r = 0; r < rows.size(); ++r) to[r * cols.size() + c] = from[r];
    }
    return ok();
  }
  Result<void> open(const fs::path& file) {
    if (open_ && open_path_ == file) return ok();
    TL_TRY(TiffFile next, TiffFile::open(file));
    open_ = std::move(next);
    open_path_ = file;
    return ok();
  }
  [[nodiscard]] Result<void> same_shape(const TiffPage& page, const fs::path& file) const {
    if (page.rows == stored_rows() && page.cols == stored_cols()) return ok();
    return invalid("the frame has " + std::to_string(page.rows) + " x " + std::to_string(page.cols) +
                       " pixels, the first one " + std::to_string(stored_rows()) + " x " +
                       std::to_string(stored_cols()),
                   file.string(), "All frames of a stack have the same size: remove the odd one");
  }

  TiffScanParts parts_;
  FrameOrder order_;
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

}  // namespace

Result<TiffPage> page_of_frame(TiffFile& file, const TiffFrame& frame) {
  TL_TRY(TiffPage page, file.page(frame.page));
  if (frame.pages == 1 && !file.is_last_page())
    return invalid("the file has several pages, the first file has one", frame.file.string(),
                   "All files of a stack have as many pages: take the odd one out of the folder");
  return page;
}

Result<std::vector<TiffFrame>> tiff_frames(const std::vector<fs::path>& files) {
  std::vector<TiffFrame> frames;
  bool many = false;
  TiffDescription stated;
  for (std::size_t i = 0; i < files.size(); ++i) {
    int64_t pages = 1;
    if (i == 0 || many) {
      TL_TRY(TiffFile file, TiffFile::open(files[i]));
      TL_TRY(pages, file.pages());
      many = pages > 1;
      if (i == 0) stated = tiff_description(file.description());
    }
    for (int64_t p = 0; p < pages; ++p) frames.push_back({files[i], p, pages});
  }
  const auto count = static_cast<int64_t>(frames.size());
  if (count > 1 && stated.images == count) TL_TRY(check_tiff_axes(stated, count, files.front().string()));
  return frames;
}

Result<void> measure_frames(TiffScanParts& parts, const ScanAccess& access) {
  ScanInfo& info = parts.info;
  if (!access.choices.angles_dataset.empty())
    return invalid("TIFF frames hold no datasets", info.path.string(),
                   "Give the angles as a text file or as first angle and step");
  TL_TRY(TiffFile first, TiffFile::open(parts.views.front().file));
  allow_memory_for(first.length() * access.threads);
  TL_TRY(const TiffPage page, first.page(0));
  info.views = static_cast<int64_t>(parts.views.size());
  TL_TRY(check_sizes(info.views, page.rows, page.cols, info.path.string()));
  info.pixel_type = page.type;
  info.rows = page.rows;
  info.cols = page.cols;
  info.flats = parts.references ? 1 : static_cast<int64_t>(parts.flats.size());
  info.darks = parts.references ? 1 : static_cast<int64_t>(parts.darks.size());
  if (access.choices.order == FrameOrder::sinograms) std::swap(info.views, info.rows);
  if (parts.layout == FrameLayout::on_its_side) std::swap(info.rows, info.cols);
  parts.threads = threads_for(first, page, access.threads);
  return ok();
}

Result<std::unique_ptr<ScanReader>> make_tiff_scan(TiffScanParts parts, FrameOrder order) {
  auto reader = std::make_unique<TiffScan>(std::move(parts), order);
  const ScanInfo& found = reader->info();
  TL_TRY(reader->read({{found.views - 1, found.views}, {found.rows - 1, found.rows}, {0, 1}}));
  TL_TRY(reader->read_flats({0, 1}, {0, 1}));
  TL_TRY(reader->read_darks({0, 1}, {0, 1}));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

Result<std::unique_ptr<ScanReader>> open_tiff_frames(const std::vector<fs::path>& files, const fs::path& path,
                                                     const ScanAccess& access) {
  TiffScanParts parts;
  parts.info.path = path;
  parts.info.format = frames_format;
  TL_TRY(parts.views, tiff_frames(files));
  TL_TRY(measure_frames(parts, access));
  return make_tiff_scan(std::move(parts), FrameOrder::views);
}

}  // namespace tl::io
