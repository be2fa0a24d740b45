// Reader of scans whose frames are images of EDF files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/io/edf/edf_file.h"
#include "core/io/edf/folder.h"
#include "core/io/reader/scan_format.h"

namespace tl::io {

struct EdfFrame {
  std::filesystem::path file;
  int64_t image = 0;
  std::optional<int64_t> number;  // number of a view; for a flat: of the view after it
};

struct EdfScanParts {
  ScanInfo info;
  std::vector<EdfFrame> views, flats, darks;
  double dark_sum = 1;                                // the number of darks of which each dark is the sum
  std::vector<InputFile> other_files;                 // the .info file, and files to which headers refer
  std::set<std::filesystem::path> files_with_pixels;  // those of them
  int64_t threads = 1;
};

// One frame per image. If the first file has one image, all files are assumed to have one. Images in files with several
// are numbered consecutively, whatever the numbers of the files.
Result<std::vector<EdfFrame>> edf_frames(const std::vector<NumberedFile>& files);

// Finds the files with pixels to which the headers refer, if that of the first frame does. io: missing or refused.
Result<void> find_files_with_pixels(const std::vector<EdfFrame>& frames, SourceFiles& sources, EdfScanParts& parts);

// Takes the pixel type and the numbers of pixels, views, flats and darks from the first view and the lists of frames.
Result<void> measure_edf_frames(EdfScanParts& parts, const ScanAccess& access);

// Makes the reader of measured frames, after reading a pixel of the last view, flat and dark; the other frames are
// checked when they are read.
Result<std::unique_ptr<ScanReader>> make_edf_scan(EdfScanParts parts);

}  // namespace tl::io
