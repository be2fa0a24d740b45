// The phase case study: delta and beta of a hollow box of calcium carbonate by the bundled pipelines, from a simulated
// scan (R. Schoonhoven, "On the optimization of imaging pipelines", 2024, chapter 3; acceptance A3).
#pragma once

#include "core/learn/learning.h"
#include "core/learn/phase_box.h"
#include "tests/support/learn/cases.h"

namespace tl::test {

using learn::phase_finding, learn::phase_scan, learn::phase_truth, learn::PhaseBox, learn::PhaseFinding;

inline double phase_ratio() { return phase_truth().delta / phase_truth().beta; }

// The bundled pipeline with its learning settings.
inline LearnCase phase_box_case(const PhaseBox& s) {
  LearnCase c;
  c.graph = learn::phase_pipeline(s, registry());
  c.settings = learn::settings_of(c.graph).or_throw();
  return c;
}

}  // namespace tl::test
