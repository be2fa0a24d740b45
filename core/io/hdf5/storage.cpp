// Storage by layout: contiguous, chunked, external files. Virtual datasets have a file of their own.
#include "core/io/hdf5/storage.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/io/hdf5/file.h"
#include "core/io/hdf5/virtual.h"
#include "core/io/process/reader_limits.h"

namespace tl::io {
namespace {

using Shape = std::vector<int64_t>;

// Share of the frames, where all or nothing of one is there.
double share_of(const std::vector<bool>& recorded) {
  const auto count = std::count(recorded.begin(), recorded.end(), true);
  return recorded.empty() ? 1 : static_cast<double>(count) / static_cast<double>(recorded.size());
}

// Bytes of the dataset that its external files hold, piece by piece in order: the first and one past the last.
struct BytePiece {
  uint64_t begin, end;
};

Result<Storage> external_storage(hid_t dataset, hid_t plist, int count, const Shape& shape, uint64_t claimed,
                                 const std::string& where, const std::shared_ptr<SourceFiles>& sources) {
  const std::filesystem::path owner = containing_file(dataset);
  std::vector<BytePiece> pieces;
  uint64_t begin = 0;
  for (int i = 0; i < count && begin < claimed; ++i) {
    std::array<char, 4096> name{};
    off_t offset = 0;
    hsize_t size = 0;
    if (H5Pget_external(plist, static_cast<unsigned>(i), name.size() - 1, name.data(), &offset, &size) < 0)
      return invalid("its list of external files cannot be read", where, "The file is damaged: copy it again");
    TL_TRY(const std::filesystem::path source, existing_source(owner, name.data(), where, *sources));
    const auto stamp = stamp_of(source);
    if (!stamp) return missing_source(name.data(), where);
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
    uint64_t held = 0;
    for (const BytePiece& piece : pieces) {
      const uint64_t low = std::max(piece.begin, at), high = std::min(piece.end, at + frame);
      held += high > low ? high - low : 0;
    }
    storage.recorded.push_back(held == frame);
  }
  storage.written = share_of(storage.recorded);
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

// Chunk by chunk only where some are missing and there are not too many to ask for each.
Result<Storage> chunked_storage(hid_t dataset, hid_t plist, const Shape& shape, const std::string& where) {
  constexpr uint64_t most_asked = 1 << 18;
  constexpr double for_chunk = 2e-6;  // [s]
  const auto rank = static_cast<int>(shape.size());
  std::vector<hsize_t> chunk(shape.size()), offset(shape.size(), 0);
  if (H5Pget_chunk(plist, rank, chunk.data()) != rank)
    return invalid("its chunks cannot be read", where, "The file is damaged: copy it again");
  uint64_t chunks = 1, size = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    chunks *= (static_cast<uint64_t>(shape[d]) + chunk[d] - 1) / chunk[d];
    size *= chunk[d];
  }
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  size *= H5Tget_size(type.get());
  if (size > static_cast<uint64_t>(allowed_memory()))
    return io_error("its chunks of " + std::to_string(size) + " bytes are larger than the file makes likely", where,
                    "The file is probably damaged; if not, rewrite it with smaller chunks");
  hsize_t present = 0;
  if (H5Dget_num_chunks(dataset, space.get(), &present) < 0)
    return io_error("its index of chunks cannot be read", where,
                    "The file is damaged: copy it again (HDF5 says: " + Hdf5Quiet::problem() + ")");
  allow_more_time(for_chunk * static_cast<double>(std::min<uint64_t>(present, most_asked)));
  Storage storage;
  if (present >= chunks) return storage;
  storage.written = static_cast<double>(present) / static_cast<double>(chunks);
  if (present == 0 || chunks > most_asked) return storage;
  allow_more_time(for_chunk * static_cast<double>(chunks));
  storage.recorded.assign(static_cast<std::size_t>(shape[0]), true);
  while (offset[0] < static_cast<hsize_t>(shape[0])) {
    hsize_t stored = 0;
    if (H5Dget_chunk_storage_size(dataset, offset.data(), &stored) < 0) stored = 0;
    if (stored == 0)
      for (hsize_t f = offset[0]; f < std::min<hsize_t>(offset[0] + chunk[0], static_cast<hsize_t>(shape[0])); ++f)
        storage.recorded[f] = false;
    for (std::size_t d = shape.size(); d-- > 0;) {
      offset[d] += chunk[d];
      if (d == 0 || offset[d] < static_cast<hsize_t>(shape[d])) break;
      offset[d] = 0;
    }
  }
  return storage;
}

}  // namespace

Result<Storage> check_storage(hid_t dataset, const std::vector<int64_t>& shape, const std::string& where,
                              const std::shared_ptr<SourceFiles>& sources, const std::vector<std::string>& chain) {
  const Hdf5Id plist(H5Dget_create_plist(dataset), H5Pclose), type(H5Dget_type(dataset), H5Tclose);
  const H5D_layout_t layout = H5Pget_layout(plist.get());
  constexpr int64_t most_frames = 1 << 24;
  if (!shape.empty() && shape[0] > most_frames) return Storage{};  // refused where frames are wanted
  if (layout == H5D_VIRTUAL) return virtual_storage(dataset, plist.get(), shape, where, {sources, chain});
  uint64_t claimed = H5Tget_size(type.get());
  if (claimed == 0 || claimed > sizeof(double) * 2) return invalid("elements of an unreadable size", where);
  for (const int64_t n : shape) claimed *= static_cast<uint64_t>(n);
  const int external = H5Pget_external_count(plist.get());
  if (external > 0 && !shape.empty())
    return external_storage(dataset, plist.get(), external, shape, claimed, where, sources);
  if (layout == H5D_CONTIGUOUS) return contiguous_storage(dataset, claimed, where);
  if (layout == H5D_CHUNKED && !shape.empty()) return chunked_storage(dataset, plist.get(), shape, where);
  return Storage{};
}

std::string frame_runs(const std::vector<bool>& which, bool value) {
  constexpr int most_named = 3;
  std::string text;
  int runs = 0;
  for (std::size_t i = 0; i < which.size();) {
    std::size_t end = i;
    while (end < which.size() && which[end] == value) ++end;
    if (end > i && ++runs <= most_named)
      text += (text.empty() ? "" : ", ") + std::to_string(i) + (end - i > 1 ? " to " + std::to_string(end - 1) : "");
    i = std::max(end, i + 1);
  }
  if (runs > most_named) text += " and more";
  return text;
}

}  // namespace tl::io
