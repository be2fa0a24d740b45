// Reader of scans whose frames are pages of TIFF files, common to TIFF stacks, Nikon scans and those with a measured
// geometry.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/reader/scan_format.h"
#include "core/io/tiff/file.h"

namespace tl::io {

struct TiffFrame {
  std::filesystem::path file;
  int64_t page = 0;
  int64_t pages = 1;  // of the file; more than are expected are an error
};

// The page of a frame. Invalid if its file has one page too many.
Result<TiffPage> page_of_frame(TiffFile& file, const TiffFrame& frame);

// How views lie in the files: as they are; with their columns from right to left; or on their side, so that a row of
// the file is a column of the view, the last row being column 0.
enum class FrameLayout : uint32_t { as_stored, mirrored_columns, on_its_side };

// One flat and one dark with the same number of counts in all pixels.
struct UniformReferences {
  float flat = 1, dark = 0;
};

struct TiffScanParts {
  ScanInfo info;
  std::vector<TiffFrame> views, flats, darks;
  FrameLayout layout = FrameLayout::as_stored;
  std::optional<UniformReferences> references = {};  // instead of frames of flats and darks
  std::vector<InputFile> text_files = {};            // of the scan, besides its frames
  int64_t threads = 1;                               // that decode frames; set by measure_frames()
};

// One frame per page. If the first file has one page, all are taken to have one, which is checked when they are read.
// Invalid if the description of the first one says that the files lie along more than one axis.
Result<std::vector<TiffFrame>> tiff_frames(const std::vector<std::filesystem::path>& files);

// Takes the pixel type and the numbers of pixels, views, flats and darks from the first view and the lists of frames.
// Invalid if the user's choices name a dataset for the angles.
Result<void> measure_frames(TiffScanParts& parts, const ScanAccess& access);

// A reader whose views are the frames of some files; `path` is what the user named. Its other metadata are guesses.
Result<std::unique_ptr<ScanReader>> open_tiff_frames(const std::vector<std::filesystem::path>& files,
                                                     const std::filesystem::path& path, const ScanAccess& access);

// Makes the reader of measured frames, after reading a pixel of the last frame of each kind; the other frames are
// checked when they are read.
Result<std::unique_ptr<ScanReader>> make_tiff_scan(TiffScanParts parts, FrameOrder order);

}  // namespace tl::io
