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
  foam,                 // balls of many sizes in a cylinder, none touches another
  strands_and_spheres,  // mostly upright rods and larger balls
  circles_and_squares,  // upright round and square rods of equal cross section
};

struct LabelledPhantomSpec {
  LabelledSceneKind scene = LabelledSceneKind::foam;
  VolumeGrid whole;      // the upright cylinder is about its centre, and as high as it
  double size = 0.9;     // radius of the cylinder, as a share of the circle inscribed in a slice
  int64_t bodies = 300;  // at most: fewer if there is no room for more
  // Of strands_and_spheres: the mean radius of strands, as a share of that of the cylinder, and how many there are to
  // each ball.
  double strand = 0.045;
  int64_t strands_per_ball = 3;
  uint64_t seed = 1;
};

// A ball, or an upright or oblique rod through the whole cylinder.
struct LabelledBody {
  enum class Shape { ball, round_rod, square_rod } shape = Shape::ball;
  Vec3 centre;         // of the frame whose origin is the middle of the cylinder, with z along its axis [mm]
  double radius = 0;   // of a square: half an edge [mm]
  Vec3 axis{0, 0, 1};  // of a rod
  double angle = 0;    // of a square about its axis [rad]
  int32_t number = 0;  // of its class
};

// The classes of points: 0 outside the cylinder, 1 in it, 2 and 3 in bodies. A point is tested against the bodies near
// it, so that any part of a volume has the same numbers as the whole, on any number of threads.
class LabelledPhantom {
 public:
  // Bodies are placed one after the other, a voxel and a half apart, so that they are apart as voxels too; equal specs
  // give equal ones. Errors: invalid for a grid, a size, a radius
  // or a number that is not positive.
  static Result<LabelledPhantom> make(const LabelledPhantomSpec& spec, const CancelToken& cancel = {});

  [[nodiscard]] const std::vector<LabelledBody>& bodies() const { return bodies_; }
  [[nodiscard]] double radius() const { return radius_; }            // of the cylinder [mm]
  [[nodiscard]] double half_height() const { return half_height_; }  // of it [mm]
  // Share of the cylinder within bodies, from their sizes, exact for balls and upright rods.
  [[nodiscard]] double share_of_bodies() const;
  [[nodiscard]] int64_t bytes() const;

  // The number at a point of the same space as the grid [mm].
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
  double margin_ = 0;  // boxes list also the bodies up to this far from them [mm]
  // Boxes around the cylinder; those of cell c are cell_bodies_[cell_first_[c] .. cell_first_[c + 1]].
  int64_t cells_xy_ = 1, cells_z_ = 1;
  std::vector<int64_t> cell_first_;
  std::vector<int32_t> cell_bodies_;
};

}  // namespace tl::ops
