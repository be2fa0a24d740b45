// Finds the files and datasets that contain the frames of a virtual dataset, by following its mappings frame by frame.
#include "core/io/hdf5/virtual.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "core/io/bytes/reader_limits.h"
#include "core/io/hdf5/file.h"

namespace tl::io {
namespace {

// The frames of a selection along the first axis, and the number of selected pixels in each.
struct SelectedFrames {
  std::vector<int64_t> frames;
  int64_t pixels = 0;
};

// Frames of a selection in a space of extent `shape`, which limits unlimited selections. nullopt: not a regular box.
std::optional<SelectedFrames> selected_frames(hid_t space, const std::vector<int64_t>& shape) {
  SelectedFrames out;
  const std::size_t rank = shape.size();
  const bool all = H5Sget_select_type(space) == H5S_SEL_ALL;  // HDF5 does not keep the extent of such a selection
  if (rank == 0 || (!all && H5Sget_simple_extent_ndims(space) != static_cast<int>(rank))) return std::nullopt;
  std::vector<hsize_t> start(rank, 0), stride(rank, 1), count(rank, 1), block(rank);
  for (std::size_t d = 0; d < rank; ++d) block[d] = static_cast<hsize_t>(shape[d]);
  if (H5Sget_select_type(space) == H5S_SEL_HYPERSLABS) {
    if (H5Sis_regular_hyperslab(space) <= 0 ||
        H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) < 0)
      return std::nullopt;
  } else if (!all) {
    return std::nullopt;
  }
  // A two-dimensional source is one frame.
  const std::size_t first = rank == 2 ? 0 : 1;
  out.pixels = 1;
  for (std::size_t d = first; d < rank; ++d) {
    const auto length = static_cast<hsize_t>(shape[d]);
    const hsize_t blocks = count[d] == H5S_UNLIMITED ? 1 : count[d];
    const hsize_t size = block[d] == H5S_UNLIMITED ? length - std::min(start[d], length) : block[d];
    out.pixels *= static_cast<int64_t>(std::min(blocks * size, length));
  }
  if (first == 0) {
    out.frames = {0};
    return out;
  }
  const auto frames = static_cast<hsize_t>(shape[0]);
  for (hsize_t i = 0; i < count[0] && start[0] + i * stride[0] < frames; ++i)
    for (hsize_t j = 0; j < block[0] && start[0] + i * stride[0] + j < frames; ++j)
      out.frames.push_back(static_cast<int64_t>(start[0] + i * stride[0] + j));
  return out;
}

std::string mapped_text(ssize_t (*get)(hid_t, size_t, char*, size_t), hid_t plist, size_t index) {
  constexpr ssize_t longest = 1 << 16;
  const ssize_t size = get(plist, index, nullptr, 0);
  if (size <= 0 || size > longest) return {};
  std::string text(static_cast<std::size_t>(size), '\0');
  get(plist, index, text.data(), text.size() + 1);
  return text;
}

// A source dataset: its shape and which of its frames are recorded (empty: all).
struct Source {
  std::vector<int64_t> shape;
  std::vector<bool> recorded;
  double written = 1;
};

Result<Source> open_source(const std::filesystem::path& file, const std::string& name, const VirtualContext& context) {
  TL_TRY(const Hdf5File opened, Hdf5File::open(file, context.sources));
  // A missing source dataset reads as the fill value, like an unwritten one.
  if (!opened.has_dataset(name)) return Source{{}, {}, 0};
  TL_TRY(const Hdf5Dataset dataset, opened.dataset(name, context.chain));
  return Source{dataset.shape(), dataset.recorded(), dataset.written()};
}

// Counts the recorded pixels of each frame of the virtual dataset.
class Coverage {
 public:
  explicit Coverage(const std::vector<int64_t>& shape)
      : shape_(shape), pixels_(static_cast<std::size_t>(shape[0]), 0) {}

