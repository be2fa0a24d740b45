// Finishes records: opens them again without SWMR, completes them, and renames them.
#include "core/stream/record_end.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/io/hdf5/nxtomo_file.h"
#include "core/io/output/output_file.h"
#include "core/io/output/part_file.h"
#include "core/stream/record_file.h"
#include "core/stream/record_geometry.h"

namespace tl::stream {
namespace {

namespace fs = std::filesystem;
using io::Hdf5Id;

enum class RecordState : uint8_t { closed, interrupted };

// The recording, opened to be completed.
class LastChanges : private io::NexusGroups {
 public:
  LastChanges(const fs::path& path, RecordState state) {
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), 0, 1);
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    // The mark left by a killed writer; HDF5's own h5clear removes it in the same way.
    const hbool_t clear = 1;
    if (state == RecordState::interrupted) H5Pset(access.get(), "clear_status_flags", &clear);
    take_file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()));
    // A kill within a flush leaves objects after the end of file that the file states: they must not be overwritten.
    if (state == RecordState::interrupted && !failed()) note_failure(H5Fincrement_filesize(file(), 0));
  }

  // Makes lists and pixels that were flushed to different lengths equally long; rows without pixels count as lost.
  void mend_rows() {
    Hdf5Id frames = dataset(io::nxtomo_frames);
    keys_ = read<int32_t>(record::image_keys, H5T_NATIVE_INT32);
    if (failed()) return;
    const Hdf5Id space(H5Dget_space(frames.get()), H5Sclose);
    std::array<hsize_t, 3> size{};
    H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
    std::size_t rows = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == 3) continue;
      if (i >= size[0] || !has_pixels(frames.get(), i)) {
        keys_[i] = 3;
      } else {
        rows = i + 1;
      }
    }
    keys_.resize(rows, 3);
    size[0] = rows;
    note_failure(H5Dset_extent(frames.get(), size.data()));
    for (const char* name :
         {record::image_keys, record::frame_numbers, io::nxtomo_angles, record::arrival_times, record::sender_times}) {
      if (!has(name)) continue;
      const Hdf5Id set = dataset(name);
      const hsize_t length = rows;
      if (!failed()) note_failure(H5Dset_extent(set.get(), &length));
    }
    const Hdf5Id set = dataset(record::image_keys);
    if (!failed() && rows > 0)
      note_failure(H5Dwrite(set.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, keys_.data()));
  }

  // Unless every view has an angle, the record has no angles: readers then request them.
  void drop_incomplete_angles() {
    if (failed() || !has(io::nxtomo_angles)) return;
    if (keys_.empty()) keys_ = read<int32_t>(record::image_keys, H5T_NATIVE_INT32);
    const auto angles = read<double>(io::nxtomo_angles, H5T_NATIVE_DOUBLE);
    if (failed()) return;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] != 0 || (i < angles.size() && std::isfinite(angles[i]))) continue;
      note_failure(H5Ldelete(file(), io::nxtomo_angles, H5P_DEFAULT));
      note_failure(H5Ldelete(file(), "/entry/data/rotation_angle", H5P_DEFAULT));
      return;
    }
  }

  // Writes the positions of source and detector in each view, if the sender stated them.
  void write_view_positions() {
    if (failed() || !has(record::log) || !has(record::stream_vectors)) return;
    if (keys_.empty()) keys_ = read<int32_t>(record::image_keys, H5T_NATIVE_INT32);
    const auto numbers_of_rows = read<int64_t>(record::frame_numbers, H5T_NATIVE_INT64);
    const auto vectors = read<double>(record::stream_vectors, H5T_NATIVE_DOUBLE),
               beam = read<double>(record::stream_beam, H5T_NATIVE_DOUBLE);
    std::vector<int64_t> views;
    for (std::size_t i = 0; i < std::min(keys_.size(), numbers_of_rows.size()); ++i)
      if (keys_[i] == 0 && numbers_of_rows[i] >= 0) views.push_back(numbers_of_rows[i]);
    if (failed() || beam.empty()) return;
    const Beam of_stream = beam.front() == 1 ? Beam::cone : Beam::parallel;
    numbers(io::nxtomo_positions, H5T_NATIVE_DOUBLE, view_positions(vectors, of_stream, views), "mm");
  }

  // One NXlog per name: its times and values.
  void write_logs() {
    if (failed() || !has(record::log)) return;  // ended earlier, before anything was created
    const std::vector<std::string> names = read_texts(record::log_names, record::name_length),
                                   units = read_texts(record::log_units, record::unit_length);
    const auto name_of = read<int32_t>(record::log_name_of, H5T_NATIVE_INT32);
    const auto times = read<double>(record::log_times, H5T_NATIVE_DOUBLE),
               values = read<double>(record::log_values, H5T_NATIVE_DOUBLE);
    const std::size_t count = std::min({name_of.size(), times.size(), values.size()});
    std::map<std::string, std::size_t> taken;
    for (std::size_t n = 0; n < names.size() && !failed(); ++n) {
      std::vector<double> own_times, own_values;
      for (std::size_t i = 0; i < count; ++i) {
        if (name_of[i] != static_cast<int32_t>(n)) continue;
        own_times.push_back(times[i]);
        own_values.push_back(values[i]);
      }
      if (own_times.empty()) continue;
      std::string log = "/entry/logs/" + link_name(names[n]);
      if (const std::size_t before = taken[log]++; before > 0) log += "_" + std::to_string(before + 1);
      group(log, "NXlog");
      text(log + "/description", names[n]);
      numbers(log + "/time", H5T_NATIVE_DOUBLE, own_times, "s");
      object_attribute(log + "/time", "start", "1970-01-01T00:00:00Z");
      numbers(log + "/value", H5T_NATIVE_DOUBLE, own_values, n < units.size() ? units[n] : "");
    }
    if (!failed()) note_failure(H5Ldelete(file(), record::log, H5P_DEFAULT));
  }

  Result<EndedRecord> close(const fs::path& name) {
    if (keys_.empty()) keys_ = read<int32_t>(record::image_keys, H5T_NATIVE_INT32);
    if (const auto failure = finish()) {
      return io_error("the record cannot be ended", name.string(),
                      "The recorded data are still there (HDF5 reports: " + *failure + ")");
    }
    close_file();
    const auto count = [&](int32_t key) { return std::count(keys_.begin(), keys_.end(), key); };
    return EndedRecord{name, count(0), count(1), count(2), count(3)};
  }

 private:
  [[nodiscard]] bool has(const char* name) const { return H5Lexists(file(), name, H5P_DEFAULT) > 0; }
  static bool has_pixels(hid_t frames, std::size_t row) {
    const std::array<hsize_t, 3> start = {row, 0, 0};
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    return H5Dget_chunk_info_by_coord(frames, start.data(), &filters, &address, &size) >= 0 && address != HADDR_UNDEF &&
           size > 0;
  }
  Hdf5Id dataset(const std::string& name) {
    if (failed()) return {};
    return {note_failure(H5Dopen2(file(), name.c_str(), H5P_DEFAULT)), H5Dclose};
  }
  template <class T>
  std::vector<T> read(const std::string& name, hid_t type) {
    const Hdf5Id set = dataset(name);
    if (failed()) return {};
    const Hdf5Id space(H5Dget_space(set.get()), H5Sclose);
    std::vector<T> values(static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get()))));
    if (!values.empty()) note_failure(H5Dread(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  }
  std::vector<std::string> read_texts(const std::string& name, std::size_t length) {
    const Hdf5Id set = dataset(name);
    if (failed()) return {};
    const Hdf5Id space(H5Dget_space(set.get()), H5Sclose), type(H5Dget_type(set.get()), H5Tclose);
    const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get())));
    std::vector<char> bytes(count * length + 1, 0);
    if (count > 0) note_failure(H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string one(bytes.data() + i * length, length);
      texts.push_back(one.substr(0, one.find('\0')));
    }
    return texts;
  }
  // A valid group name: '/' would make it a path.
  static std::string link_name(std::string name) {
    for (char& c : name)
      if (c == '/' || c == '\0') c = '_';
    return name.empty() || name == "." ? "_" : name;
  }

  std::vector<int32_t> keys_;
};

