// Finds the parameter with the path of the data that a node reads.
#include "core/node/data_file.h"

#include <algorithm>

namespace tl {

const ParamDecl* data_file_of(const NodeType& type) {
  if (!type.inputs.empty()) return nullptr;
  const auto file = std::find_if(type.params.begin(), type.params.end(),
                                 [](const ParamDecl& p) { return p.path == PathRole::input && p.automatic.empty(); });
  return file == type.params.end() ? nullptr : &*file;
}

}  // namespace tl
