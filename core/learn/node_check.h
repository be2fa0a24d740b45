// Tests one node of a pipeline: whether its backward pass is the transpose of its forward pass, and whether the
// gradients with respect to its parameters are right. In float64, on a small synthetic input of the same kind as the
// real one.
#pragma once

#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/values/infos.h"

namespace tl::learn {

struct NodeCheck {
  // Two numbers that must agree.
  struct Row {
    std::string what;  // "<J v, w> = <v, J* w> for projections", "gradient to axis"
    double left = 0, right = 0;
    double deviation = 0;  // of them, relative
  };
  std::string node;
  std::string input;  // "48 views of 4 x 48 pixels, absorption"
  std::vector<Row> rows;
  double limit = 0;  // largest deviation that passes
  [[nodiscard]] double worst() const;
  [[nodiscard]] bool passed() const { return !rows.empty() && worst() <= limit; }
};

// `inputs`: the infos of the node's inputs. Errors: invalid if there is nothing to check (the node writes files, takes
// measurements, has no pixels or declares that it is not differentiable).
Result<NodeCheck> check_node(const Registry& registry, const Graph& graph, const std::string& node, const Infos& inputs,
                             const CancelToken& cancel);

}  // namespace tl::learn
