// ResultCache: computed regions of outputs in the executor's caches, by the node's key, port, number type and device.
#pragma once

#include <optional>
#include <string>

#include "core/run/session/evaluation.h"
#include "core/run/session/resolved.h"
#include "core/run/session/session_context.h"

namespace tl {

class ResultCache {
 public:
  explicit ResultCache(const SessionContext& context) : context_(context) {}
  // Searches in the cache of the node's device.
  [[nodiscard]] std::optional<Value> find(const ResolvedNode& r, const std::string& port, const Region& region) const;
  void put(const ResolvedNode& r, const RegionRequest& request, const Value& value);

 private:
  [[nodiscard]] Hash key(const ResolvedNode& r, const std::string& port) const;

  const SessionContext& context_;
};

}  // namespace tl
