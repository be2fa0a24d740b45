// Opens HDF5 files, finds objects in them and reads frames, with errors as text.
#include "core/io/hdf5/file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "core/io/bytes/reader_limits.h"
#include "core/io/hdf5/checks.h"
#include "core/io/hdf5/driver.h"
#include "core/io/hdf5/texts.h"
#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {

// Filter plugins are code: those in relative folders, which include the working folder, are never loaded.
void keep_absolute_plugin_folders() {
  unsigned int count = 0;
  if (H5PLsize(&count) < 0) return;
  for (unsigned int i = count; i-- > 0;) {
    std::array<char, 4096> folder{};
    if (H5PLget(i, folder.data(), folder.size()) <= 0 || folder[0] != '/') H5PLremove(i);
  }
}

herr_t keep_first(unsigned depth, const H5E_error2_t* record, void* out) {
  auto& text = *static_cast<std::string*>(out);
  if (depth == 0 && record->desc != nullptr) text = record->desc;
  return 0;
}

// `why` is the library's error message, read immediately because any later call clears it.
hid_t open_read_only(const std::filesystem::path& path, SourceFiles& sources, hbool_t lock, std::string& why) {
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_SEMI);
  if (!use_scan_driver(access.get(), sources)) return H5I_INVALID_HID;
  H5Pset_file_locking(access.get(), lock, 1);
  // The default of 64 KiB would read ten times more than needed for one row of every view.
  constexpr std::size_t piece = 8192;  // bytes
  H5Pset_sieve_buf_size(access.get(), piece);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (file < 0) why = Hdf5ErrorsSilenced::problem();
  return file;
}

// The names in a group, each listed once: a damaged list may lead back to its beginning.
struct NamesOfGroup {
  std::vector<std::string> all;
  std::unordered_set<std::string> known;
};
herr_t add_name(hid_t /*group*/, const char* name, const H5L_info_t* /*link*/, void* out) {
  constexpr std::size_t most = 1 << 20;
  auto& names = *static_cast<NamesOfGroup*>(out);
  if (!names.known.insert(name).second) return 1;
  names.all.emplace_back(name);
  return names.all.size() < most ? 0 : 1;
}

// An attribute of an object in a file or group ("." for the object itself); the ids are invalid if there is none.
struct OpenAttribute {
  OpenAttribute(hid_t location, const std::string& object, const std::string& name) {
    if (H5Aexists_by_name(location, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return;
    id = Hdf5Id(H5Aopen_by_name(location, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (!id.valid()) return;
    type = Hdf5Id(H5Aget_type(id.get()), H5Tclose);
    space = Hdf5Id(H5Aget_space(id.get()), H5Sclose);
  }
  // The number of values; 0 if the attribute is absent, of another class, or too long.
  [[nodiscard]] std::size_t count(H5T_class_t wanted) const {
    return id.valid() ? list_length(type.get(), space.get(), wanted) : 0;
  }
  Hdf5Id id, type, space;
};

std::optional<std::string> read_attribute(hid_t location, const std::string& object, const std::string& name) {
  const OpenAttribute a(location, object, name);
  if (!a.id.valid()) return std::nullopt;
  return read_text(a.type.get(), a.space.get(),
                   [&](hid_t memory, void* to) { return H5Aread(a.id.get(), memory, to); });
}

// Opens a dataset. External files are relative to the file that names them, which needs the prefix ${ORIGIN}: without
// it the library searches the working folder, as it does for sources of virtual datasets
// (SourceFiles::require_scan_folder). The prefix is set only for datasets with external files: the library does not
// reopen a dataset that is open with another prefix, and crashes if the dataset is virtual.
Hdf5Id open_dataset(hid_t file, const std::string& name) {
  Hdf5Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.valid()) {
    const Hdf5Id plist(H5Dget_create_plist(dataset.get()), H5Pclose);
    if (H5Pget_external_count(plist.get()) <= 0) return dataset;
  }
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_efile_prefix(access.get(), "${ORIGIN}");
  dataset = Hdf5Id();
  return Hdf5Id(H5Dopen2(file, name.c_str(), access.get()), H5Dclose);
}

}  // namespace

Hdf5ErrorsSilenced::Hdf5ErrorsSilenced() {
  // HDF5 1.10 cannot close a file whose last writes failed, and crashes in its exit handler. Our handles close
  // themselves, so the handler is not needed.
  static std::once_flag first;
  std::call_once(first, [] { H5dont_atexit(); });
  H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static std::once_flag once;
  std::call_once(once, keep_absolute_plugin_folders);
}
Hdf5ErrorsSilenced::~Hdf5ErrorsSilenced() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }

std::string Hdf5ErrorsSilenced::problem() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return text.empty() ? "no reason given" : text;
}

