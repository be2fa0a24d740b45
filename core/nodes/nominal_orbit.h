// Refuses scans whose views deviate from a nominal orbit, for methods that compare views or rows without correcting
// them.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl {

// `who` is the subject of the sentence: "this method". The message names the deviation.
inline Result<void> require_nominal(const Orbit& orbit, const std::string& who, const std::string& hint) {
  std::string deviations;
  const auto add = [&](bool has, const char* name) {
    if (has) deviations += (deviations.empty() ? "" : ", ") + std::string(name);
  };
  add(!orbit.roll.empty(), "views that roll");
  add(!orbit.magnification.empty(), "magnified views");
  add(orbit.yaw != 0, "a yaw of the detector");
  add(orbit.pitch != 0, "a pitch of the detector");
  if (deviations.empty()) return ok();
  return invalid(who + " is not for scans with " + deviations, "projections", hint);
}

}  // namespace tl
