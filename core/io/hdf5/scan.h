// Reader of scans with frames in HDF5 datasets, common to NXtomo and Data Exchange.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/io/hdf5/file.h"
#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"
#include "core/io/reader/scan_format.h"

namespace tl::io {

// Frames of one kind: their indices in a [frame, row, col] dataset.
struct FrameList {
  std::shared_ptr<const Hdf5Dataset> dataset;  // null = none
  std::vector<int64_t> frames;
};

struct Hdf5ScanParts {
  Hdf5File file;
  ScanInfo info;
  FrameList projections, flats, darks;
  FrameOrder order = FrameOrder::views;  // of the projections; flats and darks are always stored as detector frames
  Content content = Content::scan;
};

// Makes the reader: checks the frames against each other, adds the notes common to HDF5 scans, and applies the user's
// choices.
Result<std::unique_ptr<ScanReader>> make_hdf5_scan(Hdf5ScanParts parts, const ScanChoices& choices);

// A reader whose views are all frames of one dataset of rank 3, or the single frame of a dataset of rank 2. Its notes
// are about the frames only. Errors: io, invalid, with file and dataset.
Result<std::unique_ptr<ScanReader>> open_hdf5_frames(const std::filesystem::path& path, const std::string& dataset,
                                                     const std::shared_ptr<SourceFiles>& sources);

// Opens a dataset of rank 3 with plausible sizes; other ranks are refused with the shape in the message.
Result<std::shared_ptr<const Hdf5Dataset>> frame_dataset(const Hdf5File& file, const std::string& name);
// The dataset of flats or darks; one of rank 2 is a single frame, an average.
Result<std::shared_ptr<const Hdf5Dataset>> reference_dataset(const Hdf5File& file, const std::string& name);

// 0, 1, ...: the indices of all frames of a dataset.
std::vector<int64_t> all_frame_numbers(const Hdf5Dataset& frames);

// The first finite number in one of several datasets, in stored units (mm, rad, keV). Its unit is the attribute
// "units"; if that is missing, `assumed` is used; if it is unknown, the value is ignored; notes report both cases.
std::optional<Found<double>> find_number(const Hdf5File& file, std::initializer_list<std::string> names, Unit assumed,
                                         std::vector<std::string>& notes);

// All angles of a dataset in rad. Degrees are assumed unless the attribute "units" states another unit.
Result<Found<std::vector<double>>> read_angles(const Hdf5File& file, const std::string& name,
                                               std::vector<std::string>& notes);

}  // namespace tl::io
