// RunReport: the report of a run: files, statistics of nodes, parameters and values found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/node/node_run.h"
#include "core/run/common/node_work.h"
#include "core/run/common/plan.h"

namespace tl {

struct NodeStats {
  int64_t calls = 0;
  int64_t voxels = 0;    // elements produced
  double seconds = 0;    // time of all its functions, including measurements and checks
  double measuring = 0;  // seconds of this for the latest measurement
  NodeWork work;         // for run(), accumulate() and finish() only; without inputs that a memo made unnecessary
  std::map<std::string, int64_t> counts;  // by NodeRun::count()
  std::string device = "cpu";
  std::string why;  // why the node runs on the CPU in a run that uses a GPU; empty if there is nothing to explain
};

// A parameter value that was used, for the record of a run.
struct UsedParameter {
  std::string node, name;
  ParamValue value;
  PathRole path = PathRole::none;  // role of a file parameter; input paths are absolute here
  double uncertainty = 0;
  Verdict verdict = Verdict::none;
};

struct RunReport {
  std::vector<std::filesystem::path> files;  // files written, with their final names
  std::map<std::string, NodeStats> nodes;
  std::map<std::string, std::string> fingerprints;  // of the input nodes
  std::vector<UsedParameter> parameters;
  std::map<std::string, Findings> findings;  // findings of every measuring or reducing node that ran
  Plan plan;
  double seconds = 0;
};

}  // namespace tl
