// States: what is known and said of every node, from the check of the graph to the end of a run.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/live/engine.h"
#include "core/run/executor.h"

namespace tl::live {

enum class Extent { part, whole };

// Nodes, each with the key of the settings that work was done under; it may have other ones by now.
using NodeKeys = std::map<std::string, Hash>;

// Compute thread only. Every call reports to the listener what it changed.
class States {
 public:
  States(const Registry& registry, Listener& listener) : registry_(registry), listener_(listener) {}

  // After a check: nodes that are gone are forgotten, others get their errors, summaries and keys.
  void know(const Graph& graph, const std::map<std::string, NodeLook>& looks);
  void computed(const NodeKeys& nodes, Extent extent);
  void took(const std::string& node, double seconds);
  void queue(const NodeKeys& nodes);
  void run(const std::string& node, double fraction, double seconds_left);
  void end(const std::string& node);  // no longer queued or running
  void fail(const std::string& node, const Hash& key, const Error& error);
  void cancel(const std::string& node, const Hash& key);
  // Results are gone; files that were written are not.
  void forget_results();
  void forget_results(const std::string& node);

 private:
  struct Node {
    Hash key;
    bool is_output = false;
    NodeStatus known;  // error, summary, found values; its state is what it is when nothing else is known
    std::map<Hash, Extent> done;
    std::optional<Hash> failed, cancelled;
    std::optional<Error> failure;
    std::optional<State> busy;  // queued or running
    double fraction = -1, seconds_left = -1, seconds = -1;
    NodeStatus told;
    bool was_told = false;
    std::chrono::steady_clock::time_point when;
  };
  [[nodiscard]] static NodeStatus status_of(const Node& node);
  void tell(const std::string& id);
  const Registry& registry_;
  Listener& listener_;
  std::map<std::string, Node> nodes_;
};

}  // namespace tl::live
