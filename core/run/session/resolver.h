// Resolver: fills in the parameters of nodes, and finds their input infos, keys, devices and measured values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "core/run/session/findings_cache.h"
#include "core/run/session/node_runner.h"
#include "core/run/session/placement.h"
#include "core/run/session/resolved.h"
#include "core/run/session/session_context.h"
#include "core/run/session/settings_keys.h"
#include "core/run/session/value_source.h"

namespace tl {

// Each node is resolved once. Nodes that depend on nothing outside the graph are also cached for later
// sessions.
class Resolver {
 public:
  // `values` is called for driven parameters and for measurements.
  Resolver(SessionContext& context, NodeRunner& runner, Placement& placement, FindingsCache& findings,
           ValueSource& values);

  // The node with everything upstream on which it depends; runs measurements according to the session's MeasurementUse.
  // Valid until forget() or thin().
  Result<const ResolvedNode*> resolve(const std::string& node);
  // A key of the node's settings, inputs and input files, without reading files. None for nodes that are learned or
  // given without a key, or downstream of such nodes.
  std::optional<Hash> settings_key(const std::string& node) { return settings_keys_.key(node); }
  // Resolves nodes again, for example when the run no longer uses its GPU.
  void forget();

  // From now on these nodes compute a first look from every n-th view of their inputs, n by node. Their results, and
  // those of nodes after them, are cached apart from the usual ones.
  void thin(std::map<std::string, int64_t> every);
  // 1 if the node takes all views.
  [[nodiscard]] int64_t view_step(const std::string& node) const { return is_first_look(node) ? thinned_.at(node) : 1; }
  [[nodiscard]] bool is_first_look(const std::string& node) const { return thinned_.count(node) != 0; }

 private:
  // Hashers of ResolvedNode::key and ResolvedNode::lasting, which differ only in the keys of inputs.
  struct KeyHashers {
    Hasher key, lasting;
    template <class T>
    KeyHashers& add(const T& what) {
      key.add(what);
      lasting.add(what);
      return *this;
    }
  };
  Result<ResolvedNode> make(const std::string& node);
  [[nodiscard]] Result<ResolvedNode> make_given(const std::string& node) const;
  Result<void> recall(const std::string& node, const ResolvedNode& r);
  Result<void> fill_params(const std::string& node, ResolvedNode& r, KeyHashers& hasher);
  Result<void> drive(const Link& link, ResolvedNode& r, const ParamDecl& decl, KeyHashers& hasher);
  Result<void> add_inputs(const std::string& node, ResolvedNode& r, KeyHashers& hasher);
  Result<void> add_findings(const std::string& node, ResolvedNode& r);
  Result<void> add_outputs(const std::string& node, ResolvedNode& r);
  Result<Findings> measure(const std::string& node, const ResolvedNode& r);
  Result<Findings> measure_in_blocks(const std::string& node, const ResolvedNode& r, const Regions& needed);
  [[nodiscard]] std::string input_device(const std::string& node, const ResolvedNode& r) const;

  SessionContext& context_;
  NodeRunner& runner_;
  Placement& placement_;
  FindingsCache& findings_;
  ValueSource& values_;
  SettingsKeys settings_keys_;
  std::map<std::string, int64_t> thinned_;  // one view in so many, by node
  std::map<std::string, std::shared_ptr<const ResolvedNode>> resolved_;
};

}  // namespace tl
