// Holds all node types by id, and the region rules of the plain partitions.
#include "core/node/registry.h"

#include <algorithm>
#include <tuple>

#include "core/node/nearest.h"

std::vector<::tl::NodeType> tl_node_list();  // generated from core/nodes/CMakeLists.txt

namespace tl {
namespace {

template <class List>
auto find_named(const List& list, const std::string& name) -> decltype(&*list.begin()) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::shared_ptr<void> make_params(const NodeType& type, const std::map<std::string, ParamValue>& values) {
  auto params = type.make_params();
  for (const auto& [name, value] : values)
    if (const ParamDecl* decl = type.param(name); decl != nullptr && decl->assign)
      decl->assign(params.get(), to_stored(in_unit(value, decl->unit)));
  return params;
}

const ParamDecl* NodeType::param(const std::string& name) const { return find_named(params, name); }
const PortDecl* NodeType::input(const std::string& name) const { return find_named(inputs, name); }
const PortDecl* NodeType::output(const std::string& name) const { return find_named(outputs, name); }

Result<Regions> default_needs(const NodeType& type, const Infos& inputs, const Region& wanted) {
  Regions needed;
  for (const auto& [port, info] : inputs) {
    const Region all = full_region(info);
    Region need = all;
    if (const auto* scan = std::get_if<ScanRegion>(&all); scan && std::holds_alternative<ScanRegion>(wanted)) {
      const auto& w = std::get<ScanRegion>(wanted);
      if (type.partition == Partition::pointwise) need = w;
      if (type.partition == Partition::per_view) need = ScanRegion{w.views, scan->rows, scan->cols};
      if (type.partition == Partition::per_row)
        need = ScanRegion{scan->views, w.rows.grown(type.halo, scan->rows), scan->cols};
    } else if (std::holds_alternative<VolumeGrid>(all) && std::holds_alternative<VolumeGrid>(wanted)) {
      if (type.partition == Partition::pointwise) need = wanted;
    }
    needed.emplace(port, need);
  }
  return needed;
}

const std::vector<std::string>& node_categories() {
  static const std::vector<std::string> categories = {"Input",          "Correction", "Alignment",    "Phase retrieval",
                                                      "Reconstruction", "Filter",     "Segmentation", "Measure",
                                                      "Learning",       "Output"};
  return categories;
}

Registry::Registry(std::vector<NodeType> types) : types_(std::move(types)) {
  const auto rank = [](const NodeType& t) {
    const auto& known = node_categories();
    return std::find(known.begin(), known.end(), t.category) - known.begin();
  };
  std::sort(types_.begin(), types_.end(), [&](const NodeType& a, const NodeType& b) {
    return std::make_tuple(rank(a), a.category, a.id) < std::make_tuple(rank(b), b.category, b.id);
  });
  for (std::size_t i = 0; i < types_.size(); ++i)
    TL_CHECK(index_.emplace(types_[i].id, i).second, "two node types have the same id");
}

const Registry& Registry::all() {
  static const Registry registry(tl_node_list());
  return registry;
}

const NodeType* Registry::find(const std::string& id) const {
  const auto found = index_.find(id);
  return found == index_.end() ? nullptr : &types_[found->second];
}

const NodeType* Registry::with_role(NodeRole role) const {
  const auto found = std::find_if(types_.begin(), types_.end(), [role](const NodeType& t) { return t.role == role; });
  return found == types_.end() ? nullptr : &*found;
}

bool Registry::has_role(const std::string& id, NodeRole role) const {
  const NodeType* type = find(id);
  return type != nullptr && type->role == role;
}

std::string Registry::recommended_remedy(std::string_view problem) const {
  for (const NodeType& type : types_)
    for (const Remedy& remedy : type.remedies)
      if (remedy.is_recommended && remedy.problem == problem) return type.id;
  return {};
}

Error Registry::unknown(const std::string& id) const {
  std::vector<std::string> ids;
  for (const NodeType& t : types_) ids.push_back(t.id);
  return invalid("unknown node type \"" + id + "\"", {}, suggest(id, ids));
}

}  // namespace tl
