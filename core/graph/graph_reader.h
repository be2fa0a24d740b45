// Reads a pipeline document into a Graph; every error names its position. Internal to core.
#pragma once

#include "core/graph/graph_json.h"
#include "core/graph/migrations.h"

namespace tl::json {

// `pointer` is the JSON pointer of the pipeline object in the document ("" = the document itself). All names, types,
// ranges and links are checked.
Result<Graph> read_graph(Document document, const std::string& pointer, const Registry& registry,
                         const Migrations& migrations, Completeness completeness = Completeness::whole);

}  // namespace tl::json
