// NexusFile: writes a NeXus file with frames or blocks of numbers. Internal to the writers of HDF5.
#pragma once

#include <ATen/core/Tensor.h>
#include <hdf5.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/region.h"
#include "core/io/hdf5/nexus_groups.h"
#include "core/io/output/volume_writer.h"

namespace tl::io {

class NexusFile : public NexusGroups {
 public:
  explicit NexusFile(const std::filesystem::path& path) {
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), 0, 1);  // OutputFile has locked it
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
    take_file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  }

  // Writes the frames of several tensors [n, row, col] one after the other, in chunks of one frame.
  void frames(const std::string& name, const std::vector<at::Tensor>& parts, bool as_uint16,
              const std::string& quantity) {
    if (failed()) return;
    hsize_t shape[3] = {0, static_cast<hsize_t>(parts[0].size(1)), static_cast<hsize_t>(parts[0].size(2))};
    for (const at::Tensor& part : parts) shape[0] += static_cast<hsize_t>(part.size(0));
    const hsize_t chunk[3] = {1, shape[1], shape[2]};
    const Hdf5Id space(H5Screate_simple(3, shape, nullptr), H5Sclose), plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    note_failure(H5Pset_chunk(plist.get(), 3, chunk));
    const Hdf5Id set = create(name, as_uint16 ? H5T_STD_U16LE : H5T_IEEE_F32LE, space.get(), plist.get());
    attribute(set.get(), "quantity", quantity);
    hsize_t start[3] = {0, 0, 0};
    for (const at::Tensor& part : parts) {
      if (failed()) return;
      const hsize_t count[3] = {static_cast<hsize_t>(part.size(0)), shape[1], shape[2]};
      const Hdf5Id memory(H5Screate_simple(3, count, nullptr), H5Sclose);
      note_failure(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr));
      note_failure(
          H5Dwrite(set.get(), H5T_NATIVE_FLOAT, memory.get(), space.get(), H5P_DEFAULT, part.data_ptr<float>()));
      start[0] += count[0];
    }
  }
  // Creates a contiguous float32 dataset [frame, row, col] to be filled later, in any order.
  void empty_frames(const std::string& name, const std::array<int64_t, 3>& shape, const std::string& quantity) {
    empty_block(name, shape, H5T_IEEE_F32LE);
    attribute(frames_.get(), "quantity", quantity);
  }
  // An empty dataset of any number type; if requested, compressed in chunks of one frame.
  void empty_block(const std::string& name, const std::array<int64_t, 3>& shape, hid_t type,
                   Compression compression = Compression::none) {
    if (failed()) return;
    const hsize_t size[3] = {static_cast<hsize_t>(shape[0]), static_cast<hsize_t>(shape[1]),
                             static_cast<hsize_t>(shape[2])};
    const Hdf5Id space(H5Screate_simple(3, size, nullptr), H5Sclose), plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (compression == Compression::none) {
      note_failure(H5Pset_alloc_time(plist.get(), H5D_ALLOC_TIME_EARLY));
      note_failure(H5Pset_fill_time(plist.get(), H5D_FILL_TIME_NEVER));
    } else {
      constexpr unsigned quick = 1;
      const hsize_t chunk[3] = {1, size[1], size[2]};
      note_failure(H5Pset_chunk(plist.get(), 3, chunk));
      note_failure(H5Pset_shuffle(plist.get()));
      note_failure(H5Pset_deflate(plist.get(), quick));
    }
    frames_ = create(name, type, space.get(), plist.get());
  }
  // Attributes of that dataset.
  void block_attribute(const std::string& name, const std::string& value) { attribute(frames_.get(), name, value); }
  void block_attribute(const std::string& name, double value) {
    if (failed()) return;
    const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id id(
        note_failure(H5Acreate2(frames_.get(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT)),
        H5Aclose);
    note_failure(H5Awrite(id.get(), H5T_NATIVE_DOUBLE, &value));
  }
  // Writes frame `index`, given as numbers of the dataset's own type.
  void fill_frame(int64_t index, std::span<const std::byte> numbers) {
    if (failed()) return;
    const Hdf5Id space(H5Dget_space(frames_.get()), H5Sclose), type(H5Dget_type(frames_.get()), H5Tclose);
    std::array<hsize_t, 3> count{};
    H5Sget_simple_extent_dims(space.get(), count.data(), nullptr);
    count[0] = 1;
    const std::array<hsize_t, 3> start = {static_cast<hsize_t>(index), 0, 0};
    const Hdf5Id memory(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
    note_failure(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    note_failure(H5Dwrite(frames_.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, numbers.data()));
  }
  // Writes a region of it; `data` is contiguous float32 on the CPU.
  void fill(const ScanRegion& region, const at::Tensor& data) {
    if (failed()) return;
    const std::array<Range, 3> ranges = {region.views, region.rows, region.cols};
    std::array<hsize_t, 3> start{}, count{};
    for (std::size_t i = 0; i < 3; ++i) {
      start[i] = static_cast<hsize_t>(ranges[i].begin);
      count[i] = static_cast<hsize_t>(ranges[i].size());
    }
    const Hdf5Id space(H5Dget_space(frames_.get()), H5Sclose),
        memory(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
    note_failure(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    note_failure(H5Dwrite(frames_.get(), H5T_NATIVE_FLOAT, memory.get(), space.get(), H5P_DEFAULT,
                          data.const_data_ptr<float>()));
  }

 private:
  Hdf5Id frames_;
};

}  // namespace tl::io
