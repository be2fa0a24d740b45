// Which parameter of a node names the data that it reads.
#pragma once

#include "core/node/node_type.h"

namespace tl {

// Of a node without inputs: its first input file that cannot be left out; others add to it (angles in a text file,
// labels instead of a phantom). nullptr: it reads no file, or has inputs.
const ParamDecl* data_file_of(const NodeType& type);

}  // namespace tl
