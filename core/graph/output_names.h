// Names of output files: which endings fit the format that a node writes, so that no file is named like another format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tl {

// A format that an output node can write.
struct OutputFormat {
  std::string choice;  // value of the node's parameter "format"; empty: the node has one format
  std::string title;
  std::vector<std::string> endings;  // ".nii"; the first one is for new names; empty: a folder without ending
  bool is_folder = false;            // the name of a folder may contain dots: "bone_0.5um"
};
// In the order of the choices; the choice "by the file name" is left out. Empty for nodes that write no files.
std::vector<OutputFormat> output_formats(const NodeType& type);

// Invalid if the name has the ending of another format, or of no file of this format: programs and people would mistake
// its type. A name without an ending fits all. `format`: as OutputFormat::choice; if it is not a choice of a format,
// every name fits.
Result<void> check_output_name(const std::string& node_type, std::string_view format,
                               const std::filesystem::path& file);

// The name with the format's ending instead of the ending of another format of the node.
std::string with_ending_of(const OutputFormat& format, const NodeType& type, const std::string& file);

// Call after the parameter `changed` was set: if file name and format disagree, the other of the two is
// adapted.
void match_name_and_format(GraphNode& node, const NodeType& type, std::string_view changed);

}  // namespace tl
