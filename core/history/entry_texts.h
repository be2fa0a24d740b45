// Texts and files of history entries: from the graph before a run, from the record next to a result after it.
#pragma once

#include <filesystem>
#include <vector>

#include "core/history/recorder.h"

namespace tl::history {

// An existing file with its size, without its fingerprint. A folder has the total size of its files.
File file_at(const std::filesystem::path& path);
// Adds fingerprints to readable files without one.
void add_fingerprints(std::vector<File>& files);
// Outputs, and from the record next to the first that has one: pipeline, values, version, device. Files without a
// record are entered without values.
void add_results(Entry& entry, const std::vector<std::filesystem::path>& files, const Registry& registry);

}  // namespace tl::history
