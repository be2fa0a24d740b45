// JoinedScan: a scan whose frames come from several readers: projections taken in several parts, flats of another file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/reader/scan.h"

namespace tl::io {

// Frames of one reader, in their order.
struct FrameRun {
  std::shared_ptr<ScanReader> reader;
  Frames kind = Frames::views;  // what the reader has them as
  Range frames;
  std::string where;  // for errors: the file, and the dataset if one was named
};
// All frames of a kind of a reader.
FrameRun whole_run(std::shared_ptr<ScanReader> reader, Frames kind);

// The views, flats and darks of the scan are those of the runs, one run after the other.
struct JoinedScanParts {
  ScanInfo info;
  std::vector<FrameRun> views, flats, darks;
};

// Makes the reader. Numbers of views, flats and darks are set in its info; rows and columns are those of the info.
// Invalid, saying where, if a run has frames of another size.
Result<std::unique_ptr<ScanReader>> join_scans(JoinedScanParts parts);

// Replaces the notes about files outside the scan's folder by those of a reader that was opened later with the same
// SourceFiles, and so names all; none there: they stay.
void take_outside_notes(const ScanInfo& from, ScanInfo& info);

}  // namespace tl::io