Result<void> give_name(const fs::path& recording, const fs::path& name, const io::OutputRules& rules) {
  const io::FileDescriptor handle(open(recording.c_str(), O_RDONLY | O_CLOEXEC));
  if (!handle.is_open() || fsync(handle.get()) != 0)
    return io::system_error("the record cannot be written", recording, errno);
  TL_TRY(rules.check(name, io::OutputKind::file));
  const bool replaces = rules.overwrite == io::Overwrite::replace;
  const int code =
      replaces ? (std::rename(recording.c_str(), name.c_str()) == 0 ? 0 : errno) : io::rename_to_new(recording, name);
  if (code != 0)
    return io::system_error("the record is complete, and cannot be named " + name.string(), recording, code);
  return ok();
}

Result<EndedRecord> end(const fs::path& recording, const fs::path& name, RecordState state,
                        const io::OutputRules& rules) {
  Result<EndedRecord> ended = [&]() -> Result<EndedRecord> {
    const std::lock_guard lock(io::hdf5_mutex());
    LastChanges file(recording, state);
    if (state == RecordState::interrupted) file.mend_rows();
    file.drop_incomplete_angles();
    file.write_view_positions();
    file.write_logs();
    return file.close(name);
  }();
  TL_TRY(EndedRecord record, std::move(ended));
  TL_TRY(give_name(recording, name, rules));
  return record;
}

}  // namespace

Result<void> check_record_name(const fs::path& name, const io::OutputRules& rules) {
  TL_TRY(rules.check(name, io::OutputKind::file));
  std::error_code failed;
  if (fs::exists(fs::symlink_status(recording_name(name), failed)))
    return invalid("there is a record that was not ended", recording_name(name).string(),
                   two_wordings("End it with tomoloom live --recover, or remove it", "Recover or remove it"));
  if (rules.overwrite == io::Overwrite::refuse && fs::exists(fs::symlink_status(name, failed)))
    return invalid("the output exists already", name.string(), "Choose another name, or allow it to be replaced");
  return ok();
}

Result<EndedRecord> end_record(const fs::path& name, const io::OutputRules& rules) {
  return end(recording_name(name), name, RecordState::closed, rules);
}

Result<EndedRecord> recover_record(const fs::path& recording, const io::OutputRules& rules) {
  const std::string path = recording.string(), ending = ".recording";
  if (!path.ends_with(ending) || recording.filename().string().size() <= ending.size())
    return invalid("not an unfinished record", path, "Its name ends with " + ending);
  const io::FileDescriptor handle(open(recording.c_str(), O_RDWR | O_CLOEXEC));
  if (!handle.is_open()) return io::system_error("the record cannot be opened", recording, errno);
  TL_TRY(lock_record(handle.get(), recording));
  const fs::path name = path.substr(0, path.size() - ending.size());
  TL_TRY(rules.check(name, io::OutputKind::file));
  return end(recording, name, RecordState::interrupted, rules);
}

}  // namespace tl::stream
