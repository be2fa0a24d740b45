// NodeRunner: calls the functions of nodes: exceptions become errors, time is counted, memos are kept.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/run/session/resolved.h"
#include "core/run/session/session_context.h"

namespace tl {

// Adds the node to the location of an error, unless it is there already or the error is a cancellation.
Error at_node(Error error, const std::string& node);

// A call of run_node() that has ended.
struct NodeCall {
  double seconds = 0;        // without nodes that ran meanwhile, such as nodes of an image between two iterations
  int64_t spared_bytes = 0;  // bytes of inputs made unnecessary by existing memos
};

class NodeRunner {
 public:
  // `host` provides the services for nodes.
  NodeRunner(SessionContext& context, NodeHost& host) : context_(context), host_(host) {}

  // The arguments of a node, except inputs and region.
  [[nodiscard]] NodeRun node_run(const std::string& node, const ResolvedNode& r, const std::string& device);
  // Runs `body`, which calls functions of the node. The only place that converts exceptions of torch, ITK, VTK or
  // bad_alloc to Error; it sets the gradient mode explicitly.
  Result<void> run_node(const std::string& node, const ResolvedNode& r, const std::function<Result<void>()>& body);
  [[nodiscard]] const NodeCall& last_call() const { return last_call_; }
  // The regions of its inputs that a node needs for a region of its output.
  Result<Regions> input_regions(const std::string& node, const ResolvedNode& r, const Region& region);
  // NodeHost::memo() and kept_memo() for the running node.
  std::shared_ptr<void> kept_memo(const std::string& name);
  std::shared_ptr<void> memo(const std::string& name, int64_t bytes,
                             const std::function<std::shared_ptr<void>()>& make);

 private:
  struct Running {
    std::string node;
    const ResolvedNode* resolved = nullptr;
    int64_t spared_bytes = 0;
  };
  [[nodiscard]] Hash memo_key(const std::string& name) const;

  SessionContext& context_;
  NodeHost& host_;
  std::vector<Running> running_;  // running nodes; the last one owns requested memos
  NodeCall last_call_;
};

}  // namespace tl
