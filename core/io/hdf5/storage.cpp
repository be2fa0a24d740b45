// Finds which frames of an HDF5 dataset were recorded, for contiguous, chunked and external storage. Virtual datasets
// are in virtual.cpp.
#include "core/io/hdf5/storage.h"

#include <algorithm>
#include <array>

#include "core/io/bytes/reader_limits.h"
#include "core/io/hdf5/file.h"
#include "core/io/hdf5/virtual.h"

namespace tl::io {
namespace {

using Shape = std::vector<int64_t>;

// Fraction of the frames that were recorded.
double recorded_share(const std::vector<bool>& recorded) {
  const auto count = std::count(recorded.begin(), recorded.end(), true);
  return recorded.empty() ? 1 : static_cast<double>(count) / static_cast<double>(recorded.size());
}

// A range [begin, end) of a dataset's bytes that one of its external files contains.
struct BytePiece {
  uint64_t begin, end;
};

Result<Storage> external_storage(hid_t dataset, hid_t plist, int count, const Shape& shape, uint64_t claimed,
                                 const std::string& where, const std::shared_ptr<SourceFiles>& sources,
                                 const std::vector<std::string>& chain) {
  const std::filesystem::path owner = containing_file(dataset);
  std::vector<BytePiece> pieces;
  uint64_t begin = 0;
  for (int i = 0; i < count && begin < claimed; ++i) {
    std::array<char, 4096> name{};
    off_t offset = 0;
    hsize_t size = 0;
    if (H5Pget_external(plist, static_cast<unsigned>(i), name.size() - 1, name.data(), &offset, &size) < 0)
      return invalid("its list of external files cannot be read", where, "The file is damaged: copy it again");
    // The path by which HDF5 finds the file: relative to the folder of the file that names it (open_dataset()).
    const std::filesystem::path source = owner.parent_path() / name.data();
    const bool by_working_folder = !chain.empty() && std::filesystem::path(name.data()).is_relative();
    if (by_working_folder) sources->require_scan_folder();
    if (by_working_folder && !sources->is_scan_folder(owner.parent_path()))
      return invalid("through a virtual dataset its external file \"" + std::string(name.data()) +
                         "\" would be looked for in the scan's folder, not next to " + owner.filename().string(),
                     where, "Open that file itself, or keep it in the folder of the scan");
    const auto stamp = stamp_of(source);
    if (!stamp) return missing_source(name.data(), where);
    if (!sources->admits(source)) return *sources->refused();
    sources->add(source, *stamp);
    const uint64_t length = stamp->size, first = offset < 0 ? length : std::min<uint64_t>(offset, length);
    const uint64_t wanted = std::min<uint64_t>(size, claimed - begin);
    pieces.push_back({begin, begin + std::min(wanted, length - first)});
    begin += wanted;
  }
  allow_memory_for(sources->bytes());
  const uint64_t frame = claimed / static_cast<uint64_t>(shape[0]);
  Storage storage;
  for (uint64_t at = 0; at < claimed; at += frame) {
    uint64_t recorded_bytes = 0;
    for (const BytePiece& piece : pieces) {
      const uint64_t low = std::max(piece.begin, at), high = std::min(piece.end, at + frame);
      recorded_bytes += high > low ? high - low : 0;
    }
    storage.recorded.push_back(recorded_bytes == frame);
  }
  storage.written = recorded_share(storage.recorded);
  return storage;
}

Result<Storage> contiguous_storage(hid_t dataset, uint64_t claimed, const std::string& where) {
  Storage storage;
  if (H5Dget_storage_size(dataset) == 0) {
    storage.written = 0;
    return storage;
  }
  std::error_code failed;
  const uint64_t length = std::filesystem::file_size(containing_file(dataset), failed);
  const haddr_t offset = H5Dget_offset(dataset);
  if (!failed && (offset == HADDR_UNDEF || offset > length || claimed > length - offset))
    return io_error("it claims " + std::to_string(claimed) + " bytes, but the file ends after " +
                        std::to_string(length - std::min<uint64_t>(offset, length)) + " of them",
                    where, "The file is truncated or damaged: copy it again");
  return storage;
}

// The chunks of a dataset; a row of chunks covers chunk[0] frames.
struct Chunks {
  hid_t dataset;
  const Shape& shape;
  std::vector<hsize_t> size;

