// Reader of scans whose frames are plain numbers in files, common to raw frames, RTK and laboratory scanners.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/reader/scan_choices.h"
#include "core/io/tiff/scan.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {

// Where the first row of a frame in a file is on the detector.
enum class FirstRowOfFrame : uint32_t { top, bottom };

struct RawScanParts {
  ScanInfo info;
  std::vector<RawBlock> views, flats, darks;         // each with the same rows and columns
  std::optional<UniformReferences> references = {};  // instead of blocks of flats and darks
  std::vector<InputFile> headers = {};               // of the scan, next to its frames
  FrameOrder order = FrameOrder::views;
  FirstRowOfFrame first_row = FirstRowOfFrame::top;
};

int64_t pages_in(const std::vector<RawBlock>& blocks);

// Takes type, rows, columns and the numbers of views, flats and darks from the blocks, of which there is at least one.
// Invalid if there are implausibly many.
Result<void> measure_blocks(RawScanParts& parts);

// Makes the reader, after reading a pixel of the first and of the last view, if there are any; other files are checked
// when they are read.
Result<std::unique_ptr<ScanReader>> make_raw_scan(RawScanParts parts);

}  // namespace tl::io
