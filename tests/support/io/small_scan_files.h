// Pieces of small scans of a disc, for tests of files: pixels, other parts of a Data Exchange file, TIFF frames.
#pragma once

#include <ATen/ATen.h>
#include <hdf5.h>

#include <filesystem>
#include <functional>
#include <vector>

#include "core/io/output/volume_writer.h"
#include "tests/support/committed.h"
#include "tests/support/io/hdf5_maker.h"

namespace tl::test::small_scan {

inline constexpr int views = 12, rows = 3, cols = 16;

// Counts of a disc in the middle of the frame.
inline std::vector<uint16_t> counts(int n) {
  std::vector<uint16_t> values;
  for (int i = 0; i < n * rows * cols; ++i)
    values.push_back(static_cast<uint16_t>(i % cols > 4 && i % cols < 11 ? 3000 : 9000));
  return values;
}

inline void add_rest(Hdf5Maker& h5) {
  h5.numbers<uint16_t>("/exchange/data_white", {1, rows, cols}, std::vector<uint16_t>(rows * cols, 9000));
  h5.numbers<uint16_t>("/exchange/data_dark", {1, rows, cols}, std::vector<uint16_t>(rows * cols, 100));
  h5.numbers<double>("/exchange/theta", {views}, ramp(views, 0, 180.0 / views), "deg");
}

inline constexpr hsize_t shape[3] = {views, rows, cols};

// A dataset /exchange/data of uint16 with these properties.
inline void add_data(Hdf5Maker& h5, const std::function<void(hid_t plist, hid_t space)>& prepare) {
  const hid_t space = H5Screate_simple(3, shape, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t groups = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(groups, 1);
  prepare(plist, space);
  H5Dclose(H5Dcreate2(h5.file(), "/exchange/data", H5T_NATIVE_UINT16, space, groups, plist, H5P_DEFAULT));
  for (const hid_t id : {groups, plist}) H5Pclose(id);
  H5Sclose(space);
}

inline void write_tiff(const std::filesystem::path& file, int64_t pages, float value) {
  io::VolumeTarget target;
  target.path = file;
  target.grid = VolumeGrid::cubic(pages, rows, cols, 1.0);
  auto writer = io::open_imagej_tiff(target).or_throw();
  at::Tensor pixels = at::full({pages, rows, cols}, value);
  pixels.narrow(2, 5, 6).mul_(0.3);
  writer->write({0, pages}, pixels).or_throw();
  committed(writer->finish()).or_throw();
}

}  // namespace tl::test::small_scan
