// Joins separately computed slabs of a volume.
#pragma once

#include <filesystem>

#include "core/base/cancel.h"
#include "core/base/events.h"
#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {

// Whether the slabs are deleted when the volume is complete.
enum class AfterJoining { remove_slabs, keep_slabs };

struct JoinRequest {
  std::filesystem::path folder;  // NAME.slabs
  io::Overwrite overwrite = io::Overwrite::refuse;
  AfterJoining after = AfterJoining::remove_slabs;
  CancelToken cancel = {};
  EventSink* events = nullptr;
};

// Writes the volume NAME, and its record, from the slabs in NAME.slabs: in the format, number type and scale of the
// pipeline in their records, byte for byte as one run would have written it except for the provenance. All slabs must
// exist, agree with their records, come from the same pipeline, parameters, found values, inputs and version, and be
// adjacent; otherwise invalid, naming the first that is not. Gets its name when complete; returns the name. If killed
// at any step, the same call completes it. Memory: a few slices.
Result<std::filesystem::path> join_slabs(const JoinRequest& request, const Registry& registry);

// The folders NAME.slabs in a folder, or the folder itself if it is one; sorted by name.
std::vector<std::filesystem::path> slab_folders(const std::filesystem::path& folder);

}  // namespace tl
