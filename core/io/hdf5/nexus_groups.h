// NexusGroups: writes groups, small datasets, links and attributes of a NeXus file. No array library.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5/handles.h"

namespace tl::io {

// Stores the first failure, so that a file is written without checks in between. The caller must hold hdf5_mutex().
class NexusGroups {
 public:
  NexusGroups(const NexusGroups&) = delete;
  NexusGroups& operator=(const NexusGroups&) = delete;

  void group(const std::string& name, const std::string& nx_class) {
    if (failed()) return;
    const Hdf5Id id(note_failure(H5Gcreate2(file_.get(), name.c_str(), links_.get(), H5P_DEFAULT, H5P_DEFAULT)),
                    H5Gclose);
    attribute(id.get(), "NX_class", nx_class);
  }
  void text(const std::string& name, const std::string& value) {
    if (failed()) return;
    const char* words = value.c_str();
    const Hdf5Id type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id set = create(name, type.get(), space.get(), H5P_DEFAULT);
    note_failure(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &words));
  }
  template <class T>
  void numbers(const std::string& name, hid_t type, const std::vector<T>& values, const std::string& units) {
    if (failed()) return;
    const hsize_t count = values.size();
    const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Id set = create(name, type, space.get(), H5P_DEFAULT);
    note_failure(H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    if (!units.empty()) attribute(set.get(), "units", units);
  }
  void number(const std::string& name, double value, const std::string& units) {
    if (failed()) return;
    const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id set = create(name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT);
    note_failure(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
    if (!units.empty()) attribute(set.get(), "units", units);
  }
  void link(const std::string& target, const std::string& name) {
    if (!failed()) note_failure(H5Lcreate_soft(target.c_str(), file_.get(), name.c_str(), links_.get(), H5P_DEFAULT));
  }
  // Adds an attribute to a group or a dataset.
  void object_attribute(const std::string& object, const std::string& name, const std::string& value) {
    if (failed()) return;
    const Hdf5Id id(note_failure(H5Oopen(file_.get(), object.c_str(), H5P_DEFAULT)), H5Oclose);
    attribute(id.get(), name, value);
  }
  void root_attribute(const std::string& name, const std::string& value) {
    if (!failed()) attribute(file_.get(), name, value);
  }
  // The first failure, if any.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }
  // Flushes the file; returns the first failure, if any.
  std::optional<std::string> finish() {
    if (!failed()) note_failure(H5Fflush(file_.get(), H5F_SCOPE_LOCAL));
    return problem_;
  }

 protected:
  NexusGroups() : links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose) { H5Pset_create_intermediate_group(links_.get(), 1); }
  ~NexusGroups() = default;
  // Takes ownership of a file just opened for writing; a negative identifier counts as the first failure.
  void take_file(hid_t file) { file_ = Hdf5Id(note_failure(file), H5Fclose); }
  void close_file() { file_ = Hdf5Id(); }

  [[nodiscard]] bool failed() const { return problem_.has_value(); }
  hid_t note_failure(hid_t result) {
    if (result < 0 && !failed()) problem_ = Hdf5ErrorsSilenced::problem();
    return result;
  }
  // Variable-length UTF-8, which h5py reads as str.
  static Hdf5Id text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return {type, H5Tclose};
  }
  Hdf5Id create(const std::string& name, hid_t type, hid_t space, hid_t plist) {
    return {note_failure(H5Dcreate2(file_.get(), name.c_str(), type, space, links_.get(), plist, H5P_DEFAULT)),
            H5Dclose};
  }
  void attribute(hid_t object, const char* name, const std::string& value) {
    attribute(object, std::string(name), value);
  }
  void attribute(hid_t object, const std::string& name, const std::string& value) {
    if (failed()) return;
    const char* words = value.c_str();
    const Hdf5Id type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id id(note_failure(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)),
                    H5Aclose);
    note_failure(H5Awrite(id.get(), type.get(), &words));
  }

  [[nodiscard]] hid_t file() const { return file_.get(); }

 private:
  const Hdf5ErrorsSilenced quiet_;
  Hdf5Id links_, file_;
  std::optional<std::string> problem_;
};

}  // namespace tl::io
