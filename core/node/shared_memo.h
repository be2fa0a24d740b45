// Memos that are keyed by their content, so that a node finds them again after its other parameters have changed.
#pragma once

#include "core/node/node_run.h"
#include "core/values/hash.h"

namespace tl {

// Prefix of memo names that the host keys without the node.
inline constexpr std::string_view shared_memo_mark = "shared ";

// Prefix of those that also outlast the inputs of the node (Executor::give()), as long as they are used.
inline constexpr std::string_view view_memo_mark = "shared view ";

// As NodeRun::memo, for an object that depends on `content` alone: a digest of everything that goes into it, pixels
// included.
template <class T>
std::shared_ptr<T> shared_memo(NodeRun& r, const Hash& content, int64_t bytes,
                               const std::function<std::shared_ptr<T>()>& make) {
  return r.memo<T>(std::string(shared_memo_mark) + content.text(), bytes, make);
}

// The same if it is kept, else null: a node that would have to ask for inputs to make it can do without them.
template <class T>
std::shared_ptr<T> kept_shared_memo(NodeRun& r, const Hash& content) {
  return std::static_pointer_cast<T>(r.host().kept_memo(std::string(shared_memo_mark) + content.text()));
}

// What a node makes of one view by itself, or of flats and darks, for the windows of a stream that have them: `content`
// is a digest of all that it follows from. Dropped when no window in succession asks for it, or the budget requires it.
template <class T>
std::shared_ptr<T> view_memo(NodeRun& r, const Hash& content, int64_t bytes,
                             const std::function<std::shared_ptr<T>()>& make) {
  return r.memo<T>(std::string(view_memo_mark) + content.text(), bytes, make);
}
// The same if it is kept, else null.
template <class T>
std::shared_ptr<T> kept_view_memo(NodeRun& r, const Hash& content) {
  return std::static_pointer_cast<T>(r.host().kept_memo(std::string(view_memo_mark) + content.text()));
}

}  // namespace tl
