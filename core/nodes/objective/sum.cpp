// core/nodes/objective/sum.cpp: objective: weighted sum of objectives.
#include <ATen/ATen.h>

#include "core/nodes/objective/objective_node.h"

namespace tl::objective_sum_node {

struct Params {
  double weight_a = 1, weight_b = 1, weight_c = 1, weight_d = 1;
};

Result<void> run(const Params& p, NodeRun& r) {
  at::Tensor sum = at::zeros({}, at::kDouble);
  const std::pair<const char*, double> parts[] = {
      {"a", p.weight_a}, {"b", p.weight_b}, {"c", p.weight_c}, {"d", p.weight_d}};
  for (const auto& [port, weight] : parts)
    if (r.has_in(port)) sum = sum + weight * r.in<Scalar>(port).value.to(at::kDouble);
  return put_loss(r, sum);
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.sum", 1).title("Weighted sum").partition(Partition::whole);
  n.summary("Weighted sum of up to four objectives.");
  n.description(
      "Use it for example to add a small share of the total variation of the image to an error of the data "
      "(regularisation). A negative weight maximises an objective instead of minimising it.");
  n.synonyms({"objective", "loss", "regularisation", "combine", "penalty", "regularization"});
  n.input<Scalar>("a", "An objective.");
  n.input<Scalar>("b", "Another one.", false);
  n.input<Scalar>("c", "Another one.", false);
  n.input<Scalar>("d", "Another one.", false);
  describe_loss(n, "The weighted sum; smaller is better.");
  const auto weight = [&n](const char* letter, double Params::*member) {
    n.param(std::string("weight_") + letter, std::string("Weight of ") + letter, member)
        .range(-1e12, 1e12)
        .help(std::string("Factor of the input ") + letter + ".");
  };
  weight("a", &Params::weight_a);
  weight("b", &Params::weight_b);
  weight("c", &Params::weight_c);
  weight("d", &Params::weight_d);
  n.run(run);
}

}  // namespace tl::objective_sum_node

TL_NODE(objective_sum)
