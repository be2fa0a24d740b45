// Finds the directions of the unknowns that only move the whole object, as shifts of views.
#include "core/learn/verdict/object_motion.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/learn/descent/symmetric.h"

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
  const auto& blocks = problem.parameter_blocks();
  const auto are_shifts = [](const ParameterBlock& b) {
    return b.decl->per_view && (b.target.name == "shift_u" || b.target.name == "shift_v");
  };
  if (std::none_of(blocks.begin(), blocks.end(), are_shifts)) return motions;
  TL_TRY(const std::vector<Value>* data, problem.data());
  const Projections* scan = nullptr;
  for (const Value& value : *data)
    if (const auto* p = std::get_if<Projections>(&value); p != nullptr && scan == nullptr) scan = p;
  const auto orbit = scan != nullptr ? scan->geometry.orbit() : std::nullopt;
  if (!orbit || !orbit->is_nominal() || !scan->geometry.is_parallel() || orbit->lamino != 0) return motions;
  for (const ParameterBlock& b : blocks) {
    if (!are_shifts(b) || b.size != orbit->angles.size()) continue;
    const auto add = [&](const std::function<double(double)>& shift) {
      Vector direction(problem.size(), 0.0);
      for (std::size_t i = 0; i < b.size; ++i) direction[b.offset + i] = shift(orbit->angles[i]);
      add_orthonormal(motions, std::move(direction));
    };
    if (b.target.name == "shift_v") {
      add([](double) { return 1.0; });
    } else {
      add([](double t) { return std::cos(t); });
      add([](double t) { return std::sin(t); });
    }
  }
  return motions;
}

}  // namespace tl::learn
