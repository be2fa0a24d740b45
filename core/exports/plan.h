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
  Graph graph;                               // the exported part with everything upstream, and the writing nodes
  std::vector<std::string> outputs;          // these nodes
  std::vector<std::filesystem::path> files;  // files that the graph writes, without the records next to them
};

// Errors, kind invalid: an unknown format, a number type that the format lacks, low not below high, no name, a name
// with the ending of another format, or an empty box.
Result<Plan> plan(const Graph& graph, const Registry& registry, const Source& chosen, const Settings& settings);

// Whether the files and their records may be written: they replace no input of the pipeline, and their folders exist
// and are writable. Errors: invalid, io.
Result<void> check_files(const Plan& plan, const io::OutputRules& rules);
// The existing files that the export would replace.
std::vector<std::filesystem::path> existing_files(const Plan& plan);

// The file name with the ending of this format in place of the ending of another format in the list.
std::string named_for(const Format& format, const std::vector<Format>& all, const std::string& file);

// The grid of the voxels that are kept. Invalid if the box is empty or reaches beyond the volume.
Result<VolumeGrid> kept_grid(const VolumeGrid& whole, const Settings& settings);
// Bytes of the kept voxels as numbers of this type, before any compression; without a type, as float32.
int64_t bytes_of(const VolumeGrid& whole, const Settings& settings, const std::string& type);

// The region in which values are counted before the export: all kept voxels if they are few enough to be counted at
// once, else their middle slice.
struct Sample {
  VolumeGrid region;
  bool is_all = false;
};
Result<Sample> sample_of(const VolumeGrid& whole, const Settings& settings);

}  // namespace tl::exports
