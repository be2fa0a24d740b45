// The laws of one node on a click: is its backward pass the transpose of its forward one, and are the gradients to its
// parameters right? On a small made-up input of the same kind as its real one, in float64.
#pragma once

#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/values/infos.h"

namespace tl::learn {

struct NodeCheck {
  // Two numbers that must be the same.
  struct Row {
    std::string what;  // "<J v, w> = <v, J* w> for projections", "gradient to axis"
    double left = 0, right = 0;
    double deviation = 0;  // of them, relative
  };
  std::string node;
  std::string input;  // "48 views of 4 x 48 pixels, absorption"
  std::vector<Row> rows;
  double limit = 0;  // what a deviation may be
  [[nodiscard]] double worst() const;
  [[nodiscard]] bool passed() const { return !rows.empty() && worst() <= limit; }
};

// `inputs`: what is known of the node's inputs. Errors: invalid where there is nothing to check (it writes files,
// measures, has no pixels or says that it cannot be differentiated).
Result<NodeCheck> check_node(const Registry& registry, const Graph& graph, const std::string& node, const Infos& inputs,
                             const CancelToken& cancel);

}  // namespace tl::learn
