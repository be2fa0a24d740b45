// Hdf5Tree: the content of an HDF5 file as text and numbers, so that a user can find the datasets of a scan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

enum class TreeKind : uint32_t { group, dataset, soft_link, external_link, other };
// Whether the target of a link exists; `not_followed`: it is in another file.
enum class LinkState : uint32_t { none, leads, missing, not_followed };

struct TreeEntry {
  std::string path;  // "/entry/data"
  TreeKind kind = TreeKind::group;
  // Of datasets.
  std::string type;            // "uint16", "text", ...
  std::vector<int64_t> shape;  // none: a single value
  std::string unit;
  std::string storage;  // "chunks 1 x 512 x 512, deflate (1)"
  std::string problem;  // why its values cannot be read: a missing filter, with the Debian package that contains it
  // For links, and for groups already listed under another path: the target.
  std::string target;
  LinkState link = LinkState::none;
  std::vector<std::pair<std::string, std::string>> attributes;  // NX_class, default, signal, axes
};

struct Hdf5Tree {
  std::vector<TreeEntry> entries;  // each group before its members, sorted by name
  std::string left_out;            // why the file has more objects than entries; empty: all are listed
};

// The contents of an HDF5 file, examined in a separate process. Blocks as long as the disk does: not for a GUI thread.
// Errors: those of open_scan().
Result<Hdf5Tree> read_hdf5_tree(const std::filesystem::path& file);

// Examines a file in this process; called by the reading process. At most 2^14 entries down to 32 levels. Links are not
// followed. Errors: io (not an HDF5 file, unreadable).
Result<Hdf5Tree> read_hdf5_tree_here(const std::filesystem::path& path);

}  // namespace tl::io
