// HDF5 wrappers for our readers: owned handles, errors as text, and reads that check sizes stated in the file.
#pragma once

#include <ATen/core/Tensor.h>
#include <hdf5.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/io/hdf5/handles.h"
#include "core/io/hdf5/storage.h"

namespace tl::io {

// Folders for filter plugins in HDF5_PLUGIN_PATH. Relative ones are never used.
std::vector<std::string> plugin_folders_of_environment();

// An open dataset of numbers. Shapes are at most 3 long where frames are read.
class Hdf5Dataset {
 public:
  [[nodiscard]] const std::vector<int64_t>& shape() const { return shape_; }
  [[nodiscard]] const std::string& where() const { return where_; }  // "file.h5:/exchange/data"
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& type() const { return type_; }  // "uint16", "float32", ...
  [[nodiscard]] std::optional<std::string> attribute(const std::string& name) const;
  [[nodiscard]] std::optional<double> attribute_number(const std::string& name) const;
  // Fraction of the pixels that have storage: below 1 for a scan that was cut short.
  [[nodiscard]] double written() const { return storage_.written; }
  // Which frames are complete; empty: all, or (with written() < 1) not known.
  [[nodiscard]] const std::vector<bool>& recorded() const { return storage_.recorded; }

  // Reads rows and columns of some frames of a [frame, row, col] dataset into `out`, [n, row, col] of float32 or
  // uint16; the pixels of a frame are contiguous, and the frame stride is a multiple of a row. Unavailable: uint16
  // requested, but the dataset's numbers do not fit. io: frames that were never recorded, by their numbers.
  [[nodiscard]] Result<void> read_frames(std::span<const int64_t> frames, Range rows, Range cols,
                                         const at::Tensor& out) const;
  // Turns a dataset [row, col] into one of a single frame, [1, row, col].
  void add_frame_axis();
  // All values of a small dataset (at most 2^24) in order.
  [[nodiscard]] Result<std::vector<double>> read_all() const;

 private:
  [[nodiscard]] int64_t touched_bytes(Range frames, Range rows, Range cols) const;
  [[nodiscard]] Result<void> check_recorded(std::span<const int64_t> frames) const;
  [[nodiscard]] bool is_recorded(int64_t frame) const;
  friend class Hdf5File;
  [[nodiscard]] int64_t frames_of_sources() const;
  [[nodiscard]] int64_t frames_of_chunks(Range rows, Range cols) const;
  hid_t file_ = H5I_INVALID_HID;  // the file that contains it; must outlive it
  mutable Hdf5Id id_;
  std::vector<int64_t> shape_;
  std::string where_, path_, type_;
  std::vector<hsize_t> chunk_;  // empty: not chunked
  std::size_t added_axes_ = 0;  // leading axes of shape_ and chunk_ that the dataset in the file does not have
  Storage storage_;
  enum class Asked : uint8_t { not_yet, there, missing };
  mutable std::vector<Asked> asked_;  // by frame: whether it is recorded, if storage_ does not list it
};

// A file opened for reading. Dangling and circular links count as missing.
class Hdf5File {
 public:
  // Whether the file has the HDF5 signature.
  static bool is_hdf5(const std::filesystem::path& path);
  // Files that links, virtual datasets and external storage refer to are opened through `sources`.
  static Result<Hdf5File> open(const std::filesystem::path& path, std::shared_ptr<SourceFiles> sources);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] hid_t id() const { return id_.get(); }
  [[nodiscard]] const SourceFiles& sources() const { return *sources_; }
  // Whether the file was opened without a lock, because the file system does not support locks.
  [[nodiscard]] bool unlocked() const { return unlocked_; }
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] bool has_dataset(const std::string& name) const;
  // Whether the dataset exists and has no elements.
  [[nodiscard]] bool is_empty_dataset(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> children(const std::string& group) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& dataset) const;
  // A dataset of one or several texts, at most 64; empty if absent or of another type.
  [[nodiscard]] std::vector<std::string> texts(const std::string& dataset) const;
  [[nodiscard]] std::optional<std::string> attribute(const std::string& object, const std::string& name) const;
  // Attributes with one or several texts or integers, at most 64; empty if absent or of another type.
  [[nodiscard]] std::vector<std::string> attribute_texts(const std::string& object, const std::string& name) const;
  [[nodiscard]] std::vector<int64_t> attribute_integers(const std::string& object, const std::string& name) const;
  // Opens a dataset of integers or floats; checks its stated size against the file, and that its filters are installed.
  // `chain`: the virtual datasets that refer to it.
  [[nodiscard]] Result<Hdf5Dataset> dataset(const std::string& name, const std::vector<std::string>& chain = {}) const;

 private:
  std::shared_ptr<SourceFiles> sources_;  // outlives the file
  Hdf5Id id_;
  std::filesystem::path path_;
  bool unlocked_ = false;
};

}  // namespace tl::io
