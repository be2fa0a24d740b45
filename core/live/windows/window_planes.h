// Window planes: planes of the volumes of a window, for programs that are sent them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/executor.h"

namespace tl {

// A plane of each volume that an output node takes.
struct PlaneChoice {
  enum class Axes : uint8_t { xy, xz, yz, oblique } axes = Axes::xy;
  std::optional<int64_t> index;  // along the third axis, from 0; without it the middle one
  // oblique: perpendicular to this unit vector, so far from the centre of the volume along it [mm].
  Vec3 normal = {0, 0, 1};
  double offset = 0;
  std::string text = "xy";  // as it was written

  // "xy", "xz=12", "normal=1,0,1" and "normal=1,0,1,-2.5": x, y, z of the normal and the offset. Invalid: another text.
  static Result<PlaneChoice> parse(std::string_view text);
};

struct NamedPlane {
  std::string name;  // "fbp.volume", further ones "fbp.volume 2"; of a chosen plane "fbp.volume xz=12"
  // [row, col], float32, on the CPU; rows along z or y, columns along x or y, from index 0. Of an oblique plane: rows
  // towards larger z, or y if it has no z; columns towards larger x, or y.
  at::Tensor values;
};

// The middle slice of what an output node takes of a volume or of labels: all of it, or the slices that it reads.
struct TakenPlane {
  OutputId output;
  VolumeGrid grid;
  at::Tensor values;  // as NamedPlane::values
};
std::optional<TakenPlane> middle_plane(OutputId output, const Value& value);  // nothing of other values

// Each plane once, although several nodes may take it.
std::vector<NamedPlane> named_planes(const std::vector<TakenPlane>& taken);

// The chosen planes of the volumes that were taken; those planes alone are computed. Errors: those of nodes; invalid
// for an index that a volume does not have.
Result<std::vector<NamedPlane>> chosen_planes(Executor& executor, const Graph& graph,
                                              const std::vector<PlaneChoice>& choices,
                                              const std::vector<TakenPlane>& taken);

}  // namespace tl
