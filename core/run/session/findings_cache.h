// FindingsCache: values found by measuring and reducing nodes, in this session and in earlier ones.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/run/session/resolved.h"
#include "core/run/session/session_context.h"

namespace tl {

// Findings that depend on a parameter from outside are not cached.
class FindingsCache {
 public:
  explicit FindingsCache(const SessionContext& context) : context_(context) {}
  [[nodiscard]] std::optional<Findings> find(const std::string& node, const ResolvedNode& r) const;
  // Stores findings for this session and later ones.
  void put(const std::string& node, const ResolvedNode& r, const Findings& findings);
  // Stores findings for this session only; later ones reduce again.
  void put_in_session(const std::string& node, const Findings& findings) { reduced_[node] = findings; }

 private:
  [[nodiscard]] bool lasts(const std::string& node, const ResolvedNode& r) const;
  [[nodiscard]] Hash key(const std::string& node, const ResolvedNode& r) const;

  const SessionContext& context_;
  std::map<std::string, Findings> reduced_;
};

}  // namespace tl
