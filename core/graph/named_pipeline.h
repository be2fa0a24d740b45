// Pipelines as a user names them: a file, or a bundled pipeline.
#pragma once

#include <string>

#include "core/graph/graph.h"

namespace tl {

// The pipeline in a file, or a bundled pipeline by its name. Errors: io, with the nearest name.
Result<Graph> pipeline_or_template(const std::string& name, const Registry& registry);

}  // namespace tl
