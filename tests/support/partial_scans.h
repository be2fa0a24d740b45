// Scans of which only a part was recorded, or whose pixels are in other files.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/io/hdf5_maker.h"

namespace tl::test::partial {

inline constexpr hsize_t rows = 4, cols = 5;  // of all frames
using Box = std::array<hsize_t, 3>;

// A dataset [n, rows, cols] of which only some frames are ever written, all to 7.
inline void half_recorded(hid_t file, const std::string& name, hsize_t n, std::initializer_list<hsize_t> written,
                          hid_t plist) {
  const Box shape = {n, rows, cols}, one = {1, rows, cols};
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr), memory = H5Screate_simple(3, one.data(), nullptr);
  const hid_t set = H5Dcreate2(file, name.c_str(), H5T_NATIVE_UINT16, space, links, plist, H5P_DEFAULT);
  const std::vector<uint16_t> frame(rows * cols, 7);
  for (const hsize_t i : written) {
    const Box at = {i, 0, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, one.data(), nullptr);
    H5Dwrite(set, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, frame.data());
  }
  for (const hid_t id : {memory, space}) H5Sclose(id);
  H5Dclose(set);
  H5Pclose(links);
}

inline hid_t compressed() {
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  const Box chunk = {1, rows, cols};
  H5Pset_chunk(plist, 3, chunk.data());
  H5Pset_deflate(plist, 4);
  return plist;
}

// Maps frames of a source onto a virtual dataset [n, rows, cols] from frame `at` on.
struct Part {
  std::string file, name;
  hsize_t at, frames;
};
inline void make_virtual(hid_t file, const std::string& name, hsize_t n, const std::vector<Part>& parts) {
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const Box shape = {n, rows, cols};
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
  for (const Part& p : parts) {
    const Box at = {p.at, 0, 0}, size = {p.frames, rows, cols};
    const hid_t from = H5Screate_simple(3, size.data(), nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, size.data(), nullptr);
    H5Pset_virtual(plist, space, p.file.c_str(), p.name.c_str(), from);
    H5Sclose(from);
  }
  H5Dclose(H5Dcreate2(file, name.c_str(), H5T_NATIVE_UINT16, space, links, plist, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(plist);
  H5Pclose(links);
}

}  // namespace tl::test::partial