  void add(hid_t virtual_space, hid_t source_space, const Source& source) {
    const auto to = selected_frames(virtual_space, shape_);
    const auto from = selected_frames(source_space, source.shape);
    // For a selection that is not a regular box, single frames are not distinguished.
    if (!to || !from || from->frames.empty() || source.written == 0) {
      if (to && source.written == 1 && !(from && from->frames.empty()))
        for (const int64_t f : to->frames) pixels_[static_cast<std::size_t>(f)] += to->pixels;
      else if (!to && source.written == 1)
        unknown_ = true;
      return;
    }
    const bool known = source.shape.size() > 2 && !source.recorded.empty();
    const bool pairs = from->frames.size() == to->frames.size() || from->pixels == to->pixels;
    for (std::size_t i = 0; i < to->frames.size(); ++i) {
      if (pairs && i >= from->frames.size()) break;
      const bool there = !known  ? source.written == 1
                         : pairs ? static_cast<bool>(source.recorded[static_cast<std::size_t>(from->frames[i])])
                                 : source.written == 1;
      if (there) pixels_[static_cast<std::size_t>(to->frames[i])] += to->pixels;
    }
  }
  [[nodiscard]] Storage result() const {
    Storage storage;
    if (unknown_) return storage;
    int64_t frame = 1, sum = 0;
    for (std::size_t d = 1; d < shape_.size(); ++d) frame *= shape_[d];
    for (const int64_t n : pixels_) {
      storage.recorded.push_back(n >= frame);
      sum += std::min(n, frame);
    }
    storage.written = static_cast<double>(sum) / (static_cast<double>(frame) * static_cast<double>(pixels_.size()));
    if (storage.written == 1) storage.recorded.clear();
    return storage;
  }

 private:
  const std::vector<int64_t>& shape_;
  std::vector<int64_t> pixels_;
  bool unknown_ = false;
};

// Adds a numbered series of files, "part_%b.h5", of which HDF5 resolves one per block: %b is the block's number in the
// virtual selection.
void add_series(const std::filesystem::path& owner, const std::string& pattern, const std::string& name, hid_t space,
                hid_t source_space, const std::vector<int64_t>& shape, const VirtualContext& context,
                Coverage& coverage) {
  std::vector<hsize_t> start(shape.size()), stride(shape.size()), count(shape.size()), block(shape.size());
  if (H5Sget_simple_extent_ndims(space) != static_cast<int>(shape.size()) || H5Sis_regular_hyperslab(space) <= 0 ||
      H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) < 0)
    return;
  const auto with_number = [](std::string text, hsize_t b) {
    for (std::size_t at = text.find("%b"); at != std::string::npos; at = text.find("%b"))
      text.replace(at, 2, std::to_string(b));
    return text;
  };
  for (hsize_t b = 0; b < count[0] && start[0] + b * stride[0] < static_cast<hsize_t>(shape[0]); ++b) {
    const auto file = existing_source(owner, with_number(pattern, b), "", *context.sources);
    if (!file.ok()) continue;
    const auto source = open_source(file.value(), with_number(name, b), context);
    if (!source.ok()) continue;
    std::vector<hsize_t> at = start, one(shape.size(), 1);
    at[0] += b * stride[0];
    const Hdf5Id part(H5Scopy(space), H5Sclose);
    H5Sselect_hyperslab(part.get(), H5S_SELECT_SET, at.data(), nullptr, one.data(), block.data());
    coverage.add(part.get(), source_space, source.value());
  }
}

