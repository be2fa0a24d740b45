// Makes HDF5 files for tests with the plain C API, independently of our own reader and writer. Equal calls make equal
// bytes at any time: no dataset contains a time stamp.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tl::test {

template <class T>
hid_t native();
template <>
inline hid_t native<uint8_t>() {
  return H5T_NATIVE_UINT8;
}
template <>
inline hid_t native<uint16_t>() {
  return H5T_NATIVE_UINT16;
}
template <>
inline hid_t native<int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t native<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t native<double>() {
  return H5T_NATIVE_DOUBLE;
}

enum class Packing { none, deflate };
// Version of the file structures: readable by every library, or with checksums.
enum class Versions { earliest, latest };

class Hdf5Maker {
 public:
  explicit Hdf5Maker(const std::string& path, Versions versions = Versions::earliest) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (versions == Versions::latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    links_ = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links_, 1);
  }
  Hdf5Maker(const Hdf5Maker&) = delete;
  Hdf5Maker& operator=(const Hdf5Maker&) = delete;
  ~Hdf5Maker() {
    H5Pclose(links_);
    H5Fclose(file_);
  }
  [[nodiscard]] hid_t file() const { return file_; }

  // Values may be empty: the dataset is declared but never written. A chunk makes the layout chunked.
  template <class T>
  void numbers(const std::string& name, const std::vector<hsize_t>& shape, const std::vector<T>& values,
               const std::string& units = {}, const std::vector<hsize_t>& chunk = {}, Packing packing = Packing::none) {
    const hid_t space =
        shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plist, false);
    if (!chunk.empty()) H5Pset_chunk(plist, static_cast<int>(chunk.size()), chunk.data());
    if (packing == Packing::deflate) H5Pset_deflate(plist, 4);
    const hid_t set = H5Dcreate2(file_, name.c_str(), native<T>(), space, links_, plist, H5P_DEFAULT);
    if (!values.empty()) H5Dwrite(set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Pclose(plist);
    H5Sclose(space);
    if (!units.empty()) attribute(name, "units", units);
  }
  // Frames [n, rows, cols] whose pixel (i, r, c) is first + 100 i + 10 r + c.
  template <class T>
  void frames(const std::string& name, hsize_t n, hsize_t rows, hsize_t cols, T first,
              const std::vector<hsize_t>& chunk = {}, Packing packing = Packing::none) {
    std::vector<T> values;
    for (hsize_t i = 0; i < n; ++i)
      for (hsize_t r = 0; r < rows; ++r)
        for (hsize_t c = 0; c < cols; ++c)
          values.push_back(static_cast<T>(first + static_cast<T>(100 * i + 10 * r + c)));
    numbers<T>(name, {n, rows, cols}, values, {}, chunk, packing);
  }
  void text(const std::string& name, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plist, false);
    const hid_t set = H5Dcreate2(file_, name.c_str(), type, space, links_, plist, H5P_DEFAULT);
    const char* words = value.c_str();
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &words);
    H5Dclose(set);
    H5Pclose(plist);
    H5Sclose(space);
    H5Tclose(type);
  }
  // A list of texts.
  void texts(const std::string& name, const std::vector<std::string>& values) {
    const hsize_t count = values.size();
    std::vector<const char*> words;
    for (const std::string& v : values) words.push_back(v.c_str());
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, nullptr);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t set = H5Dcreate2(file_, name.c_str(), type, space, links_, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
  }
  void attribute(const std::string& object, const std::string& name, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR),
                at = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    H5Tset_size(type, value.size());
    const hid_t id = H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(id, type, value.data());
    H5Aclose(id);
    H5Oclose(at);
    H5Sclose(space);
    H5Tclose(type);
  }
  // An attribute of variable length, as h5py writes it: its text is in a heap of the file.
  void long_attribute(const std::string& object, const std::string& name, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR),
                at = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t id = H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* words = value.c_str();
    H5Awrite(id, type, &words);
    H5Aclose(id);
    H5Oclose(at);
    H5Sclose(space);
    H5Tclose(type);
  }
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values) {
    const hsize_t count = values.size();
    std::vector<const char*> words;
    for (const std::string& v : values) words.push_back(v.c_str());
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    write_attribute(object, name, type, H5Screate_simple(1, &count, nullptr), words.data());
    H5Tclose(type);
  }
  void attribute(const std::string& object, const std::string& name, int64_t value) {
    write_attribute(object, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &value);
  }
  void soft_link(const std::string& target, const std::string& name) {
    H5Lcreate_soft(target.c_str(), file_, name.c_str(), links_, H5P_DEFAULT);
  }
  void external_link(const std::string& file, const std::string& target, const std::string& name) {
    H5Lcreate_external(file.c_str(), target.c_str(), file_, name.c_str(), links_, H5P_DEFAULT);
  }

 private:
  // Closes `space`.
  void write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* from) {
    const hid_t at = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
    const hid_t id = H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(id, type, from);
    H5Aclose(id);
    H5Oclose(at);
    H5Sclose(space);
  }
  hid_t file_, links_;
};

inline std::vector<double> ramp(int n, double start, double step) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = start + step * i;
  return values;
}

}  // namespace tl::test
