// Everything in a folder, with contents: for tests which require that nothing changed.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace tl::test {

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

// From paths to contents; for folders "a folder", for symbolic links their targets.
using Tree = std::map<std::string, std::string>;

inline Tree tree_of(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  Tree tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      tree[name] = "-> " + fs::read_symlink(entry.path()).string();
    } else {
      tree[name] = entry.is_regular_file() ? contents(entry.path()) : "a folder";
    }
  }
  return tree;
}

// The first path whose content differs, or "".
inline std::string difference(const Tree& a, const Tree& b) {
  for (const auto& [path, text] : a)
    if (b.count(path) == 0 || b.at(path) != text) return path;
  for (const auto& [path, text] : b)
    if (a.count(path) == 0) return path;
  return {};
}

}  // namespace tl::test
