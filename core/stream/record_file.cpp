// Writes frames into an NXtomo file in SWMR mode.
#include "core/stream/record_file.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "core/base/wording.h"
#include "core/io/hdf5/nxtomo_file.h"
#include "core/io/output/output_file.h"
#include "core/stream/record_geometry.h"

namespace tl::stream {

namespace fs = std::filesystem;
using io::Hdf5Id;

fs::path recording_name(const fs::path& name) { return fs::path(name) += ".recording"; }

void RowFacts::resize(std::size_t rows) {
  image_key.resize(rows, 3);
  frame_number.resize(rows, -1);
  for (auto* list : {&angle, &arrival_time, &sender_time}) list->resize(rows, no_time);
}

Result<void> lock_record(int handle, const fs::path& path) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(handle, F_OFD_SETLK, &lock) == 0 || errno == EINVAL || errno == ENOLCK || errno == ENOSYS) return ok();
  return io_error("another process is writing this record", path.string(), "Let it end first");
}

namespace {

Error not_written(const fs::path& path, const std::string& problem) {
  return io_error("the record cannot be written", path.string(),
                  "Check that the disk has room and the folder may be written to (HDF5 says: " + problem +
                      "). What was written until a second ago is there: " +
                      two_wordings("tomoloom live --recover ends the record", "recover the record"));
}

hid_t file_type(PixelType type) {
  return type == PixelType::uint8 ? H5T_STD_U8LE : type == PixelType::uint16 ? H5T_STD_U16LE : H5T_IEEE_F32LE;
}

int32_t image_key_of(const Frame& frame) {
  if (!frame.has_beam) return 3;
  return frame.kind == FrameKind::view ? 0 : frame.kind == FrameKind::flat ? 1 : 2;
}

class SwmrFile final : public RecordFile, private io::NexusGroups {
 public:
  SwmrFile(fs::path path, io::FileDescriptor handle, const Frame& like)
      : path_(std::move(path)), handle_(std::move(handle)), rows_(like.rows), cols_(like.cols), type_(like.type) {}
  SwmrFile(const SwmrFile&) = delete;
  SwmrFile& operator=(const SwmrFile&) = delete;
  ~SwmrFile() override {
    const std::lock_guard lock(io::hdf5_mutex());
    close_all();
  }