std::vector<std::string> plugin_folders_of_environment() {
  const char* named = std::getenv("HDF5_PLUGIN_PATH");
  std::istringstream text(named != nullptr ? named : "");
  std::vector<std::string> folders;
  for (std::string folder; std::getline(text, folder, ':');)
    if (folder.starts_with('/')) folders.push_back(folder);
  return folders;
}

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

bool Hdf5File::is_hdf5(const std::filesystem::path& path) {
  const Hdf5ErrorsSilenced quiet;
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && H5Fis_hdf5(path.c_str()) > 0;
}

Result<Hdf5File> Hdf5File::open(const std::filesystem::path& path, std::shared_ptr<SourceFiles> sources) {
  const Hdf5ErrorsSilenced quiet;
  Hdf5File file;
  file.path_ = path;
  file.sources_ = std::move(sources);
  std::string why;
  file.id_ = Hdf5Id(open_read_only(path, *file.sources_, 1, why), H5Fclose);
  if (!file.id_.valid() && why.find("lock") != std::string::npos) {
    file.id_ = Hdf5Id(open_read_only(path, *file.sources_, 0, why), H5Fclose);
    file.unlocked_ = file.id_.valid();
  }
  if (file.id_.valid()) return file;
  if (why.find("truncated") != std::string::npos)
    return io_error("the HDF5 file is truncated: it ends before its last data", path.string(),
                    "Copy it again from its source (" + why + ")");
  if (!is_hdf5(path)) return io_error("not an HDF5 file", path.string(), "Check that it was copied whole");
  return io_error("the HDF5 file cannot be opened", path.string(), "HDF5 says: " + why);
}

