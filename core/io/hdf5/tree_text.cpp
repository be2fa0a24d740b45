// Writes the tree of an HDF5 file as text and JSON.
#include "core/io/hdf5/tree_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/printable.h"
#include "core/base/text.h"

namespace tl::io {
namespace {

std::string target_text(const TreeEntry& entry) {
  if (entry.target.empty()) return {};
  if (entry.link == LinkState::none) return "the same group as " + entry.target;
  return "-> " + entry.target +
         (entry.link == LinkState::missing        ? " (missing)"
          : entry.link == LinkState::not_followed ? " (another file)"
                                                  : "");
}

std::string kind_text(const TreeEntry& entry) {
  switch (entry.kind) {
    case TreeKind::group: return "group";
    case TreeKind::dataset:
      return entry.type + (entry.shape.empty() ? "" : " " + shape_text(entry.shape)) +
             (entry.unit.empty() ? "" : " [" + entry.unit + "]");
    case TreeKind::soft_link:
    case TreeKind::external_link: return {};
    case TreeKind::other: break;
  }
  return "neither group nor dataset";
}

const char* kind_name(TreeKind kind) {
  static constexpr const char* names[] = {"group", "dataset", "soft link", "external link", "other"};
  return names[static_cast<std::size_t>(kind)];
}
const char* state_name(LinkState state) {
  static constexpr const char* names[] = {"", "leads", "missing", "not followed"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

std::string describe(const Hdf5Tree& tree) {
  constexpr std::size_t widest = 60;
  std::size_t width = 0;
  for (const TreeEntry& entry : tree.entries) width = std::max(width, std::min(entry.path.size(), widest));
  std::string text;
  for (const TreeEntry& entry : tree.entries) {
    std::vector<std::string> facts = {kind_text(entry), entry.storage, target_text(entry)};
    for (const auto& [name, value] : entry.attributes) facts.push_back(name + "=" + value);
    facts.push_back(entry.problem);
    std::string line;
    for (const std::string& fact : facts)
      if (!fact.empty()) line += (line.empty() ? "" : ", ") + fact;
    const std::string path = printable(entry.path);
    text += path + std::string(path.size() < width ? width - path.size() : 0, ' ') + "  " + printable(line) + "\n";
  }
  if (!tree.left_out.empty()) text += "not listed: " + printable(tree.left_out) + "\n";
  return text;
}

std::string describe_json(const Hdf5Tree& tree) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const TreeEntry& entry : tree.entries) {
    Json one = {{"path", entry.path}, {"kind", kind_name(entry.kind)}};
    if (entry.kind == TreeKind::dataset) one.update({{"type", entry.type}, {"shape", entry.shape}});
    for (const auto& [name, value] : {std::pair("unit", &entry.unit), std::pair("storage", &entry.storage),
                                      std::pair("problem", &entry.problem), std::pair("target", &entry.target)})
      if (!value->empty()) one[name] = *value;
    if (entry.link != LinkState::none) one["link"] = state_name(entry.link);
    for (const auto& [name, value] : entry.attributes) one["attributes"][name] = value;
    list.push_back(std::move(one));
  }
  const Json all = {{"entries", std::move(list)}, {"left_out", tree.left_out}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> possible_frames(const Hdf5Tree& tree) {
  std::vector<const TreeEntry*> found;
  for (const TreeEntry& entry : tree.entries) {
    const bool numbers =
        entry.type.starts_with("uint") || entry.type.starts_with("int") || entry.type.starts_with("float");
    if (numbers && entry.shape.size() == 3) found.push_back(&entry);
  }
  const auto pixels = [](const TreeEntry* entry) {
    double product = 1;
    for (const int64_t n : entry->shape) product *= static_cast<double>(n);
    return product;
  };
  std::stable_sort(found.begin(), found.end(), [&](const auto* a, const auto* b) { return pixels(a) > pixels(b); });
  std::vector<std::string> paths;
  for (const TreeEntry* entry : found) paths.push_back(entry->path);
  return paths;
}

}  // namespace tl::io