  Result<void> open(const std::string& quantity, const std::optional<StreamGeometry>& geometry) {
    const std::lock_guard lock(io::hdf5_mutex());
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), 0, 1);  // lock_record()
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    take_file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    io::write_nxtomo_groups(*this);
    text(std::string(io::nxtomo_detector) + "/field_of_view", "Full");
    group(record::log, "NXcollection");
    if (geometry) write_stream_geometry(*geometry, *this);
    const auto rows = static_cast<hsize_t>(rows_), cols = static_cast<hsize_t>(cols_);
    frames_ = growing(io::nxtomo_frames, file_type(type_), {0, rows, cols}, {1, rows, cols}, nullptr);
    if (!failed()) attribute(frames_.get(), "quantity", quantity);
    const int32_t nothing = 3;
    const int64_t no_number = -1;
    list(record::image_keys, H5T_STD_I32LE, &nothing);
    list(record::frame_numbers, H5T_STD_I64LE, &no_number);
    list(io::nxtomo_angles, H5T_IEEE_F64LE, &no_time, "degree");
    list(record::arrival_times, H5T_IEEE_F64LE, &no_time, "s");
    list(record::sender_times, H5T_IEEE_F64LE, &no_time, "s");
    list(record::log_names, fixed_text(record::name_length).get(), nullptr);
    list(record::log_units, fixed_text(record::unit_length).get(), nullptr);
    list(record::log_name_of, H5T_STD_I32LE, nullptr);
    list(record::log_times, H5T_IEEE_F64LE, nullptr);
    list(record::log_values, H5T_IEEE_F64LE, nullptr);
    if (!failed()) note_failure(H5Fflush(file(), H5F_SCOPE_LOCAL));
    // From here on no object may be created; only data may be written and datasets extended.
    if (!failed()) note_failure(H5Fstart_swmr_write(file()));
    return result();
  }

  Result<void> add(int64_t row, const Frame& frame) override {
    TL_CHECK(frame.rows == rows_ && frame.cols == cols_ && frame.type == type_,
             "all frames of a record have the same shape and type");
    const auto n = static_cast<std::size_t>(row);
    const std::lock_guard lock(io::hdf5_mutex());
    if (n >= facts_.rows()) {
      facts_.resize(n + 1);
      const std::array<hsize_t, 3> size = {n + 1, static_cast<hsize_t>(rows_), static_cast<hsize_t>(cols_)};
      if (!failed()) note_failure(H5Dset_extent(frames_.get(), size.data()));
    }
    // Written directly, without HDF5's conversions and cache: the file's numbers are little-endian, like the frame's.
    const std::array<hsize_t, 3> start = {n, 0, 0};
    if (!failed())
      note_failure(
          H5Dwrite_chunk(frames_.get(), H5P_DEFAULT, 0, start.data(), frame.pixels.size(), frame.pixels.data()));
    if (failed()) return result();
    facts_.image_key[n] = image_key_of(frame);
    facts_.frame_number[n] = frame.number.value_or(-1);
    facts_.angle[n] = frame.angle.value_or(no_time);
    facts_.arrival_time[n] = frame.arrival_time;
    facts_.sender_time[n] = frame.sender_time;
    first_new_ = std::min(first_new_, n);
    for (const NearbyValue& value : frame.values) add_value(value, frame.arrival_time);
    return ok();
  }

  void add(const TimedValue& value) override {
    const std::lock_guard lock(io::hdf5_mutex());
    add_value(value, value.time);
  }

  // The lists are written only here, after the pixels: a row with a key has its pixels in the file.
  Result<void> flush() override {
    const std::lock_guard lock(io::hdf5_mutex());
    if (failed()) return result();
    note_failure(H5Dflush(frames_.get()));
    if (first_new_ < facts_.rows()) {
      write_from(record::frame_numbers, H5T_NATIVE_INT64, first_new_, facts_.frame_number);
      write_from(io::nxtomo_angles, H5T_NATIVE_DOUBLE, first_new_, facts_.angle);
      write_from(record::arrival_times, H5T_NATIVE_DOUBLE, first_new_, facts_.arrival_time);
      write_from(record::sender_times, H5T_NATIVE_DOUBLE, first_new_, facts_.sender_time);
      write_from(record::image_keys, H5T_NATIVE_INT32, first_new_, facts_.image_key);
    }
    write_log();
    if (!failed()) note_failure(H5Fflush(file(), H5F_SCOPE_LOCAL));
    if (!failed()) first_new_ = facts_.rows();
    return result();
  }

  Result<void> close() override {
    const Result<void> flushed = flush();
    const std::lock_guard lock(io::hdf5_mutex());
    close_all();
    return flushed;
  }

  [[nodiscard]] int handle() const override { return handle_.get(); }

 private:
  using io::NexusGroups::create;

  [[nodiscard]] Result<void> result() const {
    if (problem()) return not_written(path_, *problem());
    return ok();
  }
  void close_all() {
    lists_.clear();
    frames_ = {};
    close_file();
  }
  static Hdf5Id fixed_text(std::size_t length) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return {type, H5Tclose};
  }
  Hdf5Id growing(const std::string& name, hid_t type, std::vector<hsize_t> size, const std::vector<hsize_t>& chunk,
                 const void* fill) {
    if (failed()) return {};
    std::vector<hsize_t> largest = size;
    largest[0] = H5S_UNLIMITED;
    const auto rank = static_cast<int>(size.size());
    const Hdf5Id space(H5Screate_simple(rank, size.data(), largest.data()), H5Sclose),
        plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(plist.get(), rank, chunk.data());
    if (fill != nullptr) H5Pset_fill_value(plist.get(), type, fill);
    return create(name, type, space.get(), plist.get());
  }
  void list(const std::string& name, hid_t type, const void* fill, const std::string& units = {}) {
    constexpr hsize_t chunk = 1024;
    Hdf5Id set = growing(name, type, {0}, {chunk}, fill);
    if (failed()) return;
    if (!units.empty()) attribute(set.get(), "units", units);
    lists_[name] = std::move(set);
  }
  template <class T>
  void write_from(const std::string& name, hid_t type, std::size_t begin, const std::vector<T>& values) {
    if (failed() || begin >= values.size()) return;
    const hid_t set = lists_[name].get();
    const hsize_t size = values.size(), start = begin, count = size - begin;
    note_failure(H5Dset_extent(set, &size));
    const Hdf5Id space(H5Dget_space(set), H5Sclose), memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    note_failure(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr));
    note_failure(H5Dwrite(set, type, memory.get(), space.get(), H5P_DEFAULT, values.data() + begin));
    note_failure(H5Dflush(set));
  }
  void add_value(const NearbyValue& value, double time) {
    const auto [at, is_new] =
        name_index_.emplace(std::pair(value.name, value.unit), static_cast<int32_t>(name_index_.size()));
    if (is_new) {
      names_.emplace_back(value.name);
      units_.emplace_back(value.unit);
    }
    log_name_of_.push_back(at->second);
    log_times_.push_back(time);
    log_values_.push_back(value.value);
  }
  void write_texts(const std::string& name, std::size_t length, const std::vector<std::string>& texts) {
    if (written_names_ >= texts.size()) return;
    std::vector<char> bytes(texts.size() * length, 0);
    for (std::size_t i = 0; i < texts.size(); ++i)
      std::memcpy(bytes.data() + i * length, texts[i].data(), std::min(texts[i].size(), length - 1));
    const hid_t set = lists_[name].get();
    const hsize_t size = texts.size();
    const Hdf5Id type = fixed_text(length);
    note_failure(H5Dset_extent(set, &size));
    note_failure(H5Dwrite(set, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
    note_failure(H5Dflush(set));
  }
  // Names are written before values: for any index in the file, the name exists.
  void write_log() {
    if (failed()) return;
    write_texts(record::log_names, record::name_length, names_);
    write_texts(record::log_units, record::unit_length, units_);
    written_names_ = names_.size();
    append(record::log_times, H5T_NATIVE_DOUBLE, log_times_);
    append(record::log_values, H5T_NATIVE_DOUBLE, log_values_);
    append(record::log_name_of, H5T_NATIVE_INT32, log_name_of_);
    written_values_ += log_times_.size();
    log_times_.clear();
    log_values_.clear();
    log_name_of_.clear();
  }
  template <class T>
  void append(const std::string& name, hid_t type, const std::vector<T>& values) {
    if (failed() || values.empty()) return;
    const hid_t set = lists_[name].get();
    const hsize_t start = written_values_, count = values.size(), size = start + count;
    note_failure(H5Dset_extent(set, &size));
    const Hdf5Id space(H5Dget_space(set), H5Sclose), memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    note_failure(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr));
    note_failure(H5Dwrite(set, type, memory.get(), space.get(), H5P_DEFAULT, values.data()));
    note_failure(H5Dflush(set));
  }

  const fs::path path_;
  io::FileDescriptor handle_;
  const int64_t rows_, cols_;
  const PixelType type_;
  Hdf5Id frames_;
  std::map<std::string, Hdf5Id> lists_;
  RowFacts facts_;
  std::size_t first_new_ = SIZE_MAX;  // the first row whose metadata are not written yet
  std::map<std::pair<std::string, std::string>, int32_t> name_index_;
  std::vector<std::string> names_, units_;
  std::vector<double> log_times_, log_values_;  // since the last flush
  std::vector<int32_t> log_name_of_;
  std::size_t written_names_ = 0;
  hsize_t written_values_ = 0;
};

}  // namespace

Result<std::unique_ptr<RecordFile>> RecordFile::create(const fs::path& path, const Frame& like,
                                                       const std::string& quantity,
                                                       const std::optional<StreamGeometry>& geometry) {
  io::FileDescriptor handle(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!handle.is_open() && errno == EEXIST)
    return io_error("there is a record that was not ended", path.string(),
                    two_wordings("End it with tomoloom live --recover, or remove it", "Recover or remove it"));
  if (!handle.is_open()) return io::system_error("the record cannot be created", path, errno);
  TL_TRY(lock_record(handle.get(), path));
  auto file = std::make_unique<SwmrFile>(path, std::move(handle), like);
  if (const Result<void> opened = file->open(quantity, geometry); !opened.ok()) {
    unlink(path.c_str());
    return opened.error();
  }
  return std::unique_ptr<RecordFile>(std::move(file));
}

}  // namespace tl::stream
