// The choice of the beam: parallel or cone, and where a scan already has one, to leave it.
#pragma once

#include <optional>

#include "core/base/geometry.h"
#include "core/node/node_builder.h"

namespace tl {

// Those of Beam; after `first`, if any.
inline std::vector<Choice> beam_choices(std::vector<Choice> first = {}) {
  first.insert(first.end(), {{"parallel", "Parallel"}, {"cone", "Cone"}});
  return first;
}

// For beam_choices() after one that leaves the beam of the scan.
enum class BeamChoice { unchanged, parallel, cone };
inline std::optional<Beam> chosen_beam(BeamChoice choice) {
  if (choice == BeamChoice::unchanged) return std::nullopt;
  return choice == BeamChoice::cone ? Beam::cone : Beam::parallel;
}

}  // namespace tl
