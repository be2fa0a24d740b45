// Reads a pipeline document into a Graph, with places in every error. Internal to core.
#pragma once

#include "core/graph/graph_json.h"
#include "core/graph/migrations.h"

namespace tl::json {

// `pointer` is where in the document the pipeline object stands ("" = the document itself). All names, types, ranges
// and links are checked.
Result<Graph> read_graph(Document document, const std::string& pointer, const Registry& registry,
                         const Migrations& migrations, Completeness completeness = Completeness::whole);

}  // namespace tl::json
