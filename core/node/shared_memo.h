// Memos with content keys, so that a node finds them again after its other parameters have changed.
#pragma once

#include "core/node/node_run.h"
#include "core/values/hash.h"

namespace tl {

// Prefix of memo names that the host keys without the node.
inline constexpr std::string_view shared_memo_mark = "shared ";

// Prefix of memos that are also kept when the node's inputs change (Executor::give()), as long as they are used.
inline constexpr std::string_view view_memo_mark = "shared view ";

// Like NodeRun::memo, for an object that depends only on `content`: a digest of all its sources, pixels
// included.
template <class T>
std::shared_ptr<T> shared_memo(NodeRun& r, const Hash& content, int64_t bytes,
                               const std::function<std::shared_ptr<T>()>& make) {
  return r.memo<T>(std::string(shared_memo_mark) + content.text(), bytes, make);
}

// The memo if it is cached, else null: a node that would have to request inputs to make it can do without it.
template <class T>
std::shared_ptr<T> kept_shared_memo(NodeRun& r, const Hash& content) {
  return std::static_pointer_cast<T>(r.host().kept_memo(std::string(shared_memo_mark) + content.text()));
}

// A node's result for a single view, or for flats and darks, shared by all windows of a stream that contain them:
// `content` is a digest of everything on which it depends. Dropped when a window does not request it, or if the budget
// requires it.
template <class T>
std::shared_ptr<T> view_memo(NodeRun& r, const Hash& content, int64_t bytes,
                             const std::function<std::shared_ptr<T>()>& make) {
  return r.memo<T>(std::string(view_memo_mark) + content.text(), bytes, make);
}
// That result if it is cached, else null.
template <class T>
std::shared_ptr<T> kept_view_memo(NodeRun& r, const Hash& content) {
  return std::static_pointer_cast<T>(r.host().kept_memo(std::string(view_memo_mark) + content.text()));
}

}  // namespace tl
