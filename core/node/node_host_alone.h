// NodeHostAlone: services for a node that runs outside a pipeline.
#pragma once

#include "core/io/output/output_file.h"
#include "core/io/output/output_rules.h"
#include "core/node/node_run.h"

namespace tl {

// Has no cache and no pipeline, drops events, and outputs replace no file.
class NodeHostAlone : public NodeHost {
 public:
  std::shared_ptr<void> memo(const std::string&, int64_t, const std::function<std::shared_ptr<void>()>& make) override {
    return make();
  }
  [[nodiscard]] std::string pipeline_text(const std::filesystem::path&) const override { return "{}"; }
  [[nodiscard]] std::string provenance_text() const override { return "{}"; }
  [[nodiscard]] std::string parameters_text(const std::filesystem::path&) const override { return "[]"; }
  [[nodiscard]] io::OutputRules output_rules() const override { return io::no_inputs(io::Overwrite::refuse); }
  void deliver(io::OutputFile&&) override {}
  void event(const std::function<void(EventSink&)>&) override {}
};

}  // namespace tl
