// ResultCache: computed regions of outputs in the executor's caches; results and pictures are kept apart.
#pragma once

#include <optional>
#include <string>

#include "core/run/session/evaluation.h"
#include "core/run/session/resolved.h"
#include "core/run/session/session_context.h"

namespace tl {

// A volume made for a picture may have been computed in half precision, its inputs never. A cached result also serves a
// picture, but not the reverse.
class ResultCache {
 public:
  explicit ResultCache(const SessionContext& context) : context_(context) {}
  // On the device that the node runs on.
  [[nodiscard]] std::optional<Value> find(const Resolved& r, const std::string& port, const Region& region) const;
  void put(const Resolved& r, const Request& request, const Value& value);

 private:
  [[nodiscard]] Hash key(const Resolved& r, const std::string& port, Purpose purpose) const;
  [[nodiscard]] Purpose purpose_of(const Region& region) const;

  const SessionContext& context_;
};

}  // namespace tl
