// Memos that nodes find again by what they were made from, whatever the node's other parameters are by now.
#pragma once

#include "core/node/node_run.h"
#include "core/values/hash.h"

namespace tl {

// The host keeps memos of such names apart from the nodes that made them.
inline constexpr std::string_view shared_memo_mark = "shared ";

// As NodeRun::memo, for an object that follows from `content` alone: a digest of all that goes into it, pixels
// included.
template <class T>
std::shared_ptr<T> shared_memo(NodeRun& r, const Hash& content, int64_t bytes,
                               const std::function<std::shared_ptr<T>()>& make) {
  return r.memo<T>(std::string(shared_memo_mark) + content.text(), bytes, make);
}

}  // namespace tl
