// Tracks the state of every node, such as ready, partial, current, stale, and reports changes.
#include "core/live/states.h"

#include "core/live/describe.h"

namespace tl::live {
namespace {

// Progress of a node is reported at most ten times a second, a change of state immediately.
constexpr std::chrono::milliseconds between_progress{100};
// Number of settings (keys) per node remembered as computed, so that undo restores the state.
constexpr std::size_t max_remembered = 64;

bool same(const std::optional<Error>& a, const std::optional<Error>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->kind == b->kind && a->what == b->what && a->where == b->where && a->hint == b->hint;
}

bool same_but_progress(const NodeStatus& a, const NodeStatus& b) {
  return a.state == b.state && a.whole == b.whole && a.summary == b.summary && a.found == b.found &&
         a.verdict == b.verdict && a.seconds == b.seconds && same(a.error, b.error);
}

// An output node has no output port; its file name serves as summary.
std::string file_of(const GraphNode& node, const NodeType& type) {
  for (const ParamDecl& decl : type.params) {
    const auto set = node.params.find(decl.name);
    const ParamValue& value = set == node.params.end() ? decl.initial : set->second;
    const auto* text = std::get_if<std::string>(&value);
    if (decl.path == PathRole::output && text != nullptr) return std::filesystem::path(*text).filename().string();
  }
  return {};
}

std::string title_of(const Graph& graph, const Registry& registry, const std::string& id) {
  const auto node = graph.nodes.find(id);
  const NodeType* type = node == graph.nodes.end() ? nullptr : registry.find(node->second.type);
  return type == nullptr ? id : type->title;
}

std::string summary_of_node(const GraphNode& node, const NodeType& type, const NodeInspection& look) {
  for (const PortDecl& port : type.outputs) {
    const auto info = look.outputs.find(port.name);
    if (info == look.outputs.end()) continue;
    if (std::string text = summary_of(info->second); !text.empty()) return text;
  }
  return type.is_output ? file_of(node, type) : std::string();
}

}  // namespace

void States::know(const Graph& graph, const std::map<std::string, NodeInspection>& looks) {
  std::erase_if(nodes_, [&](const auto& entry) { return graph.nodes.count(entry.first) == 0; });
  for (const auto& [id, look] : looks) {
    const auto in_graph = graph.nodes.find(id);
    if (in_graph == graph.nodes.end()) continue;
    Node& node = nodes_[id];
    const NodeType* type = registry_.find(in_graph->second.type);
    node.key = look.key;
    node.is_output = type != nullptr && type->is_output;
    node.known = NodeStatus{};
    node.known.error = look.error;
    if (look.error) node.known.state = look.error->kind == ErrorKind::io ? State::failed : State::unconfigured;
    if (!look.waits_for.empty()) {
      node.known.state = State::waiting;
      node.known.summary = "waits for " + title_of(graph, registry_, look.waits_for);
    } else if (type != nullptr) {
      node.known.summary = summary_of_node(in_graph->second, *type, look);
    }
    if (look.use != NodeUse::active && !look.error) {
      node.known.state = look.use == NodeUse::muted ? State::muted : State::bypassed;
    }
    if (look.findings) {
      node.known.found = found_texts(*look.findings);
      node.known.verdict = verdict_of(*look.findings);
    }
    report(id);
  }
}

void States::computed(const NodeKeys& nodes, Extent extent) {
  for (const auto& [id, key] : nodes) {
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) continue;
    Node& node = found->second;
    // An output node's file holds only the last result.
    if (node.is_output || node.done.size() >= max_remembered) node.done.clear();
    const auto [at, fresh] = node.done.try_emplace(key, extent);
    if (extent == Extent::whole) at->second = extent;
    if (node.failed == key) node.failed.reset();
    if (node.cancelled == key) node.cancelled.reset();
    report(id);
  }
}

void States::took(const std::string& id, double seconds) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) return;
  found->second.seconds = seconds;
  report(id);
}

void States::queue(const NodeKeys& nodes) {
  for (const auto& [id, key] : nodes) {
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) continue;
    const State known = found->second.known.state;
    if (known == State::bypassed || known == State::muted) continue;
    found->second.busy = State::queued;
    found->second.fraction = found->second.seconds_left = -1;
    report(id);
  }
}

void States::run(const std::string& id, double fraction, double seconds_left) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) return;
  found->second.busy = State::running;
  found->second.fraction = fraction;
  found->second.seconds_left = seconds_left;
  report(id);
}

void States::end(const std::string& id) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end() || !found->second.busy) return;
  found->second.busy.reset();
  report(id);
}

void States::fail(const std::string& id, const Hash& key, const Error& error) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) return;
  found->second.failed = key;
  found->second.failure = error;
  report(id);
}

void States::cancel(const std::string& id, const Hash& key) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) return;
  found->second.cancelled = key;
  report(id);
}

void States::forget_all() { nodes_.clear(); }

void States::begin_window() {
  for (auto& [id, node] : nodes_)
    if (!node.is_output) node.done.clear();
}

void States::forget_results() {
  for (auto& [id, node] : nodes_) {
    if (!node.is_output) node.done.clear();
    report(id);
  }
}

void States::forget_results(const std::string& id) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end() || found->second.is_output) return;
  found->second.done.clear();
  report(id);
}

NodeStatus States::status_of(const Node& node) {
  NodeStatus s = node.known;
  s.seconds = node.seconds;
  s.fraction = -1;
  const auto now = node.done.find(node.key);
  s.whole = now != node.done.end() && now->second == Extent::whole;
  if (node.busy) {
    s.state = *node.busy;
    s.fraction = node.fraction;
    s.seconds_left = node.seconds_left;
  } else if (s.state != State::ready) {
    return s;  // the check found a problem
  } else if (node.failed == node.key) {
    s.state = State::failed;
    s.error = node.failure;
  } else if (node.cancelled == node.key) {
    s.state = State::cancelled;
  } else if (now != node.done.end()) {
    s.state = s.whole ? State::current : State::partial;
    if (s.state == State::current) s.fraction = 1;
  } else if (!node.done.empty()) {
    s.state = State::stale;
  }
  return s;
}

void States::report(const std::string& id) {
  Node& node = nodes_.at(id);
  NodeStatus now = status_of(node);
  const auto when = std::chrono::steady_clock::now();
  if (node.was_reported && same_but_progress(now, node.reported)) {
    if (now.fraction == node.reported.fraction && now.seconds_left == node.reported.seconds_left) return;
    if (when - node.when < between_progress) return;
  }
  node.reported = now;
  node.was_reported = true;
  node.when = when;
  listener_.notify(StatusChange{id, std::move(now)});
}

}  // namespace tl::live