  [[nodiscard]] uint64_t along(std::size_t d) const {
    return (static_cast<uint64_t>(shape[d]) + size[d] - 1) / size[d];
  }
  [[nodiscard]] uint64_t in_row() const {
    uint64_t count = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) count *= along(d);
    return count;
  }
  // Whether chunk `index` of row `row` was written.
  [[nodiscard]] bool is_there(uint64_t row, uint64_t index) const {
    std::vector<hsize_t> offset(shape.size(), 0);
    for (std::size_t d = shape.size(); d-- > 1; index /= along(d)) offset[d] = index % along(d) * size[d];
    offset[0] = row * size[0];
    hsize_t stored = 0;
    return H5Dget_chunk_storage_size(dataset, offset.data(), &stored) >= 0 && stored > 0;
  }
  [[nodiscard]] bool row_is_there(uint64_t row) const {
    for (uint64_t i = 0; i < in_row(); ++i)
      if (!is_there(row, i)) return false;
    return true;
  }
};

constexpr double for_chunk = 2e-6;  // [s]

// Checks every chunk if there are few enough. Otherwise checks the first and last chunk of each row of chunks, which
// suffices if whole frames are missing, as in an aborted scan; if not, frames are checked when they are read
// (frame_is_stored()).
Result<Storage> chunked_storage(hid_t dataset, hid_t plist, const Shape& shape, const std::string& where) {
  constexpr uint64_t max_asked = 1 << 18;
  const auto rank = static_cast<int>(shape.size());
  Chunks chunks = {dataset, shape, std::vector<hsize_t>(shape.size())};
  if (H5Pget_chunk(plist, rank, chunks.size.data()) != rank)
    return invalid("its chunks cannot be read", where, "The file is damaged: copy it again");
  const uint64_t rows = chunks.along(0), in_row = chunks.in_row(), all = rows * in_row;
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  uint64_t size = H5Tget_size(type.get());
  for (const hsize_t length : chunks.size) size *= length;
  if (size > static_cast<uint64_t>(allowed_memory()))
    return io_error("its chunks of " + std::to_string(size) + " bytes are larger than the file makes likely", where,
                    "The file is probably damaged; if not, rewrite it with smaller chunks");
  hsize_t present = 0;
  if (H5Dget_num_chunks(dataset, space.get(), &present) < 0)
    return io_error("its index of chunks cannot be read", where,
                    "The file is damaged: copy it again (HDF5 says: " + Hdf5ErrorsSilenced::problem() + ")");
  allow_more_cpu_time(for_chunk * static_cast<double>(std::min<uint64_t>(present, max_asked)));
  Storage storage;
  if (present >= all) return storage;
  storage.written = static_cast<double>(present) / static_cast<double>(all);
  const bool ask_all = all <= max_asked;
  if (present == 0 || (!ask_all && rows > max_asked / 2)) return storage;
  allow_more_cpu_time(for_chunk * static_cast<double>(ask_all ? all : 2 * rows));
  storage.recorded.assign(static_cast<std::size_t>(shape[0]), true);
  uint64_t there = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    if (ask_all ? chunks.row_is_there(row) : chunks.is_there(row, 0) && chunks.is_there(row, in_row - 1)) {
      ++there;
      continue;
    }
    const auto end = std::min<uint64_t>((row + 1) * chunks.size[0], static_cast<uint64_t>(shape[0]));
    for (uint64_t f = row * chunks.size[0]; f < end; ++f) storage.recorded[f] = false;
  }
  if (!ask_all && there * in_row != present) storage.recorded.clear();
  return storage;
}

}  // namespace

bool frame_is_stored(hid_t dataset, const Shape& shape, const std::vector<hsize_t>& chunk, int64_t frame) {
  const Chunks chunks = {dataset, shape, chunk};
  allow_cpu_time_for_object(for_chunk * static_cast<double>(chunks.in_row()));
  return chunks.row_is_there(static_cast<uint64_t>(frame) / chunk[0]);
}

Result<Storage> check_storage(hid_t dataset, const std::vector<int64_t>& shape, const std::string& where,
                              const std::shared_ptr<SourceFiles>& sources, const std::vector<std::string>& chain) {
  const Hdf5Id plist(H5Dget_create_plist(dataset), H5Pclose), type(H5Dget_type(dataset), H5Tclose);
  const H5D_layout_t layout = H5Pget_layout(plist.get());
  constexpr int64_t max_frames = 1 << 24;
  if (!shape.empty() && shape[0] > max_frames) return Storage{};  // refused when frames are read
  if (layout == H5D_VIRTUAL) return virtual_storage(dataset, plist.get(), shape, where, {sources, chain});
  uint64_t claimed = H5Tget_size(type.get());
  if (claimed == 0 || claimed > sizeof(double) * 2) return invalid("elements of an unreadable size", where);
  for (const int64_t n : shape) claimed *= static_cast<uint64_t>(n);
  const int external = H5Pget_external_count(plist.get());
  if (external > 0 && !shape.empty())
    return external_storage(dataset, plist.get(), external, shape, claimed, where, sources, chain);
  if (layout == H5D_CONTIGUOUS) return contiguous_storage(dataset, claimed, where);
  if (layout == H5D_CHUNKED && !shape.empty()) return chunked_storage(dataset, plist.get(), shape, where);
  return Storage{};
}

std::string frame_runs(const std::vector<bool>& which, bool value) {
  constexpr int max_named = 3;
  std::string text;
  int runs = 0;
  for (std::size_t i = 0; i < which.size();) {
    std::size_t end = i;
    while (end < which.size() && which[end] == value) ++end;
    if (end > i && ++runs <= max_named)
      text += (text.empty() ? "" : ", ") + std::to_string(i) + (end - i > 1 ? " to " + std::to_string(end - 1) : "");
    i = std::max(end, i + 1);
  }
  if (runs > max_named) text += " and more";
  return text;
}

}  // namespace tl::io
