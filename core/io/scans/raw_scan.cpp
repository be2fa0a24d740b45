// Reads the frames of scans stored as plain numbers, in one file or in many.
#include "core/io/scans/raw_scan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/io/bytes/reader_limits.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/sinograms.h"

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

class RawScan final : public ScanReader {
 public:
  explicit RawScan(RawScanParts parts) : parts_(std::move(parts)), inputs_(raw_input_files(parts_)) {}

  [[nodiscard]] const ScanInfo& info() const override { return parts_.info; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& /*cancel*/) override {
    const bool sinograms = region.kind == Frames::views && parts_.order == FrameOrder::sinograms;
    if (!Range({0, count_of(region.kind)}).contains(region.frames) || !Range({0, info().rows}).contains(region.rows) ||
        !Range({0, info().cols}).contains(region.cols))
      return invalid("frames that are not in the scan", info().path.string());
    if (out.numel() == 0) return ok();
    if (region.kind != Frames::views && parts_.references) return fill(region.kind, out);
    const std::vector<RawBlock>& blocks = region.kind == Frames::views   ? parts_.views
                                          : region.kind == Frames::flats ? parts_.flats
                                                                         : parts_.darks;
    if (sinograms) {
      const at::Tensor rows = at::empty({region.rows.size(), region.frames.size(), region.cols.size()}, out.options());
      TL_TRY(read_pages(blocks, region.rows, region.frames, region.cols, rows));
      copy_sinograms(rows, out);
      return ok();
    }
    if (parts_.first_row == FirstRowOfFrame::top)
      return read_pages(blocks, region.frames, region.rows, region.cols, out);
    const Range stored{info().rows - region.rows.end, info().rows - region.rows.begin};
    TL_TRY(read_pages(blocks, region.frames, stored, region.cols, out));
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
  Result<void> read_pages(const std::vector<RawBlock>& blocks, Range pages, Range rows, Range cols,
                          const at::Tensor& out) {
    constexpr double for_file = 1e-4;  // [s] to open it
    int64_t first = 0;                 // page of the block
    for (const RawBlock& block : blocks) {
      const int64_t begin = std::max(pages.begin, first), end = std::min(pages.end, first + block.pages);
      if (begin < end) {
        allow_cpu_time_for_object(for_file);
        if (open_ != &block) {
          TL_TRY(voxels_, raw_voxels(block));
          open_ = &block;
        }
        TL_TRY(
            voxels_->read({{begin - first, end - first}, rows, cols}, out.narrow(0, begin - pages.begin, end - begin)));
      }
      first += block.pages;
    }
    return ok();
  }

  const RawScanParts parts_;
  std::shared_ptr<InputFiles> inputs_;
  const RawBlock* open_ = nullptr;  // whose numbers are open
  std::unique_ptr<StoredVoxels> voxels_;
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
