// History of a network: the trainings and prunings that produced its weights, as stored in its file. No clock times and
// no folders, so that equal trainings give equal files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::net {

struct HistoryEntry {
  std::string kind;     // "training", "pruning"
  std::string program;  // version of Tomoloom; empty: not known
  std::map<std::string, std::string> settings;
  std::map<std::string, double> results;           // NaN: not known
  std::vector<std::pair<std::string, double>> f1;  // by class, for validation; NaN: neither occurs nor predicted
  std::vector<std::string> training_data, validation_data;  // names of volumes
};
using History = std::vector<HistoryEntry>;

// Limits for writing and reading: number of entries; of settings, results, classes and names per entry; bytes of a
// text.
inline constexpr std::size_t max_entries = 64, max_of_each = 64, longest_history_text = 200;

// Adds the entry within the bounds: the oldest entry is dropped, longer texts are cut, and what is beyond max_of_each
// is left out.
void add_to(History& history, HistoryEntry entry);

// "bone.tif (block)" of "/data/scans/bone.tif (block)": the folders in a file name are removed.
std::string without_folders(std::string_view name);

// A list of {"kind", "program", "settings": {texts}, "results": {numbers}, "f1": [[class, number]], "training_data",
// "validation_data": [names]}; NaN is null, and empty members are left out.
std::string to_json_text(const History& history);
// Errors: invalid: none that to_json_text() writes, or beyond the bounds. Other fields are ignored.
Result<History> history_from_json(std::string_view text, const std::string& where);

// A few lines for people for each entry.
std::vector<std::string> lines_of(const HistoryEntry& entry);

}  // namespace tl::net
