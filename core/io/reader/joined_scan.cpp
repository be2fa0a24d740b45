// Reads the frames of a scan from several readers.
#include "core/io/reader/joined_scan.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {

int64_t frames_in(const std::vector<FrameRun>& runs) {
  int64_t count = 0;
  for (const FrameRun& run : runs) count += run.frames.size();
  return count;
}

int64_t count_of_kind(const ScanInfo& info, Frames kind) {
  return kind == Frames::views ? info.views : kind == Frames::flats ? info.flats : info.darks;
}

// Files of the views first, each file once.
std::vector<InputFile> files_of_runs(const JoinedScanParts& parts) {
  std::vector<InputFile> all;
  std::vector<const ScanReader*> done;
  for (const auto* runs : {&parts.views, &parts.flats, &parts.darks})
    for (const FrameRun& run : *runs) {
      if (std::find(done.begin(), done.end(), run.reader.get()) != done.end()) continue;
      done.push_back(run.reader.get());
      for (const InputFile& file : run.reader->inputs()->files()) {
        const auto is_same = [&](const InputFile& one) { return one.path == file.path; };
        // Readers of many files share none: only those of few are searched.
        constexpr std::size_t few = 64;
        const bool known = (all.size() < few || run.reader->inputs()->files().size() < few) &&
                           std::any_of(all.begin(), all.end(), is_same);
        if (!known) all.push_back(file);
      }
    }
  return all;
}

class JoinedScan final : public ScanReader {
 public:
  explicit JoinedScan(JoinedScanParts parts)
      : parts_(std::move(parts)), inputs_(std::make_shared<InputFiles>(parts_.info.path, files_of_runs(parts_))) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& cancel) override {
    const std::vector<FrameRun>& runs = region.kind == Frames::views   ? parts_.views
                                        : region.kind == Frames::flats ? parts_.flats
                                                                       : parts_.darks;
    if (!Range({0, count_of_kind(info(), region.kind)}).contains(region.frames) ||
        !Range({0, info().rows}).contains(region.rows) || !Range({0, info().cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info().path.string());
    if (out.numel() == 0) return ok();
    int64_t first = 0;  // of the run
    for (const FrameRun& run : runs) {
      const int64_t begin = std::max(region.frames.begin, first);
      const int64_t end = std::min(region.frames.end, first + run.frames.size());
      if (begin < end) {
        const int64_t shift = run.frames.begin - first;
        TL_TRY(run.reader->read_into({run.kind, {begin + shift, end + shift}, region.rows, region.cols},
                                     out.narrow(0, begin - region.frames.begin, end - begin), cancel));
      }
      first += run.frames.size();
    }
    return ok();
  }

 private:
  JoinedScanParts parts_;
  std::shared_ptr<InputFiles> inputs_;
};

}  // namespace

FrameRun whole_run(std::shared_ptr<ScanReader> reader, Frames kind) {
  const int64_t count = count_of_kind(reader->info(), kind);
  std::string where = reader->info().path.string();
  return {std::move(reader), kind, {0, count}, std::move(where)};
}

Result<std::unique_ptr<ScanReader>> join_scans(JoinedScanParts parts) {
  ScanInfo& info = parts.info;
  info.views = frames_in(parts.views);
  info.flats = frames_in(parts.flats);
  info.darks = frames_in(parts.darks);
  for (const auto* runs : {&parts.views, &parts.flats, &parts.darks})
    for (const FrameRun& run : *runs) {
      const ScanInfo& one = run.reader->info();
      if (one.rows != info.rows || one.cols != info.cols)
        return invalid(std::string("the ") +
                           (runs == &parts.views   ? "views"
                            : runs == &parts.flats ? "flats"
                                                   : "darks") +
                           " have " + std::to_string(one.rows) + " x " + std::to_string(one.cols) +
                           " pixels, the projections " + std::to_string(info.rows) + " x " + std::to_string(info.cols),
                       run.where, "Flats, darks and projections must come from the same detector region");
    }
  TL_TRY(check_sizes(info.views, info.rows, info.cols, info.path.string()));
  return std::unique_ptr<ScanReader>(std::make_unique<JoinedScan>(std::move(parts)));
}

void take_outside_notes(const ScanInfo& from, ScanInfo& info) {
  if (from.outside.empty()) return;
  std::erase_if(info.notes, [&](const std::string& note) {
    return std::find(info.outside.begin(), info.outside.end(), note) != info.outside.end();
  });
  info.outside = from.outside;
  info.notes.insert(info.notes.end(), info.outside.begin(), info.outside.end());
}

}  // namespace tl::io
