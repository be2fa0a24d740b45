// Evaluation: some regions of outputs, with the memory that computing them needs and the regions requested repeatedly.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/run/common/plan.h"
#include "core/values/hash.h"
#include "core/values/infos.h"
#include "core/values/values.h"

namespace tl {

// A region of an output.
struct RegionRequest {
  std::string node, port;
  Region region;

  [[nodiscard]] Hash key() const { return Hasher().add(node).add(port).add(region).digest(); }
};

// Determined before anything is computed. Each region of an output is computed once, even if several paths in the graph
// lead to it.
struct Evaluation {
  std::map<Hash, Memory> peaks;  // by Request::key(): peak bytes while it is computed
  std::set<Hash> repeated;       // requested more than once
  Memory shared;                 // bytes of repeatedly requested regions, kept until the evaluation ends
  std::map<Hash, Value> values;  // values of repeatedly requested regions, computed so far
  // By output of a source: the regions that are read from its files.
  std::map<std::pair<std::string, std::string>, std::vector<Region>> from_files;
  // By output of a source that is read once here and once in the following evaluation: its region there.
  std::map<std::pair<std::string, std::string>, Region> next_from_files;
};

}  // namespace tl
