// What entries say of pipelines and files: from a graph before the work, from the record next to a result after it.
#pragma once

#include <filesystem>
#include <vector>

#include "core/history/recorder.h"

namespace tl::history {

// A file that exists, with its size; its fingerprint is left out. A folder has the size of all files in it.
File file_at(const std::filesystem::path& path);
// Of those that have none and can be read.
void add_fingerprints(std::vector<File>& files);
// Outputs, and from the record next to the first that has one: pipeline, values, version, device. Files without a
// record are entered without values.
void add_results(Entry& entry, const std::vector<std::filesystem::path>& files, const Registry& registry);

}  // namespace tl::history
