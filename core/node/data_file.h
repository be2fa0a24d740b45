// Which parameter of a node is the path of the data that it reads.
#pragma once

#include "core/node/node_type.h"

namespace tl {

// For a node without inputs: its first required input file; further files add to it (angles in a text file, labels
// instead of a phantom). nullptr: it reads no file, or has inputs.
const ParamDecl* data_file_of(const NodeType& type);

}  // namespace tl
