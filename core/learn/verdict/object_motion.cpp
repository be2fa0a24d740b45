// Finds the directions of the unknowns that only move the whole object, as shifts of views.
#include "core/learn/verdict/object_motion.h"

#include <cmath>

#include "core/learn/descent/symmetric.h"
#include "gpu/alignment/views/view_motion.h"

namespace tl::learn {
namespace {

// Adds the direction to the orthonormal ones, unless they hold it already.
void add_orthonormal(std::vector<Vector>& to, Vector direction) {
  for (const Vector& other : to) {
    const double along = dot(direction, other);
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= along * other[i];
  }
  const double size = length(direction);
  if (size < 1e-9 * std::sqrt(static_cast<double>(direction.size()))) return;
  for (double& x : direction) x /= size;
  to.push_back(std::move(direction));
}

}  // namespace

Result<std::vector<Vector>> object_motions(Problem& problem) {
  std::vector<Vector> motions;
  std::vector<const ParameterBlock*> lists;
  std::vector<ops::ViewChange> kinds;
  for (const ParameterBlock& b : problem.parameter_blocks())
    for (const ops::ViewChange kind : {ops::ViewChange::shift_u, ops::ViewChange::shift_v})
      if (b.decl->per_view && b.target.name == ops::to_string(kind)) {
        lists.push_back(&b);
        kinds.push_back(kind);
      }
  if (lists.empty()) return motions;
  TL_TRY(const std::vector<Value>* data, problem.data());
  const Projections* scan = nullptr;
  for (const Value& value : *data)
    if (const auto* p = std::get_if<Projections>(&value); p != nullptr && scan == nullptr) scan = p;
  if (scan == nullptr) return motions;
  const auto views = static_cast<std::size_t>(scan->geometry.views());
  for (const ParameterBlock* b : lists)
    if (b->size != views) return motions;
  for (const std::vector<double>& shifts : ops::object_motions(scan->geometry, kinds)) {
    Vector direction(problem.size(), 0.0);
    for (std::size_t k = 0; k < lists.size(); ++k)
      for (std::size_t i = 0; i < views; ++i)
        direction[lists[k]->offset + i] = shifts[i * kinds.size() + k] / lists[k]->step;
    add_orthonormal(motions, std::move(direction));
  }
  return motions;
}

}  // namespace tl::learn
