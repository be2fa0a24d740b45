// NxData: what a NeXus group of class NXdata plots: its signal, and the angles along the signal's frames.
#pragma once

#include <string>
#include <vector>

#include "core/io/hdf5/file.h"

namespace tl::io {

// HDF5 paths. Source: the NeXus manual, base class NXdata (attributes signal, axes and NAME_indices).
struct NxData {
  std::string group;   // "/entry/imaging"
  std::string signal;  // "/entry/imaging/data", of rank 3
  std::string angles;  // one number per frame; empty if no axis along the frames is an angle
};

// The NXdata groups of an entry whose signal has frames; first the one that the attributes `default` lead to.
std::vector<NxData> plotted_frames(const Hdf5File& file, const std::string& entry);

}  // namespace tl::io
