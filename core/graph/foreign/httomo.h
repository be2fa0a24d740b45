// Shared by reading and writing HTTomo files. Internal to core/graph/foreign.
#pragma once

#include <string>

#include "core/graph/foreign/chain.h"
#include "core/graph/foreign/httomo_methods.h"
#include "core/graph/json_document.h"

namespace tl::foreign {

Result<ReadPipeline> read_httomo(std::string_view text, const std::string& file, const Registry& registry,
                                 const ScanFacts& facts);
Result<WrittenPipeline> write_httomo(const Graph& graph, const Registry& registry, const ScanFacts& facts);

}  // namespace tl::foreign
