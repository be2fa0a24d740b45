// Plan: the pipeline that writes an export, made before anything is computed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/exports/format.h"
#include "core/exports/settings.h"
#include "core/io/output/output_rules.h"
#include "core/values/infos.h"

namespace tl::exports {

struct Plan {
  Graph graph;                               // what is exported with everything upstream, and the nodes that write
  std::vector<std::string> outputs;          // these nodes
  std::vector<std::filesystem::path> files;  // what they write, without the records next to them
};

// Errors, kind invalid: an unknown format, a type of numbers that it does not have, low not below high, no name, a name
// that ends like another format, a box that is empty.
Result<Plan> plan(const Graph& graph, const Registry& registry, const Source& chosen, const Settings& settings);

// Whether the files and their records may be written: nothing that the pipeline reads is replaced, folders exist and
// take files. Errors: invalid, io.
Result<void> check_files(const Plan& plan, const io::OutputRules& rules);
// Those that are there and would be replaced.
std::vector<std::filesystem::path> existing_files(const Plan& plan);

// The name of a file with the ending of a format, in place of that of another format of the same list.
std::string named_for(const Format& format, const std::vector<Format>& all, const std::string& file);

// The voxels that are kept. Invalid for a box beyond the volume or an empty one.
Result<VolumeGrid> kept_grid(const VolumeGrid& whole, const Settings& settings);
// Bytes of the voxels with numbers of this type, before any compression; without a type, of float32.
int64_t bytes_of(const VolumeGrid& whole, const Settings& settings, const std::string& type);

// Where values are counted before the export: all that are kept if they are few enough to be counted at once, else the
// middle slice of them.
struct Sample {
  VolumeGrid region;
  bool is_all = false;
};
Result<Sample> sample_of(const VolumeGrid& whole, const Settings& settings);

}  // namespace tl::exports
