// Examines the groups, datasets and links of an HDF5 file without following links.
#include "core/io/hdf5/tree.h"

#include <algorithm>
#include <map>

#include "core/io/bytes/reader_limits.h"
#include "core/io/hdf5/checks.h"
#include "core/io/hdf5/file.h"

namespace tl::io {
namespace {

constexpr std::size_t max_entries = std::size_t{1} << 14;
constexpr std::size_t longest_text = 200;
constexpr int max_levels = 32;
constexpr double for_entry = 2e-3;  // [s]

std::string by_times(const std::vector<hsize_t>& numbers) {
  std::string text;
  for (const hsize_t n : numbers) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

std::string type_name(hid_t dataset) {
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
  const std::string bits = std::to_string(8 * H5Tget_size(type.get()));
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER: return (H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT: return "float" + bits;
    case H5T_STRING: return "text";
    case H5T_ENUM: return "enumeration";
    case H5T_COMPOUND: return "compound";
    case H5T_REFERENCE: return "references";
    case H5T_VLEN: return "lists";
    case H5T_ARRAY: return "arrays";
    default: return "other";
  }
}

std::vector<int64_t> shape_in_file(hid_t dataset) {
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
  const int rank = std::max(H5Sget_simple_extent_ndims(space.get()), 0);
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

// Layout and filters.
std::string storage_text(hid_t dataset) {
  const Hdf5Id plist(H5Dget_create_plist(dataset), H5Pclose);
  std::string text;
  const H5D_layout_t layout = H5Pget_layout(plist.get());
  if (layout == H5D_VIRTUAL) text = "virtual";
  if (H5Pget_external_count(plist.get()) > 0) text = "in external files";
  if (layout == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    const int rank = H5Pget_chunk(plist.get(), H5S_MAX_RANK, chunk.data());
    chunk.resize(static_cast<std::size_t>(std::max(rank, 0)));
    text = "chunks " + by_times(chunk);
  }
  const int filters = H5Pget_nfilters(plist.get());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    size_t values = 0;
    const H5Z_filter_t id =
        H5Pget_filter2(plist.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    const std::string name = filter_name(id);
    text += ", " + (name.empty() ? "filter " + std::to_string(id) : name + " (" + std::to_string(id) + ")");
  }
  return text;
}

// Collects the links of a group with their names.
herr_t add_link(hid_t /*group*/, const char* name, const H5L_info_t* link, void* out) {
  auto& links = *static_cast<std::vector<std::pair<std::string, H5L_info_t>>*>(out);
  links.emplace_back(name, *link);
  return links.size() <= max_entries ? 0 : 1;
}

class TreeWalk {
 public:
  explicit TreeWalk(Hdf5File file) : file_(std::move(file)) {}

  Hdf5Tree tree() {
    const Hdf5ErrorsSilenced quiet;
    add_object("/", 0);
    return std::move(tree_);
  }

 private:
  // Adds the object at a path that ends in a hard link.
  void add_object(const std::string& path, int level) {
    H5O_info_t info{};
    TreeEntry entry;
    entry.path = path;
    if (H5Oget_info_by_name2(file_.id(), path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
        (info.type != H5O_TYPE_GROUP && info.type != H5O_TYPE_DATASET)) {
      entry.kind = TreeKind::other;
      add(std::move(entry));
      return;
    }
    for (const char* name : {"NX_class", "default", "signal", "axes"}) add_attribute(name, entry);
    if (info.type == H5O_TYPE_DATASET) {
      examine_dataset(entry);
      add(std::move(entry));
      return;
    }
    const auto [known, is_new] = groups_.emplace(info.addr, path);
    if (!is_new) entry.target = known->second;
    add(std::move(entry));
    if (is_new) add_members(path, level + 1);
  }

  void add_members(const std::string& path, int level) {
    if (level > max_levels) {
      leave_out("groups more than " + std::to_string(max_levels) + " levels deep");
      return;
    }
    std::vector<std::pair<std::string, H5L_info_t>> links;
    const Hdf5Id group(H5Gopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Gclose);
    hsize_t at = 0;
    if (!group.valid() || H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, &at, add_link, &links) < 0) {
      leave_out("what is in " + path + ", which cannot be read");
      return;
    }
    for (const auto& [name, link] : links) {
      if (tree_.entries.size() >= max_entries) {
        leave_out("what follows the first " + std::to_string(max_entries) + " entries");
        return;
      }
      const std::string whole = (path == "/" ? "" : path) + "/" + name;
      allow_cpu_time_for_object(for_entry);
      if (link.type == H5L_TYPE_HARD)
        add_object(whole, level);
      else
        add_link_entry(whole, link);
    }
  }

  void add_link_entry(const std::string& path, const H5L_info_t& link) {
    constexpr std::size_t longest = 1 << 16;
    TreeEntry entry;
    entry.path = path;
    entry.kind = link.type == H5L_TYPE_SOFT       ? TreeKind::soft_link
                 : link.type == H5L_TYPE_EXTERNAL ? TreeKind::external_link
                                                  : TreeKind::other;
    std::string value(std::min<std::size_t>(link.u.val_size, longest) + 1, '\0');
    if (entry.kind != TreeKind::other &&
        H5Lget_val(file_.id(), path.c_str(), value.data(), value.size() - 1, H5P_DEFAULT) < 0)
      entry.kind = TreeKind::other;
    if (entry.kind == TreeKind::soft_link) {
      entry.target = value.substr(0, value.find('\0'));
      entry.link = H5Oexists_by_name(file_.id(), path.c_str(), H5P_DEFAULT) > 0 ? LinkState::leads : LinkState::missing;
    } else if (entry.kind == TreeKind::external_link) {
      const char* file = nullptr;
      const char* object = nullptr;
      unsigned flags = 0;
      if (H5Lunpack_elink_val(value.data(), std::min<std::size_t>(link.u.val_size, longest), &flags, &file, &object) >=
          0) {
        std::error_code failed;
        entry.target = std::string(file) + ":" + object;
        entry.link = std::filesystem::exists(file_.path().parent_path() / file, failed) ? LinkState::not_followed
                                                                                        : LinkState::missing;
      }
    }
    add(std::move(entry));
  }

  void examine_dataset(TreeEntry& entry) {
    entry.kind = TreeKind::dataset;
    const Hdf5Id dataset(H5Dopen2(file_.id(), entry.path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) {
      entry.problem = "it cannot be opened: " + Hdf5ErrorsSilenced::problem();
      return;
    }
    entry.type = type_name(dataset.get());
    entry.shape = shape_in_file(dataset.get());
    entry.storage = storage_text(dataset.get());
    for (const char* name : {"units", "unit"})
      if (entry.unit.empty()) entry.unit = file_.attribute(entry.path, name).value_or("").substr(0, longest_text);
    if (const auto filters = check_filters(dataset.get(), ""); !filters.ok())
      entry.problem = filters.error().what + ". " + filters.error().hint;
  }

  void add_attribute(const std::string& name, TreeEntry& entry) const {
    std::string text;
    for (const std::string& one : file_.attribute_texts(entry.path, name)) text += (text.empty() ? "" : ", ") + one;
    if (text.empty())
      for (const int64_t one : file_.attribute_integers(entry.path, name))
        text += (text.empty() ? "" : ", ") + std::to_string(one);
    if (!text.empty()) entry.attributes.emplace_back(name, text.substr(0, longest_text));
  }

  void add(TreeEntry entry) { tree_.entries.push_back(std::move(entry)); }
  void leave_out(const std::string& what) {
    if (tree_.left_out.empty()) tree_.left_out = what;
  }

  Hdf5File file_;
  Hdf5Tree tree_;
  std::map<haddr_t, std::string> groups_;  // the first path of each group
};

}  // namespace

Result<Hdf5Tree> read_hdf5_tree_here(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed))
    return io_error("the file does not exist", path.string(), "Check the path");
  TL_TRY(Hdf5File file, Hdf5File::open(path, std::make_shared<SourceFiles>(path, OutsideLinks::refuse)));
  return TreeWalk(std::move(file)).tree();
}

}  // namespace tl::io