// The error for missing or refused sources: names the first one, and all others.
Error unavailable_sources_error(const std::filesystem::path& owner, hid_t plist, size_t first, const std::string& where,
                                SourceFiles& sources, const Error& error) {
  constexpr std::size_t max_named = 5;
  size_t count = 0;
  H5Pget_virtual_count(plist, &count);
  std::set<std::string> missing;
  for (size_t i = first; i < count; ++i) {
    const std::string file = mapped_text(H5Pget_virtual_filename, plist, i);
    if (file == "." || file.find("%b") != std::string::npos || missing.count(file) > 0) continue;
    if (!existing_source(owner, file, where, sources).ok() && !sources.refused()) missing.insert(file);
  }
  if (const auto refused = sources.refused()) return *refused;
  if (missing.size() < 2) return error;
  std::string names;
  std::size_t named = 0;
  for (const std::string& file : missing)
    if (named++ < max_named) names += (names.empty() ? "\"" : ", \"") + file + "\"";
  if (missing.size() > max_named) names += " and " + std::to_string(missing.size() - max_named) + " more";
  return io_error(std::to_string(missing.size()) + " files that hold its pixels are missing: " + names, where,
                  "Put them back next to the scan: without them the pixels would read as zero");
}

}  // namespace

std::string containing_file(hid_t dataset) {
  std::array<char, 4096> name{};
  return H5Fget_name(dataset, name.data(), name.size()) > 0 ? name.data() : "";
}

Error missing_source(const std::string& name, const std::string& where) {
  return io_error("the file \"" + name + "\" that holds its pixels is missing", where,
                  "Put it back next to the scan: without it the pixels would read as zero");
}

Result<std::filesystem::path> existing_source(const std::filesystem::path& owner, const std::string& name,
                                              const std::string& where, SourceFiles& sources) {
  const std::filesystem::path source = name;
  std::error_code none;
  for (const auto& candidate :
       {source.is_absolute() ? source : owner.parent_path() / source, owner.parent_path() / source.filename()}) {
    if (!std::filesystem::exists(candidate, none)) continue;
    if (!sources.admits(candidate)) return *sources.refused();
    return candidate;
  }
  return missing_source(name, where);
}

Result<Storage> virtual_storage(hid_t dataset, hid_t plist, const std::vector<int64_t>& shape, const std::string& where,
                                const VirtualContext& context) {
  constexpr std::size_t deepest = 8;
  const std::filesystem::path owner = containing_file(dataset);
  std::error_code unknown;
  const std::string self = std::filesystem::weakly_canonical(owner, unknown).string() + where.substr(where.rfind(':'));
  VirtualContext inner = context;
  if (std::find(inner.chain.begin(), inner.chain.end(), self) != inner.chain.end())
    return invalid("a virtual dataset that refers to itself", where, "The file is damaged: copy it again");
  inner.chain.push_back(self);
  if (inner.chain.size() > deepest)
    return invalid("virtual datasets that refer to each other more than 8 levels deep", where,
                   "The file is damaged: copy it again");
  size_t count = 0;
  if (H5Pget_virtual_count(plist, &count) < 0 || count == 0)
    return invalid("a virtual dataset without sources", where, "The file is incomplete");
  Coverage coverage(shape);
  std::map<std::pair<std::string, std::string>, Source> known;
  for (size_t i = 0; i < count; ++i) {
    const std::string file = mapped_text(H5Pget_virtual_filename, plist, i),
                      name = mapped_text(H5Pget_virtual_dsetname, plist, i);
    const Hdf5Id space(H5Pget_virtual_vspace(plist, i), H5Sclose), from(H5Pget_virtual_srcspace(plist, i), H5Sclose);
    if (file.find("%b") != std::string::npos || name.find("%b") != std::string::npos) {
      add_series(owner, file, name, space.get(), from.get(), shape, inner, coverage);
      continue;
    }
    auto source = known.find({file, name});
    if (source == known.end()) {
      std::filesystem::path path = owner;
      if (file != ".") {
        auto found = existing_source(owner, file, where, *inner.sources);
        if (!found.ok()) return unavailable_sources_error(owner, plist, i, where, *inner.sources, found.error());
        path = std::move(found).value();
      }
      TL_TRY(Source opened, open_source(path, name.starts_with('/') ? name : "/" + name, inner));
      source = known.emplace(std::pair(file, name), std::move(opened)).first;
    }
    coverage.add(space.get(), from.get(), source->second);
  }
  Storage storage = coverage.result();
  storage.sources = static_cast<int64_t>(count);
  return storage;
}

}  // namespace tl::io
