// "Did you mean ...": the nearest known name, for errors about unknown ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tl {

// The candidate with the smallest edit distance, or "" when none is close (more than a third of the letters differ).
std::string nearest(std::string_view wanted, const std::vector<std::string>& candidates);
// A hint sentence: the nearest match if there is one, else the list of candidates.
std::string suggest(std::string_view wanted, const std::vector<std::string>& candidates);

}  // namespace tl
