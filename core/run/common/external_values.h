// ExternalValues: what an evaluation takes from outside of the graph: parameters as tensors and given outputs.
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

// Replaces a computed output: its value on a region, which must cover what is needed of it (Executor::needed), and the
// info of the whole output.
struct GivenOutput {
  Value value;
  Region region;
  Info info;
  // Identifies the value: equal keys, equal values. With it, what follows is computed and cached as usual; without it,
  // as while learning.
  std::optional<Hash> key = {};
  // What nodes downstream have measured holds while this is the same, although the key changes.
  Hash lasting = {};
  // If set, `value` is left empty, and this makes the value of a part of `region`, each time that one is needed: for
  // outputs that are rarely asked for, and then for a part. Raw counts only with Samples::counts.
  std::function<Result<Value>(const Region& part, Samples samples)> read = {};
};
using GivenOutputs = std::map<OutputId, GivenOutput>;

// What an evaluation takes from outside of the graph. Nodes upstream of given outputs alone are not evaluated. Plans,
// grids and regions follow the graph's own parameters, so they stay the same while these tensors change; nothing
// downstream of such a parameter, or of a given output without a key, is cached.
struct ExternalValues {
  ParameterTensors parameters;
  GivenOutputs given;
};

}  // namespace tl
