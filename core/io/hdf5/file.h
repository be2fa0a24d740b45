// HDF5 for our readers: handles that close themselves, errors in words, reads that never trust a size in the file.
#pragma once

#include <ATen/core/Tensor.h>
#include <hdf5.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/io/hdf5/storage.h"

namespace tl::io {

// Owns one HDF5 identifier; `close` is the H5?close function of its kind.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Held by whoever writes: the library's own lock must be free when a thread forks.
std::mutex& hdf5_mutex();

// Folders that the environment names for filter plugins. Relative ones are never used.
std::vector<std::string> plugin_folders_of_environment();

// While it lives, the library prints nothing on this thread; problem() is what it would have said.
class Hdf5Quiet {
 public:
  Hdf5Quiet();
  ~Hdf5Quiet();
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;
  static std::string problem();

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

// An open dataset of numbers. Shapes are at most 3 long where frames are read.
class Hdf5Dataset {
 public:
  [[nodiscard]] const std::vector<int64_t>& shape() const { return shape_; }
  [[nodiscard]] const std::string& where() const { return where_; }  // "file.h5:/exchange/data"
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& type() const { return type_; }  // "uint16", "float32", ...
  [[nodiscard]] std::optional<std::string> attribute(const std::string& name) const;
  // Share of the pixels for which there is storage: below 1 for a scan that was cut short.
  [[nodiscard]] double written() const { return storage_.written; }
  // Which frames are there as a whole; empty: all, or (with written() < 1) it cannot be told.
  [[nodiscard]] const std::vector<bool>& recorded() const { return storage_.recorded; }

  // Frames of a [frame, row, col] dataset on some rows and columns into `out`, [n, row, col] of float32 or uint16 with
  // the pixels of a frame side by side and frames whole rows apart. unavailable: the dataset's numbers do not fit
  // uint16. io: frames that were never recorded, by their numbers.
  [[nodiscard]] Result<void> read_frames(std::span<const int64_t> frames, Range rows, Range cols,
                                         const at::Tensor& out) const;
  // All values of a small dataset (at most 2^24) in order.
  [[nodiscard]] Result<std::vector<double>> read_all() const;

 private:
  [[nodiscard]] int64_t touched_bytes(Range frames, Range rows, Range cols) const;
  [[nodiscard]] Result<void> check_recorded(std::span<const int64_t> frames) const;
  [[nodiscard]] bool is_recorded(int64_t frame) const;
  friend class Hdf5File;
  [[nodiscard]] int64_t frames_of_sources() const;
  [[nodiscard]] int64_t frames_of_chunks(Range rows, Range cols) const;
  hid_t file_ = H5I_INVALID_HID;  // that it was opened from, and that outlives it
  mutable Hdf5Id id_;
  std::vector<int64_t> shape_;
  std::string where_, path_, type_;
  std::vector<hsize_t> chunk_;  // empty: not in chunks
  Storage storage_;
  enum class Asked : uint8_t { not_yet, there, missing };
  mutable std::vector<Asked> asked_;  // of the frames, where storage_ does not say it
};

// A file opened for reading. Names that lead nowhere (dangling or circular links) do not exist.
class Hdf5File {
 public:
  // True when the file carries the HDF5 signature.
  static bool is_hdf5(const std::filesystem::path& path);
  // All files that links, virtual datasets and external storage lead to are opened as `sources` say.
  static Result<Hdf5File> open(const std::filesystem::path& path, std::shared_ptr<SourceFiles> sources);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const SourceFiles& sources() const { return *sources_; }
  // The file system refused to lock the file; it was opened without.
  [[nodiscard]] bool unlocked() const { return unlocked_; }
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] bool has_dataset(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> children(const std::string& group) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& dataset) const;
  [[nodiscard]] std::optional<std::string> attribute(const std::string& object, const std::string& name) const;
  // Opens a dataset of integers or floats and checks that the file can hold what it claims and that its filters exist.
  // `chain`: the virtual datasets that lead to it.
  [[nodiscard]] Result<Hdf5Dataset> dataset(const std::string& name, const std::vector<std::string>& chain = {}) const;

 private:
  std::shared_ptr<SourceFiles> sources_;  // outlives the file
  Hdf5Id id_;
  std::filesystem::path path_;
  bool unlocked_ = false;
};

}  // namespace tl::io
