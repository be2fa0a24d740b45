// Nearest known name ("Did you mean ...") for errors about unknown names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tl {

// The candidate with the smallest edit distance, or "" if none is within two letters or a third of the name.
std::string nearest(std::string_view wanted, const std::vector<std::string>& candidates);
// A hint sentence: the nearest match if there is one, else all candidates.
std::string suggest(std::string_view wanted, const std::vector<std::string>& candidates);

}  // namespace tl
