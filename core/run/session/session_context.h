// SessionContext: the graph of a session, its inputs from outside the graph, and the report of the work done.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "core/graph/graph.h"
#include "core/graph/link_index.h"
#include "core/run/common/external_values.h"
#include "core/run/common/run_report.h"
#include "core/run/common/run_resources.h"
#include "core/run/session/resolved.h"

namespace tl {

// Outputs from Executor::give() are included, unless `external` gives the same output. The resources must outlive
// it.
class SessionContext {
 public:
  SessionContext(RunResources& resources, const Graph& graph, ExternalValues external, MeasurementUse measurements);
  SessionContext(const SessionContext&) = delete;
  SessionContext& operator=(const SessionContext&) = delete;

  // The nodes to be computed; paths of their input files are relative to the working folder, not to the pipeline.
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const LinkIndex& links() const { return links_; }
  [[nodiscard]] const ExternalValues& external() const { return external_; }
  // Whether an output of the node is given, or a parameter of it is a tensor from outside.
  [[nodiscard]] bool is_external(const std::string& node) const;
  [[nodiscard]] bool is_given(const std::string& node, const std::string& port) const {
    return external_.given.count({node, port}) != 0;
  }
  [[nodiscard]] bool has_given(const std::string& node) const;
  // Key of all given outputs of the node; nothing if one has no key.
  [[nodiscard]] std::optional<Hash> given_key(const std::string& node) const;
  // Whether the node is upstream only of given outputs, so that it need not be computed or resolved.
  [[nodiscard]] bool is_replaced(const std::string& node) const { return replaced_.count(node) != 0; }
  [[nodiscard]] MeasurementUse measurements() const { return measurements_; }

  [[nodiscard]] RunResources& resources() const { return resources_; }
  [[nodiscard]] const RunOptions& options() const { return resources_.options(); }
  [[nodiscard]] int64_t element_size() const;  // bytes of a number

  [[nodiscard]] RunReport& report() { return report_; }
  [[nodiscard]] const RunReport& report() const { return report_; }
  // Changes the statistics of a node in the report and in all sessions.
  void update_stats(const std::string& node, const std::function<void(NodeStats&)>& change);
  // Calls `send` if the current call has a listener for events.
  void send_event(const std::function<void(EventSink&)>& send) const;

 private:
  RunResources& resources_;
  Graph graph_;
  LinkIndex links_;
  ExternalValues external_;
  MeasurementUse measurements_;
  std::set<std::string> replaced_;
  RunReport report_;
};

}  // namespace tl
