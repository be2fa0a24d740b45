// Builds chains of nodes, and finds the chain in a graph.
#include "core/graph/foreign/chain.h"

#include <algorithm>
#include <set>

#include "core/base/axis_frames.h"
#include "core/base/wording.h"
#include "core/graph/bypass.h"

namespace tl::foreign {
namespace {

const PortDecl* data_output(const NodeType& type) {
  for (const PortDecl& p : type.outputs)
    if (is_grey(p.type)) return &p;
  return nullptr;
}

const PortDecl* data_input(const NodeType& type) {
  for (const PortDecl& p : type.inputs)
    if (p.required && is_grey(p.type)) return &p;
  return nullptr;
}

// The node at which the chain ends: the first that saves a volume; else the last that outputs a volume; else the last
// of all.
std::string end_of(const Graph& graph, const Registry& registry, const std::vector<std::string>& order) {
  std::string volume;
  for (const std::string& id : order) {
    const NodeType* type = registry.find(graph.nodes.at(id).type);
    if (type != nullptr && type->role == NodeRole::save_volume) return id;
    const PortDecl* out = type == nullptr ? nullptr : data_output(*type);
    if (out != nullptr && is_volume(out->type)) volume = id;
  }
  return volume.empty() && !order.empty() ? order.back() : volume;
}

void lose_what_is_off_the_chain(const Graph& drawn, const Chain& chain, std::vector<Loss>& lost) {
  std::set<std::string> on_the_way;
  for (const ChainStep& step : chain.steps) on_the_way.insert(step.id);
  const std::string end = chain.steps.empty() ? "" : chain.steps.back().id;
  for (const auto& [id, node] : drawn.nodes) {
    if (node.use != NodeUse::active)
      lost.push_back({id, "", node.type + " is " + std::string(to_string(node.use)) + " and left out"});
    else if (on_the_way.count(id) == 0)
      lost.push_back({id, "", node.type + " is not on the path to " + end + ": only a chain can be written"});
  }
  for (const Link& l : chain.graph.links) {
    const auto step =
        std::find_if(chain.steps.begin(), chain.steps.end(), [&](const ChainStep& s) { return s.id == l.to_node; });
    if (step != chain.steps.end() && step->type->input(l.to_port) == nullptr)
      lost.push_back(
          {l.to_node + "." + l.to_port, l.from_node + "." + l.from_port, "links that drive parameters stay"});
  }
  if (!drawn.learning.empty()) lost.push_back({"learning", "", "learned parameters have no counterpart"});
}

}  // namespace

bool ChainBuilder::add(const std::string& name, const std::string& where, const std::string& id) {
  const NodeType* type = registry_.find(name);
  TL_CHECK(type != nullptr, "a table of another program's methods names a node that does not exist");
  const PortDecl* in = data_input(*type);
  if (!last_.empty()) {
    const NodeType* before = registry_.find(graph_.nodes.at(last_).type);
    const PortDecl* out = data_output(*before);
    if (in == nullptr || out == nullptr || in->type != out->type) {
      lose(where, "", "it has no input for the output of \"" + before->title + "\" before it gives");
      return false;
    }
    const std::string made = id.empty() || graph_.nodes.count(id) != 0 ? free_id(name) : id;
    graph_.nodes[made] = {name, type->version, {}};
    graph_.links.push_back({last_, out->name, made, in->name});
    last_ = made;
    return true;
  }
  if (in != nullptr) {
    lose(where, "", "there is no scan before it");
    return false;
  }
  last_ = id.empty() ? free_id(name) : id;
  graph_.nodes[last_] = {name, type->version, {}};
  return true;
}

// Like Graph::free_id(), which would start its search at the first name each time.
std::string ChainBuilder::free_id(const std::string& type) {
  const std::string base = type.substr(type.rfind('.') + 1);
  int64_t& names = names_[base];
  std::string id = base;
  do
    if (++names > 1) id = base + "_" + std::to_string(names);
  while (graph_.nodes.count(id) != 0);
  return id;
}

std::string ChainBuilder::last_type() const { return last_.empty() ? "" : graph_.nodes.at(last_).type; }

bool ChainBuilder::has_volume() const {
  if (last_.empty()) return false;
  const PortDecl* out = data_output(*registry_.find(last_type()));
  return out != nullptr && is_volume(out->type);
}

void ChainBuilder::lose(const std::string& where, const std::string& value, const std::string& reason) {
  lost_.push_back({where, value, reason});
}

void ChainBuilder::set(const ParameterMap& map, const std::string& theirs, const std::string& where,
                       const std::string& node) {
  const std::string& to = node.empty() ? last_ : node;
  const NodeType* type = registry_.find(graph_.nodes.at(to).type);
  const ParamDecl* decl = type->param(std::string(map.ours));
  TL_CHECK(decl != nullptr, "a table of another program's parameters names one that does not exist");
  const Result<ParamValue> value = our_value(map, *decl, theirs);
  if (!value.ok()) return lose(where, theirs, value.error().what);
  set(decl->name, value.value(), to);
}

void ChainBuilder::set(const std::string& param, const ParamValue& value, const std::string& node) {
  GraphNode& to = graph_.nodes.at(node.empty() ? last_ : node);
  const ParamDecl* decl = registry_.find(to.type)->param(param);
  TL_CHECK(decl != nullptr, "a parameter that does not exist is set");
  if (const Result<void> valid = decl->validate(value); !valid.ok())
    return lose((node.empty() ? last_ : node) + "." + param, to_text(value), valid.error().what);
  if (value == decl->initial)
    to.params.erase(param);
  else
    to.params[param] = value;
}

Result<Chain> chain_of(const Graph& drawn, const Registry& registry, std::vector<Loss>& lost) {
  Chain chain;
  chain.graph = used_graph(drawn, registry).graph;
  TL_TRY(const std::vector<std::string> order, topological_order(chain.graph));
  std::set<std::string> visited;
  for (std::string id = end_of(chain.graph, registry, order); !id.empty() && visited.insert(id).second;) {
    const GraphNode& node = chain.graph.nodes.at(id);
    const NodeType* type = registry.find(node.type);
    if (type == nullptr) return registry.unknown(node.type);
    chain.steps.push_back({id, &node, type});
    const PortDecl* in = data_input(*type);
    const Link* link = in == nullptr ? nullptr : chain.graph.link_into(id, in->name);
    id = link == nullptr ? "" : link->from_node;
  }
  std::reverse(chain.steps.begin(), chain.steps.end());
  lose_what_is_off_the_chain(drawn, chain, lost);
  return chain;
}

void note_loss_of_other_parameters(const ChainStep& step, const std::vector<std::string_view>& known,
                                   const std::string& program, std::vector<Loss>& lost) {
  for (const auto& [name, value] : step.node->params) {
    const ParamDecl* decl = step.type->param(name);
    if (decl == nullptr || value == decl->initial || std::find(known.begin(), known.end(), name) != known.end())
      continue;
    lost.push_back({step.id + "." + name, to_text(value), program + " has no such setting"});
  }
}

bool changes_columns(const std::string& type) {
  return type == "correct.crop_bin" || type == "correct.stitch_half_turn" || type == "geometry.finer_columns";
}

std::string ColumnNumbering::why_unknown() const {
  if (is_lost_)
    return "columns were cropped, binned or stitched before, so they are numbered differently on the other side";
  return "it counts from the first column, and the width of the detector is not known" +
         two_wordings(": name the scan with --input", "");
}

void ColumnNumbering::lose() {
  is_lost_ = true;
  count_.reset();
}

void ColumnNumbering::crop(int64_t first, std::optional<int64_t> last, int64_t bin) {
  if (is_lost_) return;
  if (last)
    count_ = *last - first + 1;
  else if (count_)
    count_ = *count_ - first;
  if (count_) count_ = *count_ / std::max<int64_t>(1, bin);
}

std::optional<double> ColumnNumbering::from_centre(double position) const {
  if (!count_) return std::nullopt;
  return axis_from_column(position, *count_);
}

std::optional<double> ColumnNumbering::from_first(double axis) const {
  if (!count_) return std::nullopt;
  return column_from_axis(axis, *count_);
}

}  // namespace tl::foreign
