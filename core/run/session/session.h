// Session: one graph during one call of an executor: contains the parts that resolve its nodes, pull their values, run
// plans, and write outputs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/run/common/stored_results.h"
#include "core/run/session/findings_cache.h"
#include "core/run/session/node_runner.h"
#include "core/run/session/placement.h"
#include "core/run/session/plan_runner.h"
#include "core/run/session/planning_context.h"
#include "core/run/session/puller.h"
#include "core/run/session/resolver.h"
#include "core/run/session/run_outputs.h"
#include "core/run/session/session_context.h"

namespace tl {

// Exists for one call of the executor: it uses the state of input files at the first request, and keeps results that it
// has stored and reduced. Images of one graph share their resolved nodes through the executor's cache, so that a
// session takes about a microsecond per node.
class Session final : public NodeHost {
 public:
  Session(RunResources& resources, const Graph& graph, const ExternalValues& external, MeasurementUse measurements,
          CachedOutputs keep);

  [[nodiscard]] SessionContext& context() { return context_; }
  [[nodiscard]] NodeRunner& runner() { return runner_; }
  [[nodiscard]] FindingsCache& findings() { return findings_; }
  [[nodiscard]] Resolver& resolver() { return resolver_; }
  [[nodiscard]] StoredResults& stored() { return stored_; }
  [[nodiscard]] const PlanningContext& planning() const { return planning_; }
  [[nodiscard]] Puller& puller() { return puller_; }
  [[nodiscard]] PlanRunner& plan_runner() { return plan_runner_; }
  [[nodiscard]] RunOutputs& outputs() { return outputs_; }

  // NodeHost
  std::shared_ptr<void> kept_memo(const std::string& name) override { return runner_.kept_memo(name); }
  std::shared_ptr<void> memo(const std::string& name, int64_t bytes,
                             const std::function<std::shared_ptr<void>()>& make) override;
  [[nodiscard]] std::string pipeline_text(const std::filesystem::path& folder) const override;
  [[nodiscard]] std::string provenance_text() const override;
  [[nodiscard]] std::string parameters_text(const std::filesystem::path& folder) const override;
  [[nodiscard]] io::OutputRules output_rules() const override;
  void deliver(io::OutputFile&& whole) override;
  Result<void> reads(const std::shared_ptr<io::InputFiles>& files) override;
  void event(const std::function<void(EventSink&)>& send) override;
  void count_work(const std::string& node, const std::string& what, int64_t n) override;

 private:
  SessionContext context_;
  RunOutputs outputs_;
  NodeRunner runner_;
  Placement placement_;
  FindingsCache findings_;
  StoredResults stored_;
  Resolver resolver_;
  PlanningContext planning_;
  Puller puller_;
  PlanRunner plan_runner_;
};

}  // namespace tl
