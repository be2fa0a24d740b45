// The smallest pipelines around any node, built from its declaration: for tests that check all nodes of the registry.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/executor.h"
#include "tests/support/phantom_source.h"

namespace tl::test {

struct ScanSize {
  int64_t views = 18, rows = 6, cols = 16;
};

// A graph in which the node under test is called "node", and the chosen variant ("counts, cone, logarithm=off").
struct Trial {
  Graph graph;
  std::string label;
};

// Every pipeline that the node's own check() accepts: sources of all pixel kinds and beams, with the parameters at
// their defaults and with every other choice of each parameter. Input files are in `folder` (made by write_inputs()).
// `gaps` is the phantom's parameter of that name.
std::vector<Trial> trials(const NodeType& type, const std::filesystem::path& folder, ScanSize size = {},
                          const std::string& gaps = "none");
// Only the first pipeline per source: parameters at their defaults.
std::vector<Trial> default_trials(const NodeType& type, const std::filesystem::path& folder, ScanSize size = {},
                                  const std::string& gaps = "none");
// The pipelines around a node whether its check() accepts them or not, parameters at their defaults.
std::vector<Trial> all_sources(const NodeType& type, ScanSize size, const std::string& gaps = "none");

// A small NXtomo scan with flats and darks for nodes that read files.
void write_inputs(const std::filesystem::path& folder, ScanSize size = {});

// Options of a run in `folder` with a roomy budget.
RunOptions options_in(const std::filesystem::path& folder, int64_t memory = int64_t{1} << 28);

// The numbers of any value, as one tensor.
at::Tensor numbers_of(const Value& value);

// Largest difference relative to the range of the reference; NaN at equal positions count as equal.
double difference(const at::Tensor& a, const at::Tensor& reference);

}  // namespace tl::test
