// States: tracks the state of every node, from the check of the graph to the end of a run, and reports changes.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/live/notification.h"
#include "core/run/executor.h"

namespace tl::live {

enum class Extent { part, whole };

// Nodes with the key of the settings under which they were computed; their present key may differ.
using NodeKeys = std::map<std::string, Hash>;

// Compute thread only. Every call reports its changes to the listener.
class States {
 public:
  States(const Registry& registry, Listener& listener) : registry_(registry), listener_(listener) {}

  // Called after a check: removes deleted nodes; updates errors, summaries and keys of the others.
  void know(const Graph& graph, const std::map<std::string, NodeInspection>& looks);
  // A window of a stream replaces the previous one, whose results are not used again.
  void begin_window();
  void computed(const NodeKeys& nodes, Extent extent);
  void took(const std::string& node, double seconds);
  void queue(const NodeKeys& nodes);
  void run(const std::string& node, double fraction, double seconds_left);
  void end(const std::string& node);  // the node is no longer queued or running
  void fail(const std::string& node, const Hash& key, const Error& error);
  void cancel(const std::string& node, const Hash& key);
  void forget_all();  // another pipeline follows; reports nothing
  // Results were dropped; written files were not.
  void forget_results();
  void forget_results(const std::string& node);

 private:
  struct Node {
    Hash key;
    bool is_output = false;
    NodeStatus known;  // error, summary, found values; the state from the check, used unless a later one is known
    std::map<Hash, Extent> done;
    std::optional<Hash> failed, cancelled;
    std::optional<Error> failure;
    std::optional<State> busy;  // queued or running
    double fraction = -1, seconds_left = -1, seconds = -1;
    NodeStatus reported;
    bool was_reported = false;
    std::chrono::steady_clock::time_point when;
  };
  [[nodiscard]] static NodeStatus status_of(const Node& node);
  void report(const std::string& id);
  const Registry& registry_;
  Listener& listener_;
  std::map<std::string, Node> nodes_;
};

}  // namespace tl::live
