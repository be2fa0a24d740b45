// PlanningContext: the basis of plans: the nodes of a session, its stored results, the remaining memory.
#pragma once

#include "core/run/common/plan.h"
#include "core/run/common/stored_results.h"
#include "core/run/session/resolver.h"
#include "core/run/session/session_context.h"

namespace tl {

struct PlanningContext {
  SessionContext& session;
  Resolver& resolver;
  const StoredResults& stored;

  // Bytes that blocks may use at present.
  [[nodiscard]] Memory budget() const {
    return {session.options().memory - stored.resident_bytes(), session.options().gpu_memory};
  }
};

}  // namespace tl
