// Numbers of an HDF5 file for tests, read by the plain C API, independently of our own reader.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tl::test {

// All numbers of a dataset; none if a file that is being written has no such object yet.
inline std::vector<double> hdf5_numbers(const std::filesystem::path& file, const std::string& name) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (H5Lexists(id, "/entry", H5P_DEFAULT) <= 0) {
    H5Fclose(id);
    return {};
  }
  const hid_t set = H5Dopen2(id, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(id);
  return values;
}

}  // namespace tl::test
