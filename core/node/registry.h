// Registry: all node types by id.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/node/node_type.h"

namespace tl {

// The categories in the order of a pipeline; lists of nodes are sorted by them. Every node has one of them.
const std::vector<std::string>& node_categories();

class Registry {
 public:
  // Every node of core/nodes (generated list). Built once at first use, read-only afterwards: safe from any thread.
  static const Registry& all();

  explicit Registry(std::vector<NodeType> types);
  // nullptr when unknown.
  [[nodiscard]] const NodeType* find(const std::string& id) const;
  [[nodiscard]] const NodeType* with_role(NodeRole role) const;  // nullptr: no node has it
  [[nodiscard]] bool has_role(const std::string& id, NodeRole role) const;
  // The node that hints recommend against a problem; empty: none.
  [[nodiscard]] std::string recommended_remedy(std::string_view problem) const;
  // The error about an unknown id, with the nearest match.
  [[nodiscard]] Error unknown(const std::string& id) const;
  [[nodiscard]] const std::vector<NodeType>& types() const { return types_; }  // in order of category and id

 private:
  std::vector<NodeType> types_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace tl
