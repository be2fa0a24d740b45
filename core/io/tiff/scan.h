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
  int64_t pages = 1;  // number of pages of the file; more pages are an error
};

// The page that holds a frame. Invalid if its file has a page too many.
Result<TiffPage> page_of_frame(TiffFile& file, const TiffFrame& frame);

// How views lie in the files: as they are; with their columns from right to left, their rows from bottom to top, or
// both; or on their side, so that a row of the file is a column of the view, the last row being column 0.
enum class FrameLayout : uint32_t { as_stored, mirrored_columns, mirrored_rows, half_turn, on_its_side };

// One flat and one dark, each with the same number of counts in all pixels.
struct UniformReferences {
  float flat = 1, dark = 0;
};

struct TiffScanParts {
  ScanInfo info;
  std::vector<TiffFrame> views, flats, darks;
  FrameLayout layout = FrameLayout::as_stored;
  std::optional<UniformReferences> references = {};  // instead of frames of flats and darks
  std::vector<InputFile> text_files = {};            // files of the scan besides its frames
  int64_t threads = 1;                               // number of threads that decode frames; set by measure_frames()
};

// One frame per page. If the first file has one page, all files are assumed to have one, which is checked when they are
// read. Invalid if the description of the first file states more than one axis of images.
Result<std::vector<TiffFrame>> tiff_frames(const std::vector<std::filesystem::path>& files);

// Takes the pixel type and the numbers of pixels, views, flats and darks from the first view and the lists of frames.
// Invalid if the user's choices name a dataset for the angles.
Result<void> measure_frames(TiffScanParts& parts, const ScanAccess& access);

// A reader whose views are the frames of some files; `path` is the one that the user named. All other metadata are
// guesses.
Result<std::unique_ptr<ScanReader>> open_tiff_frames(const std::vector<std::filesystem::path>& files,
                                                     const std::filesystem::path& path, const ScanAccess& access);

// Makes the reader of measured frames, after reading a pixel of the last frame of each kind; the other frames are
// checked when they are read.
Result<std::unique_ptr<ScanReader>> make_tiff_scan(TiffScanParts parts, FrameOrder order);

}  // namespace tl::io
