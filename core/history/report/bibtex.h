// BibTeX entries for the methods that a pipeline uses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tl::history {

// A reference as node declarations write it: "Kak, Slaney, Principles of Computerized Tomographic Imaging, IEEE Press
// (1988)". Text that cannot be assigned to a field stays in `rest`, so that nothing is lost.
struct Citation {
  std::vector<std::string> authors;
  std::string title, rest, year;
};
Citation parse_citation(std::string_view text);

// One entry for each reference of the nodes that are computed, without duplicates, in the order of the steps; keys such
// as "Paganin2002" are unique. Empty if the nodes have no references.
std::string bibtex_of(const Graph& graph, const Registry& registry);

}  // namespace tl::history