bool Hdf5File::has(const std::string& name) const {
  constexpr double for_object = 3e-4;  // [s] to examine it
  const Hdf5ErrorsSilenced quiet;
  allow_cpu_time_for_object(for_object);
  if (name == "/") return true;
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    if (H5Lexists(id_.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (H5Oexists_by_name(id_.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

bool Hdf5File::has_dataset(const std::string& name) const {
  if (!has(name)) return false;
  const Hdf5ErrorsSilenced quiet;
  H5O_info_t info{};
  return H5Oget_info_by_name2(id_.get(), name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_DATASET;
}

bool Hdf5File::is_empty_dataset(const std::string& name) const {
  if (!has_dataset(name)) return false;
  const Hdf5ErrorsSilenced quiet;
  const Hdf5Id id(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Id space(id.valid() ? H5Dget_space(id.get()) : -1, H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space.get()) == 0;
}

std::vector<std::string> Hdf5File::children(const std::string& group) const {
  NamesOfGroup names;
  if (!has(group)) return {};
  const Hdf5ErrorsSilenced quiet;
  const Hdf5Id id(H5Gopen2(id_.get(), group.c_str(), H5P_DEFAULT), H5Gclose);
  if (!id.valid()) return {};
  hsize_t at = 0;
  H5Literate(id.get(), H5_INDEX_NAME, H5_ITER_INC, &at, add_name, &names);
  return std::move(names.all);
}

std::optional<std::string> Hdf5File::text(const std::string& dataset) const {
  if (!has_dataset(dataset)) return std::nullopt;
  const Hdf5ErrorsSilenced quiet;
  const Hdf5Id id(H5Dopen2(id_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!id.valid()) return std::nullopt;
  const Hdf5Id type(H5Dget_type(id.get()), H5Tclose), space(H5Dget_space(id.get()), H5Sclose);
  return read_text(type.get(), space.get(), [&](hid_t memory, void* to) {
    return H5Dread(id.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  });
}

std::optional<std::string> Hdf5File::attribute(const std::string& object, const std::string& name) const {
  if (!has(object)) return std::nullopt;
  const Hdf5ErrorsSilenced quiet;
  return read_attribute(id_.get(), object, name);
}

std::vector<std::string> Hdf5File::attribute_texts(const std::string& object, const std::string& name) const {
  if (!has(object)) return {};
  const Hdf5ErrorsSilenced quiet;
  const OpenAttribute a(id_.get(), object, name);
  return read_texts(a.type.get(), a.space.get(), a.count(H5T_STRING),
                    [&](void* to) { return H5Aread(a.id.get(), a.type.get(), to); });
}

std::vector<std::string> Hdf5File::texts(const std::string& dataset) const {
  if (!has_dataset(dataset)) return {};
  const Hdf5ErrorsSilenced quiet;
  const Hdf5Id id(H5Dopen2(id_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!id.valid()) return {};
  const Hdf5Id type(H5Dget_type(id.get()), H5Tclose), space(H5Dget_space(id.get()), H5Sclose);
  return read_texts(type.get(), space.get(), list_length(type.get(), space.get(), H5T_STRING),
                    [&](void* to) { return H5Dread(id.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
}

std::vector<int64_t> Hdf5File::attribute_integers(const std::string& object, const std::string& name) const {
  if (!has(object)) return {};
  const Hdf5ErrorsSilenced quiet;
  const OpenAttribute a(id_.get(), object, name);
  std::vector<int64_t> values(a.count(H5T_INTEGER));
  if (values.empty() || H5Aread(a.id.get(), H5T_NATIVE_INT64, values.data()) < 0) return {};
  return values;
}

std::optional<std::string> Hdf5Dataset::attribute(const std::string& name) const {
  const Hdf5ErrorsSilenced quiet;
  return read_attribute(id_.get(), ".", name);
}

std::optional<double> Hdf5Dataset::attribute_number(const std::string& name) const {
  const Hdf5ErrorsSilenced quiet;
  const OpenAttribute a(id_.get(), ".", name);
  double value = 0;
  if (a.count(H5T_FLOAT) != 1 && a.count(H5T_INTEGER) != 1) return std::nullopt;
  return H5Aread(a.id.get(), H5T_NATIVE_DOUBLE, &value) < 0 ? std::nullopt : std::optional(value);
}

Result<Hdf5Dataset> Hdf5File::dataset(const std::string& name, const std::vector<std::string>& chain) const {
  const std::string where = path_.string() + ":" + name;
  if (!has(name)) return missing_dataset(id_.get(), name, where);
  const Hdf5ErrorsSilenced quiet;
  Hdf5Dataset set;
  set.where_ = where;
  set.path_ = name;
  set.file_ = id_.get();
  set.id_ = open_dataset(id_.get(), name);
  if (!set.id_.valid())
    return invalid("not a dataset that can be opened", where, "HDF5 says: " + Hdf5ErrorsSilenced::problem());
  TL_TRY(set.type_, number_type(set.id_.get(), where));
  TL_TRY(set.shape_, dataset_shape(set.id_.get(), where));
  TL_TRY(check_filters(set.id_.get(), where));
  TL_TRY(set.storage_, check_storage(set.id_.get(), set.shape_, where, sources_, chain));
  const Hdf5Id plist(H5Dget_create_plist(set.id_.get()), H5Pclose);
  if (H5Pget_layout(plist.get()) == H5D_CHUNKED) {
    set.chunk_.resize(set.shape_.size());
    H5Pget_chunk(plist.get(), static_cast<int>(set.chunk_.size()), set.chunk_.data());
  }
  return set;
}

void Hdf5Dataset::add_frame_axis() {
  TL_CHECK(shape_.size() == 2 && added_axes_ == 0, "a frame has rows and columns");
  shape_.insert(shape_.begin(), 1);
  if (!chunk_.empty()) chunk_.insert(chunk_.begin(), 1);
  added_axes_ = 1;
  // A single frame is stored completely, or counts as not recorded.
  if (written() < 1) storage_.recorded = {false};
}

Result<void> Hdf5Dataset::read_frames(std::span<const int64_t> frames, Range rows, Range cols,
                                      const at::Tensor& out) const {
  TL_CHECK(shape_.size() == 3, "frames come from datasets of rank 3");
  const bool counts = out.scalar_type() == at::kUInt16;
  if (counts && !holds_counts(type_)) return unavailable("its pixels are " + type_ + ", not counts", where_);
  const bool whole = out.scalar_type() == at::kInt;
  if (whole && type_.starts_with("float")) return unavailable("its pixels are " + type_ + ", not integers", where_);
  const Hdf5ErrorsSilenced quiet;
  const auto n = static_cast<int64_t>(frames.size());
  if (out.numel() == 0) return ok();
  TL_TRY(check_recorded(frames));
  // HDF5 saturates integers that do not fit the type.
  const hid_t type = counts ? H5T_NATIVE_UINT16 : whole ? H5T_NATIVE_INT32 : H5T_NATIVE_FLOAT;
  const int64_t step = out.stride(0), size = out.element_size();
  TL_CHECK(step % cols.size() == 0, "frames lie whole rows apart");
  const Hdf5Id space(H5Dget_space(id_.get()), H5Sclose);
  const int64_t max_sources = frames_of_sources(), most = std::min(max_sources, frames_of_chunks(rows, cols));
  for (int64_t i = 0, run = 1; i < n; i += run) {
    const auto at = [&](int64_t k) { return frames[static_cast<std::size_t>(k)]; };
    for (run = 1; run < most && i + run < n && at(i + run) == at(i) + run;) ++run;
    const std::array<hsize_t, 3> start = {static_cast<hsize_t>(at(i)), static_cast<hsize_t>(rows.begin),
                                          static_cast<hsize_t>(cols.begin)};
    const std::array<hsize_t, 3> count = {static_cast<hsize_t>(run), static_cast<hsize_t>(rows.size()),
                                          static_cast<hsize_t>(cols.size())};
    // In memory, frames may be some rows apart. The memory selection is a box of the same shape as in the file: for
    // other shapes HDF5 copies chunked data pixel by pixel.
    const std::array<hsize_t, 3> room = {count[0], static_cast<hsize_t>(step / cols.size()), count[2]},
                                 first = {0, 0, 0};
    const auto in_file = [&](const std::array<hsize_t, 3>& all) { return all.data() + added_axes_; };
    allow_cpu_time_for_piece(touched_bytes({at(i), at(i) + run}, rows, cols));
    const Hdf5Id memory(H5Screate_simple(3 - static_cast<int>(added_axes_), in_file(room), nullptr), H5Sclose);
    std::byte* to = static_cast<std::byte*>(out.data_ptr()) + i * step * size;
    if (H5Sselect_hyperslab(memory.get(), H5S_SELECT_SET, in_file(first), nullptr, in_file(count), nullptr) < 0 ||
        H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, in_file(start), nullptr, in_file(count), nullptr) < 0 ||
        H5Dread(id_.get(), type, memory.get(), space.get(), H5P_DEFAULT, to) < 0)
      return io_error("frames " + std::to_string(at(i)) + " to " + std::to_string(at(i) + run - 1) + " cannot be read",
                      where_, "HDF5 says: " + Hdf5ErrorsSilenced::problem());
    if (max_sources < shape_[0]) {
      id_ = Hdf5Id();
      id_ = open_dataset(file_, path_);
      if (!id_.valid())
        return io_error("it cannot be opened again", where_, "HDF5 says: " + Hdf5ErrorsSilenced::problem());
    }
  }
  return ok();
}

}  // namespace tl::io
