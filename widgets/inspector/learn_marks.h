// Which parameters the user wants learned; kept in the pipeline's ui block, beside what others keep there.
#pragma once

#include <string>

namespace tl::ui {

// `ui` is Graph::ui: JSON text of an object, or "".
bool is_learned(const std::string& ui, const std::string& node, const std::string& param);
// The same block with the mark set or taken away; everything else in it stays.
std::string with_learned(const std::string& ui, const std::string& node, const std::string& param);
std::string without_learned(const std::string& ui, const std::string& node, const std::string& param);

}  // namespace tl::ui
