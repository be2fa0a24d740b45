// Shared by the files about nabu: its configuration as sections of keys. Internal to core/graph/foreign.
#pragma once

#include <string>

#include "core/graph/foreign/chain.h"
#include "core/graph/json_document.h"

namespace tl::foreign {

// {section: {key: text}} and the lines of the keys; "" means not set. Read as Python's ConfigParser reads nabu.conf:
// comments after # and ; at the start of a line, # also after a value; keys in lower case. Invalid, with the line:
// anything else, a duplicate key or section, more than json::max_values lines.
Result<json::Document> read_nabu_text(std::string_view text, const std::string& file);
std::string nabu_text(const json::Json& sections);

// A graph from a configuration. `prefix` precedes the sections in losses ("volume_task: ").
Result<ReadPipeline> read_nabu(const json::Document& config, const std::string& prefix, const Registry& registry,
                               const ScanFacts& facts);
// Writes the keys that differ from nabu's defaults, and the keys that readers expect.
Result<json::Json> write_nabu(const Graph& graph, const Registry& registry, const ScanFacts& facts,
                              std::vector<Loss>& lost);

// Tables of equivalent values that reading and writing share.
extern const std::vector<WordPair> nabu_filters, nabu_padding, nabu_flips;

}  // namespace tl::foreign
