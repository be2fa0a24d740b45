// A scan whose frames lie in datasets of an HDF5 file: common to NXtomo and Data Exchange.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/io/hdf5/file.h"
#include "core/io/scan.h"
#include "core/io/scan_choices.h"

namespace tl::io {

// Frames of one kind: which ones of which [frame, row, col] dataset.
struct FrameList {
  std::shared_ptr<const Hdf5Dataset> dataset;  // null = none
  std::vector<int64_t> frames;
};

struct Hdf5ScanParts {
  Hdf5File file;
  ScanInfo info;
  FrameList projections, flats, darks;
  FrameOrder order = FrameOrder::views;  // of the projections; flats and darks are frames of the detector in any case
};

// Checks the frames against each other, adds the notes that any HDF5 scan may need, puts in what the user chose, and
// makes the reader.
Result<std::unique_ptr<ScanReader>> make_hdf5_scan(Hdf5ScanParts parts, const ScanChoices& choices);

// A dataset of rank 3 with sane sizes; other ranks are refused with the shape in the message.
Result<std::shared_ptr<const Hdf5Dataset>> frame_dataset(const Hdf5File& file, const std::string& name);

// The first of several datasets that holds a finite number, in stored units (mm, rad, keV). Its unit comes from the
// attribute "units"; without one, `assumed` is used, and an unreadable one makes the value useless: both are noted.
std::optional<Found<double>> find_number(const Hdf5File& file, std::initializer_list<std::string> names, Unit assumed,
                                         std::vector<std::string>& notes);

// All angles of a dataset in rad. Degrees unless its units say otherwise.
Result<Found<std::vector<double>>> read_angles(const Hdf5File& file, const std::string& name,
                                               std::vector<std::string>& notes);

// The note every HDF5 reader gives about the sense of rotation.
std::string rotation_note(const std::string& source);

}  // namespace tl::io
