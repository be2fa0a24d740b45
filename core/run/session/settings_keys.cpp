// Computes keys of nodes from settings, links and stamps of input files.
#include "core/run/session/settings_keys.h"

#include "core/graph/graph_json.h"

namespace tl {

std::optional<Hash> SettingsKeys::key(const std::string& node) {
  if (context_.has_given(node)) return context_.given_key(node);
  if (context_.is_external(node)) return std::nullopt;
  if (const auto found = keys_.find(node); found != keys_.end()) return found->second;
  const std::optional<Hash> key = make(node);
  return keys_[node] = key;
}

std::optional<Hash> SettingsKeys::make(const std::string& id) {
  const GraphNode& node = context_.graph().nodes.at(id);
  const NodeType* type = context_.resources().registry().find(node.type);
  if (type == nullptr) return std::nullopt;
  Hasher hasher;
  hasher.add(type->id).add(int64_t{type->version});
  const auto add_link = [&](const std::string& name) {
    const Link* link = context_.links().into(id, name);
    if (link == nullptr) return true;
    const auto up = key(link->from_node);
    if (up) hasher.add(name).add(*up).add(link->from_port);
    return up.has_value();
  };
  for (const ParamDecl& decl : type->params) {
    const auto set = node.params.find(decl.name);
    const ParamValue& value = set == node.params.end() ? decl.initial : set->second;
    hasher.add(decl.name).add(to_text(value));
    const auto* path = std::get_if<std::string>(&value);
    if (decl.path == PathRole::input && path != nullptr && !path->empty())
      hasher.add(context_.resources().stamps().stamp(*path));
    if (!add_link(decl.name)) return std::nullopt;
  }
  for (const PortDecl& port : type->inputs)
    if (!add_link(port.name)) return std::nullopt;
  return hasher.digest();
}

}  // namespace tl
