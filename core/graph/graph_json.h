// Pipeline files: a graph as JSON text and back, with places in every error.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {

inline constexpr int pipeline_schema_version = 1;

// The file's text. What we wrote reads back and is written again byte for byte.
std::string to_json(const Graph& graph);

// Whether a graph must be ready to run, or may still lack links (what somebody is working on).
enum class Completeness { whole, draft };

// Reads a pipeline. Errors name the line, the place ("nodes.fbp.parameters.window") and the nearest match; all names,
// types, ranges and links are checked (problems()). Refused before a document is built: duplicate keys, depth over 64,
// over 64 MiB. `file` only names the text in errors.
Result<Graph> graph_from_json(std::string_view text, const Registry& registry, const std::string& file = "pipeline",
                              Completeness completeness = Completeness::whole);

// The same from a file; a result that embeds its pipeline (OUT.json, a TIFF or a folder of slices that we wrote) opens
// as that pipeline. Input files are meant relative to the folder of the file and come back absolute.
Result<Graph> load_pipeline(const std::string& path, const Registry& registry,
                            Completeness completeness = Completeness::whole);

// Writes a pipeline file; input files are named relative to its folder.
Result<void> save_pipeline(const Graph& graph, const Registry& registry, const std::string& path,
                           const io::OutputRules& rules);
// The file's text as it belongs into `folder`.
std::string portable_json(const Graph& graph, const Registry& registry, const std::filesystem::path& folder);
// Whether a file is a pipeline file itself, and no result or record that embeds one.
bool is_pipeline_file(const std::string& path);

}  // namespace tl
