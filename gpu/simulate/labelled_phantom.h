// Labelled phantoms: bodies in a cylinder whose classes are known at every point.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/grid.h"

namespace tl::ops {

// Which bodies a phantom consists of.
enum class LabelledSceneKind {
  foam,                 // balls of many sizes in a cylinder, without contact
  strands_and_spheres,  // mostly upright rods and larger balls
  circles_and_squares,  // upright round and square rods of equal cross section
};

struct LabelledPhantomSpec {
  LabelledSceneKind scene = LabelledSceneKind::foam;
  VolumeGrid whole;      // the upright cylinder is centred in it, and as high
  double size = 0.9;     // radius of the cylinder, as a share of the circle inscribed in a slice
  int64_t bodies = 300;  // upper limit: fewer if there is not enough room
  // For strands_and_spheres: the mean radius of strands, relative to that of the cylinder, and the number of strands
  // per ball.
  double strand = 0.045;
  int64_t strands_per_ball = 3;
  uint64_t seed = 1;
};

// A ball, or an upright or oblique rod through the whole cylinder.
struct LabelledBody {
  enum class Shape { ball, round_rod, square_rod } shape = Shape::ball;
  Vec3 centre;         // in a frame with its origin at the centre of the cylinder and z along its axis [mm]
  double radius = 0;   // for a square rod: half an edge [mm]
  Vec3 axis{0, 0, 1};  // of a rod
  double angle = 0;    // rotation of a square rod about its axis [rad]
  int32_t number = 0;  // of its class
};

// The classes of points: 0 outside the cylinder, 1 in it, 2 and 3 in bodies. A point is tested against nearby bodies
// only, so that any part of a volume has the same numbers as the whole, for any number of threads.
class LabelledPhantom {
 public:
  // Bodies are placed one after the other, at least a voxel and a half apart, so that their voxels do not touch;
  // equal specs give equal phantoms. Errors: invalid for a grid, a size, a radius or a number that is not
  // positive.
  static Result<LabelledPhantom> make(const LabelledPhantomSpec& spec, const CancelToken& cancel = {});

  [[nodiscard]] const std::vector<LabelledBody>& bodies() const { return bodies_; }
  [[nodiscard]] double radius() const { return radius_; }            // of the cylinder [mm]
  [[nodiscard]] double half_height() const { return half_height_; }  // of it [mm]
  // Share of the cylinder inside bodies, computed from their sizes, exact for balls and upright rods.
  [[nodiscard]] double share_of_bodies() const;
  [[nodiscard]] int64_t bytes() const;

  // The class number at a point in the coordinates of the grid [mm].
  [[nodiscard]] int32_t number_at(Vec3 point) const;
  // int32 at the centres of the voxels of any grid.
  [[nodiscard]] at::Tensor labels(const VolumeGrid& grid, const CancelToken& cancel = {}) const;
  // float64: the mean of `values`, by number, over samples^3 points of each voxel.
  [[nodiscard]] at::Tensor means(const VolumeGrid& grid, const std::array<double, 4>& values, int64_t samples,
                                 const CancelToken& cancel = {}) const;

 private:
  LabelledPhantom() = default;
  // The number at a point, and a distance within which it is the same everywhere, at most margin_ in the cylinder.
  struct LabelAtPoint {
    int32_t number;
    double clearance;
  };
  [[nodiscard]] LabelAtPoint label_at(Vec3 point) const;
  void sort_into_cells();
  [[nodiscard]] Vec3 in_frame(Vec3 point) const;
  [[nodiscard]] int64_t cell_along(double at, double half, int64_t cells) const;

  LabelledSceneKind scene_ = LabelledSceneKind::foam;
  Vec3 centre_, along_x_, along_y_, along_z_;  // of the cylinder
  double radius_ = 0, half_height_ = 0;
  std::vector<LabelledBody> bodies_;
  double margin_ = 0;  // boxes also list bodies up to this distance from them [mm]
  // Boxes that cover the cylinder; the bodies of cell c are cell_bodies_[cell_first_[c] .. cell_first_[c + 1]].
  int64_t cells_xy_ = 1, cells_z_ = 1;
  std::vector<int64_t> cell_first_;
  std::vector<int32_t> cell_bodies_;
};

}  // namespace tl::ops
