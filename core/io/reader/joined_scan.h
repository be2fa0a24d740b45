// JoinedScan: a scan whose frames come from several readers: projections in several files, or flats from another file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/reader/scan.h"

namespace tl::io {

// Frames of one reader, in this order.
struct FrameRun {
  std::shared_ptr<ScanReader> reader;
  Frames kind = Frames::views;  // the kind that these frames have in the reader
  Range frames;
  std::string where;  // for errors: the file, and the dataset if the user named one
};
// All frames of one kind in a reader.
FrameRun whole_run(std::shared_ptr<ScanReader> reader, Frames kind);

// The views, flats and darks of the scan are the frames of these runs, one run after the other.
struct JoinedScanParts {
  ScanInfo info;
  std::vector<FrameRun> views, flats, darks;
};

// Makes the reader. Numbers of views, flats and darks are set in its info; rows and columns are those of the info.
// Invalid, saying where, if a run has frames of another size.
Result<std::unique_ptr<ScanReader>> join_scans(JoinedScanParts parts);

// Replaces the notes about files outside the scan's folder by those of a reader opened later with the same SourceFiles,
// whose notes name all such files; if it has none, the notes stay.
void take_outside_notes(const ScanInfo& from, ScanInfo& info);

}  // namespace tl::io
