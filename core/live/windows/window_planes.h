// Window planes: planes of a window's volumes, which are sent to other programs.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/executor.h"

namespace tl {

// Which plane to extract from each volume that an output node uses.
struct PlaneChoice {
  enum class Axes : uint8_t { xy, xz, yz, oblique } axes = Axes::xy;
  std::optional<int64_t> index;  // index along the third axis, from 0; none: the middle one
  // oblique: perpendicular to this unit vector, at this distance [mm] along it from the centre of the volume.
  Vec3 normal = {0, 0, 1};
  double offset = 0;
  std::string text = "xy";  // as it was written

  // "xy", "xz=12", "normal=1,0,1" and "normal=1,0,1,-2.5": x, y, z of the normal and the offset. Invalid: another text.
  static Result<PlaneChoice> parse(std::string_view text);
};

struct NamedPlane {
  std::string name;  // "fbp.volume", further ones "fbp.volume 2"; for a chosen plane "fbp.volume xz=12"
  // [row, col], float32, on the CPU; rows along z or y, columns along x or y, from index 0. Of an oblique plane: rows
  // towards larger z, or y if it has no z; columns towards larger x, or y.
  at::Tensor values;
};

// The middle slice of a volume or of labels that an output node uses: of the whole volume, or of the slices that it
// reads.
struct TakenPlane {
  OutputId output;
  VolumeGrid grid;
  at::Tensor values;  // as NamedPlane::values
};
std::optional<TakenPlane> middle_plane(OutputId output, const Value& value);  // nothing of other values

// Each plane once, even if several nodes use it.
std::vector<NamedPlane> named_planes(const std::vector<TakenPlane>& taken);

// The chosen planes of the volumes that output nodes use; only these planes are computed. Errors: those of nodes;
// invalid for an index outside a volume.
Result<std::vector<NamedPlane>> chosen_planes(Executor& executor, const Graph& graph,
                                              const std::vector<PlaneChoice>& choices,
                                              const std::vector<TakenPlane>& taken);

}  // namespace tl
