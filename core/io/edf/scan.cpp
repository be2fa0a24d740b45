// Reads the frames of scans stored as EDF, with one or many images per file.
#include "core/io/edf/scan.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/base/printable.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/bytes/worker_threads.h"
#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

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
      return invalid("the requested frames, rows or columns lie outside the scan", info().path.string());
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
    constexpr double for_file = 1e-3;                    // [s] CPU time for opening a file and reading its headers
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
                          ", different from the first frame",
                      file.path().string(), "Save all frames of a scan in the same form");
    return file.read(image, region.rows, region.cols, to);
  }

  EdfScanParts parts_;
  std::shared_ptr<InputFiles> inputs_;
  WorkerThreads workers_;
  std::optional<EdfFile> open_;
};

}  // namespace

Result<std::vector<EdfFrame>> edf_frames(const std::vector<NumberedFile>& files) {
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
                        frame.file.string(), "Put it next to the EDF file");
      sources.add(image.pixels, *stamp);
      parts.files_with_pixels.insert(image.pixels);
      parts.other_files.push_back({image.pixels, stamp});
    }
    if (!any) break;
  }
  return ok();
}

Result<void> measure_edf_frames(EdfScanParts& parts, const ScanAccess& access) {
  ScanInfo& info = parts.info;
  TL_TRY(const EdfFile first, EdfFile::open(parts.views.front().file));
  // Each thread unpacks a file.
  allow_memory_for(first.is_unpacked() ? first.length() * (access.threads + 1) : first.length());
  const EdfImage& image = first.images().front();
  info.rows = image.rows;
  info.cols = image.cols;
  info.pixel_type = sample_name(image.sample);
  info.views = static_cast<int64_t>(parts.views.size());
  info.flats = static_cast<int64_t>(parts.flats.size());
  info.darks = static_cast<int64_t>(parts.darks.size());
  parts.threads = access.threads;
  return check_sizes(info.views, info.rows, info.cols, info.path.string());
}

Result<std::unique_ptr<ScanReader>> make_edf_scan(EdfScanParts parts) {
  auto reader = std::make_unique<EdfScan>(std::move(parts));
  const ScanInfo& found = reader->info();
  // Other frames are checked when they are read.
  TL_TRY(reader->read({{found.views - 1, found.views}, {found.rows - 1, found.rows}, {0, 1}}));
  TL_TRY(reader->read_flats({0, 1}, {0, 1}));
  TL_TRY(reader->read_darks({0, 1}, {0, 1}));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

}  // namespace tl::io
