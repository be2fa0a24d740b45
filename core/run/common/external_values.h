// ExternalValues: inputs of an evaluation from outside the graph: parameters as tensors and given outputs.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/values/hash.h"
#include "core/values/infos.h"
#include "core/values/values.h"

namespace tl {

// Parameters whose values the optimiser supplies: (node, parameter) to a float64 tensor in the stored unit.
using ParameterTensors = std::map<std::pair<std::string, std::string>, at::Tensor>;

// An output of a node: (node, port).
using OutputId = std::pair<std::string, std::string>;

// Replaces a computed output: its value on a region, which must cover the needed region (Executor::needed), and the
// info of the whole output.
struct GivenOutput {
  Value value;
  Region region;
  Info info;
  // Identifies the value: equal keys mean equal values. With a key, downstream results are cached as usual; without
  // one, as for learning.
  std::optional<Hash> key = {};
  // Measurements of downstream nodes stay valid while this is unchanged, even if the key changes.
  Hash lasting = {};
  // If set, `value` stays empty, and this function makes the value of a part of `region` whenever one is needed: for
  // outputs that are rarely requested, and then only in part. Raw counts only with Samples::counts.
  std::function<Result<Value>(const Region& part, Samples samples)> read = {};
};
using GivenOutputs = std::map<OutputId, GivenOutput>;

// Inputs of an evaluation from outside the graph. Nodes that are upstream only of given outputs are not evaluated.
// Plans, grids and regions depend on the graph's own parameters, so that they do not change with these tensors; nothing
// downstream of such a parameter, or of a given output without a key, is cached.
struct ExternalValues {
  ParameterTensors parameters;
  GivenOutputs given;
};

}  // namespace tl
