// Reads the frames of scans stored as plain numbers, in one file or in many.
#include "core/io/scans/raw_scan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/io/reader/scan_checks.h"
#include "core/io/reader/sinograms.h"
#include "core/io/voxels/paged_voxels.h"

namespace tl::io {
namespace {

std::shared_ptr<InputFiles> raw_input_files(const RawScanParts& parts) {
  std::vector<InputFile> all = parts.headers;
  for (const auto* blocks : {&parts.views, &parts.flats, &parts.darks})
    for (const RawBlock& block : *blocks) {
      const bool is_header = !parts.headers.empty() && parts.headers.front().path == block.file;
      if (!is_header) all.push_back({block.file, std::nullopt});
    }
  return std::make_shared<InputFiles>(parts.info.path, std::move(all));
}

PagedVoxels paged_raw(const std::vector<RawBlock>& blocks) {
  std::vector<PagedFile> files;
  for (const RawBlock& block : blocks) files.push_back({block.pages, [block] { return raw_voxels(block); }});
  return PagedVoxels(std::move(files));
}

class RawScan final : public ScanReader {
 public:
  explicit RawScan(RawScanParts parts)
      : parts_(std::move(parts)),
        inputs_(raw_input_files(parts_)),
        views_(paged_raw(parts_.views)),
        flats_(paged_raw(parts_.flats)),
        darks_(paged_raw(parts_.darks)) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const bool sinograms = region.kind == Frames::views && parts_.order == FrameOrder::sinograms;
    if (!Range({0, count_of(region.kind)}).contains(region.frames) || !Range({0, info().rows}).contains(region.rows) ||
        !Range({0, info().cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info().path.string());
    if (out.numel() == 0) return ok();
    if (region.kind != Frames::views && parts_.references) return fill(region.kind, out);
    PagedVoxels& blocks = region.kind == Frames::views ? views_ : region.kind == Frames::flats ? flats_ : darks_;
    if (sinograms) {
      const at::Tensor rows = at::empty({region.rows.size(), region.frames.size(), region.cols.size()}, out.options());
      TL_TRY(blocks.read({region.rows, region.frames, region.cols}, rows));
      copy_sinograms(rows, out);
      return ok();
    }
    if (parts_.first_row == FirstRowOfFrame::top) return blocks.read({region.frames, region.rows, region.cols}, out);
    const Range stored{info().rows - region.rows.end, info().rows - region.rows.begin};
    TL_TRY(blocks.read({region.frames, stored, region.cols}, out));
    reverse_rows(out);
    return ok();
  }

 private:
  [[nodiscard]] int64_t count_of(Frames kind) const {
    return kind == Frames::views ? info().views : kind == Frames::flats ? info().flats : info().darks;
  }
  [[nodiscard]] Result<void> fill(Frames kind, const at::Tensor& out) const {
    if (out.scalar_type() != at::kFloat)
      return unavailable("the references of this scan are not counts of the detector", info().path.string());
    out.fill_(kind == Frames::flats ? parts_.references->flat : parts_.references->dark);
    return ok();
  }
  static void reverse_rows(const at::Tensor& frames) {
    const auto row_bytes = static_cast<std::size_t>(frames.size(2) * frames.element_size());
    for (int64_t i = 0; i < frames.size(0); ++i) {
      auto* first = static_cast<char*>(frames.data_ptr()) + i * frames.stride(0) * frames.element_size();
      for (int64_t r = 0; 2 * r + 1 < frames.size(1); ++r) {
        char* above = first + static_cast<std::size_t>(r) * row_bytes;
        std::swap_ranges(above, above + row_bytes,
                         first + static_cast<std::size_t>(frames.size(1) - 1 - r) * row_bytes);
      }
    }
  }

  const RawScanParts parts_;
  std::shared_ptr<InputFiles> inputs_;
  PagedVoxels views_, flats_, darks_;
};

}  // namespace

int64_t pages_in(const std::vector<RawBlock>& blocks) {
  int64_t count = 0;
  for (const RawBlock& block : blocks) count += block.pages;
  return count;
}

Result<void> measure_blocks(RawScanParts& parts) {
  ScanInfo& info = parts.info;
  const bool has_views = !parts.views.empty();
  const RawBlock& first = has_views ? parts.views.front() : (parts.flats.empty() ? parts.darks : parts.flats).front();
  info.pixel_type = first.type;
  info.rows = first.rows;
  info.cols = first.cols;
  info.views = pages_in(parts.views);
  info.flats = parts.references ? 1 : pages_in(parts.flats);
  info.darks = parts.references ? 1 : pages_in(parts.darks);
  TL_TRY(check_sizes(has_views ? info.views : info.flats + info.darks, info.rows, info.cols, info.path.string()));
  if (parts.order == FrameOrder::sinograms) std::swap(info.views, info.rows);
  info.flat_positions.assign(static_cast<std::size_t>(info.flats), -0.5);
  return ok();
}

Result<std::unique_ptr<ScanReader>> make_raw_scan(RawScanParts parts) {
  const bool has_views = !parts.views.empty();
  auto reader = std::make_unique<RawScan>(std::move(parts));
  const ScanInfo& found = reader->info();
  if (!has_views) return std::unique_ptr<ScanReader>(std::move(reader));
  TL_TRY(reader->read({{0, 1}, {0, 1}, {0, 1}}));
  TL_TRY(reader->read({{found.views - 1, found.views}, {found.rows - 1, found.rows}, {0, 1}}));
  return std::unique_ptr<ScanReader>(std::move(reader));
}

}  // namespace tl::io
