// Deep copies of solver states, which share no memory with the solver: used to save a run in the middle.
#pragma once

#include <ATen/ATen.h>

#include "gpu/solve/cgls.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/em.h"
#include "gpu/solve/fista_tv.h"
#include "gpu/solve/sirt.h"

namespace tl::verify {

using solve::CglsState;
using solve::ChambollePockState;
using solve::EmState;
using solve::FistaState;
using solve::SirtState;

inline SirtState deep_copy(const SirtState& s) { return {s.x.clone(), s.iteration}; }
inline EmState deep_copy(const EmState& s) { return {s.x.clone(), s.iteration}; }
inline CglsState deep_copy(const CglsState& s) {
  return {s.x.clone(), s.residual.clone(), s.direction.clone(), s.gamma.clone(), s.iteration};
}
inline ChambollePockState deep_copy(const ChambollePockState& s) {
  return {s.x.clone(), s.x_bar.clone(), s.ax.clone(), s.ax_bar.clone(), s.p.clone(),
          s.q.clone(), s.norm,          s.iteration,  s.filtered_norm};
}
inline FistaState deep_copy(const FistaState& s) {
  return {s.x.clone(), s.x_before.clone(), s.ax.clone(), s.ax_before.clone(), s.dual.clone(), s.t, s.momentum,
          s.norm,      s.objective,        s.rejected,   s.iteration};
}

}  // namespace tl::verify
