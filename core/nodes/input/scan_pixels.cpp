// Mirrors ranges and frames in the same way.
#include "core/nodes/input/scan_pixels.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/io/reader/scan_checks.h"

namespace tl {
namespace {

Range mirrored_range(Range r, int64_t length) { return {length - r.end, length - r.begin}; }

}  // namespace

std::pair<Range, Range> MirroredFrames::in_file(Range r, Range c) const {
  if (flip_v == Flip::mirror) r = mirrored_range(r, rows);
  if (flip_u == Flip::mirror) c = mirrored_range(c, cols);
  return axes == Axes::transpose ? std::pair(c, r) : std::pair(r, c);
}

at::Tensor MirroredFrames::apply(at::Tensor frames, at::ScalarType dtype) const {
  const bool counts = frames.scalar_type() == at::kUInt16;
  // torch cannot mirror uint16; int16 moves the same bits
  frames = counts ? frames.view(at::kShort) : frames.to(dtype);
  if (axes == Axes::transpose) frames = frames.transpose(1, 2).contiguous();
  if (flip_v == Flip::mirror) frames = frames.flip(1);
  if (flip_u == Flip::mirror) frames = frames.flip(2);
  return counts ? frames.view(at::kUInt16) : frames;
}

Result<io::ReferenceCheck> checked_scan(io::ScanReader& reader, const io::ScanChoices& choices,
                                        const CancelToken& cancel) {
  TL_TRY(io::ReferenceCheck check, io::check_references(reader, choices, cancel));
  if (auto doubt = io::doubt_about_angles(reader.info())) check.doubts.insert(check.doubts.begin(), *std::move(doubt));
  return check;
}

void drop_odd_flats(const std::vector<int64_t>& usual, FlatsAmong& used) {
  FlatsAmong kept;
  for (std::size_t i = 0; i < used.flats.size(); ++i) {
    if (!std::binary_search(usual.begin(), usual.end(), used.flats[i])) continue;
    kept.flats.push_back(used.flats[i]);
    kept.positions.push_back(used.positions[i]);
  }
  if (!kept.flats.empty()) used = std::move(kept);
}

}  // namespace tl
