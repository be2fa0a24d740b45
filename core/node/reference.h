// The reference page of a node, generated from its declaration only: Markdown for people, JSON for programs.
#pragma once

#include <map>
#include <string>

#include "core/node/registry.h"

namespace tl {

// Path of each node's image by node id; nodes without one are absent.
using NodePictures = std::map<std::string, std::string>;

// One node: summary, image, ports, parameters with unit, range and default, partition, citations.
std::string node_markdown(const NodeType& type, const NodePictures& pictures = {});
// The reference page as a JSON object (indented text).
std::string node_json(const NodeType& type);

// All nodes by category. The JSON is an array of node_json's objects.
std::string registry_markdown(const Registry& registry, const NodePictures& pictures = {});
std::string registry_json(const Registry& registry);

// "-10 to 10 px", ">= 0", "hann, ramp": the values that a parameter accepts, as shown on pages, in forms and messages.
std::string accepted_values(const ParamDecl& param);
std::string_view to_string(Partition partition);

}  // namespace tl
