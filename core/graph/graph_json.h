// Pipeline files: writes and reads a graph as JSON; every error names its position in the text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {

inline constexpr int pipeline_schema_version = 1;

// The file's text. It round-trips: reading and writing it again gives the same bytes.
std::string to_json(const Graph& graph);

// whole: the graph must be ready to run; draft: links may be missing (while it is edited); kept: also, nodes of types
// or versions that this program does not know are kept as text (GraphNode::kept).
enum class Completeness { whole, draft, kept };

// Reads a pipeline. Errors name the line, the path ("nodes.fbp.parameters.window") and the nearest match; all names,
// types, ranges and links are checked (problems()). Duplicate keys, nesting deeper than 64 and texts over 64 MiB are
// refused before a document is built. `file` only names the text in errors.
Result<Graph> graph_from_json(std::string_view text, const Registry& registry, const std::string& file = "pipeline",
                              Completeness completeness = Completeness::whole);

// The text of a pipeline file or record, or the text embedded in a result (a volume or folder of slices written by this
// program).
Result<std::string> text_of_result(const std::string& path);

// Loads a pipeline file, or the pipeline embedded in a result (OUT.json, a volume or a folder of slices that we wrote).
// Input files are relative to the folder of the file and are made absolute.
Result<Graph> load_pipeline(const std::string& path, const Registry& registry,
                            Completeness completeness = Completeness::whole);

// Writes a pipeline file; paths of its input files are relative to its folder.
Result<void> save_pipeline(const Graph& graph, const Registry& registry, const std::string& path,
                           const io::OutputRules& rules);
// The text of a pipeline file for `folder`: paths of input files are relative to it.
std::string portable_json(const Graph& graph, const Registry& registry, const std::filesystem::path& folder);
// The text that a result embeds (VolumeTarget::description), adapted for a result in another folder: input paths become
// relative to `to` instead of `from`. A text without a readable pipeline is unchanged.
std::string moved_description(const std::string& text, const Registry& registry, const std::filesystem::path& from,
                              const std::filesystem::path& to);
// Whether a file is a pipeline file, not a result or record that embeds a pipeline.
bool is_pipeline_file(const std::string& path);

}  // namespace tl
