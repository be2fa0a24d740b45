// A source node for tests: the analytic absorption of a phantom, so that pipelines run without a file.
#pragma once

#include "core/node/registry.h"

namespace tl::test {

// "test.phantom": parameters views, rows, cols, range [deg], axis [px], beam ("parallel", "cone").
NodeType phantom_source();
// "test.per_view": hands views on, but needs whole views, as phase retrieval does.
NodeType per_view_filter();
// "test.throws": throws what its parameter says ("bad_alloc", "torch", "std", "failure").
NodeType thrower();
// All nodes of the program and those above.
const Registry& registry();

}  // namespace tl::test
