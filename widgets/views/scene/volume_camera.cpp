// VolumeCamera: places the camera of the 3D view, projects points of the volume into its image (pinhole), and finds
// and drags the handles of the clipping box.
#include "widgets/views/scene/volume_camera.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"

namespace tl::ui {
namespace {

constexpr double reach = 12;        // px
constexpr double min_apart = 0.01;  // fraction of the edge
constexpr std::size_t faces = 6;

double component(Vec3 v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
Vec3 along_axis(std::size_t axis, double length) {
  return {axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
}

}  // namespace

VolumeCamera VolumeCamera::of(const VolumeScene& scene, Vec3 edges) {
  VolumeCamera camera;
  const double half_angle = 0.5 * view_angle * pi / 180;
  Vec3 middle, part;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = scene.subject.at(2 * axis), high = scene.subject.at(2 * axis + 1);
    middle = middle + along_axis(axis, (0.5 * (low + high) - 0.5) * component(edges, axis));
    part = part + along_axis(axis, (high - low) * component(edges, axis));
  }
  // If the image is higher than wide, its width determines the zoom.
  const double narrow =
      scene.size.isEmpty() ? 1 : std::max(1.0, scene.size.height() / static_cast<double>(scene.size.width()));
  camera.distance = 0.5 * norm(part) / std::sin(half_angle) / scene.zoom * narrow;
  const Vec3 out{std::cos(scene.rise) * std::sin(scene.turn), -std::cos(scene.rise) * std::cos(scene.turn),
                 std::sin(scene.rise)};
  camera.right = {std::cos(scene.turn), std::sin(scene.turn), 0};
  camera.up = cross(out, camera.right);
  const double tall = 2 * camera.distance * std::tan(half_angle);
  camera.focus = middle + (-tall * scene.shift_x) * camera.right + (tall * scene.shift_y) * camera.up;
  camera.eye = camera.focus + camera.distance * out;
  return camera;
}

double VolumeCamera::pixels_per_length(double picture_height) const {
  return 0.5 * picture_height / std::tan(0.5 * view_angle * pi / 180) / distance;
}

QPointF VolumeCamera::project(Vec3 point, QSizeF picture) const {
  const Vec3 from = point - eye, forwards = (1 / distance) * (focus - eye);
  const double depth = std::max(dot(from, forwards), 1e-9 * distance);
  const double scale = 0.5 * picture.height() / std::tan(0.5 * view_angle * pi / 180) / depth;
  return {0.5 * picture.width() + scale * dot(from, right), 0.5 * picture.height() - scale * dot(from, up)};
}

Vec3 ClipHandles::middle(std::size_t face) const {
  Vec3 at;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = clip.at(2 * axis), high = clip.at(2 * axis + 1);
    const double where = axis == face / 2 ? clip.at(face) : 0.5 * (low + high);
    at = at + along_axis(axis, (where - 0.5) * component(edges, axis));
  }
  return at;
}

QPointF ClipHandles::handle_position(std::size_t face, QSizeF picture) const {
  return camera.project(middle(face), picture);
}

std::size_t ClipHandles::at(QPointF point, QSizeF picture) const {
  std::size_t found = faces;
  double nearest = 0;
  for (std::size_t face = 0; face < faces; ++face) {
    const QPointF off = handle_position(face, picture) - point;
    const double depth = norm(middle(face) - camera.eye);
    if (std::hypot(off.x(), off.y()) > reach || (found != faces && depth >= nearest)) continue;
    found = face;
    nearest = depth;
  }
  return found;
}

std::array<double, 6> ClipHandles::dragged(std::size_t face, QPointF move, QSizeF picture) const {
  constexpr double small = 1e-3;
  const std::size_t axis = face / 2;
  const Vec3 at = middle(face), step = along_axis(axis, small * component(edges, axis));
  const QPointF per_part = (camera.project(at + step, picture) - camera.project(at, picture)) / small;
  const double length = QPointF::dotProduct(per_part, per_part);
  std::array<double, 6> next = clip;
  // An axis that points at the camera has no direction in the image.
  if (length < 1) return next;
  const double wanted = clip.at(face) + QPointF::dotProduct(move, per_part) / length;
  next.at(face) = face % 2 == 0 ? std::clamp(wanted, 0.0, clip.at(face + 1) - min_apart)
                                : std::clamp(wanted, clip.at(face - 1) + min_apart, 1.0);
  return next;
}

}  // namespace tl::ui
