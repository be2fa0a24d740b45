// Joins the slabs of a volume that were computed apart.
#pragma once

#include <filesystem>

#include "core/base/cancel.h"
#include "core/base/events.h"
#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {

// What becomes of the slabs when the volume is complete.
enum class AfterJoining { remove_slabs, keep_slabs };

struct JoinRequest {
  std::filesystem::path folder;  // NAME.slabs
  io::Overwrite overwrite = io::Overwrite::refuse;
  AfterJoining after = AfterJoining::remove_slabs;
  CancelToken cancel = {};
  EventSink* events = nullptr;
};

// Writes the volume NAME, and its record, from the slabs in NAME.slabs: in the format, number type and scale of the
// pipeline that their records contain, byte for byte what one run would have written but for the provenance. All slabs
// must be there, be what their records describe, come from the same pipeline, parameters, found values, inputs and
// version, and lie one above the other; otherwise invalid, naming the first that is not. Appears when complete; returns
// its name. Killed at any step, the same call finishes it. Memory: some slices.
Result<std::filesystem::path> join_slabs(const JoinRequest& request, const Registry& registry);

// The folders NAME.slabs in a folder, or the folder itself if it is one; in alphabetical order.
std::vector<std::filesystem::path> slab_folders(const std::filesystem::path& folder);

}  // namespace tl
