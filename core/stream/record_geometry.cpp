// Writes the source and detector positions that a sender announced.
#include "core/stream/record_geometry.h"

#include <cmath>
#include <string>

#include "core/base/vec3.h"
#include "core/io/hdf5/nxtomo_file.h"

namespace tl::stream {
namespace {

constexpr std::size_t numbers_of_view = 12;  // source or ray, detector, u, v

Vec3 vector_at(std::span<const double> all, std::size_t view, std::size_t which) {
  const double* p = all.data() + numbers_of_view * view + 3 * which;
  return {p[0], p[1], p[2]};
}

// Approximate lengths, which the vectors give exactly.
StreamGeometry with_lengths(const StreamGeometry& given) {
  StreamGeometry g = given;
  if (g.vectors.size() < numbers_of_view) return g;
  g.pitch_u = norm(vector_at(g.vectors, 0, 2));
  g.pitch_v = norm(vector_at(g.vectors, 0, 3));
  if (g.beam == Beam::parallel) return g;
  g.source_to_axis = norm(vector_at(g.vectors, 0, 0));
  g.axis_to_detector = norm(vector_at(g.vectors, 0, 1));
  return g;
}

}  // namespace

void write_stream_geometry(const StreamGeometry& announced, io::NexusGroups& file) {
  const StreamGeometry g = with_lengths(announced);
  const std::string source = "/entry/instrument/source", detector = io::nxtomo_detector;
  if (g.pitch_u && *g.pitch_u > 0) file.number(detector + "/x_pixel_size", *g.pitch_u, "mm");
  if (g.pitch_v && *g.pitch_v > 0) file.number(detector + "/y_pixel_size", *g.pitch_v, "mm");
  if (g.axis_to_detector) file.number(detector + "/distance", *g.axis_to_detector, "mm");
  if (g.beam == Beam::cone && g.source_to_axis) {
    file.text(source + "/type", "Fixed Tube X-ray");
    file.number(source + "/distance", -*g.source_to_axis, "mm");  // upstream of the sample
  }
  if (g.vectors.empty()) return;
  file.numbers(record::stream_vectors, H5T_NATIVE_DOUBLE, g.vectors, "mm");
  file.number(record::stream_beam, g.beam == Beam::cone ? 1 : 0, "");
}

std::vector<double> view_positions(std::span<const double> astra_vectors, Beam beam, std::span<const int64_t> numbers) {
  const std::size_t count = astra_vectors.size() / numbers_of_view;
  std::vector<double> all;
  if (count == 0) return all;
  for (const int64_t number : numbers) {
    const std::size_t view = static_cast<std::size_t>(number) % count;
    // The first row is the lowest in ASTRA and the highest here: z changes its sign. Vectors of a circular scan then
    // agree with its angles, which are used unchanged.
    const auto with_z_up = [&](std::size_t which) {
      const Vec3 p = vector_at(astra_vectors, view, which);
      return Vec3{p.x, p.y, -p.z};
    };
    Vec3 ray = with_z_up(0);
    const Vec3 detector = with_z_up(1), u = with_z_up(2), row = with_z_up(3), v = {-row.x, -row.y, -row.z};
    // A parallel ray has no sense of direction in ASTRA; ours is chosen so that columns go to the right.
    if (beam == Beam::parallel && dot(ray, cross(u, v)) > 0) ray = {-ray.x, -ray.y, -ray.z};
    for (const Vec3& p : {ray, detector, u, v}) all.insert(all.end(), {p.x, p.y, p.z});
  }
  return all;
}

std::vector<double> angles_of_vectors(std::span<const double> astra_vectors) {
  constexpr double full_turn = 360, degrees_per_rad = 57.29577951308232;
  std::vector<double> angles;
  for (std::size_t view = 0; view < astra_vectors.size() / numbers_of_view; ++view) {
    const Vec3 u = vector_at(astra_vectors, view, 2);
    double angle = std::atan2(u.y, u.x) * degrees_per_rad;
    if (!angles.empty()) angle += full_turn * std::round((angles.back() - angle) / full_turn);
    angles.push_back(angle);
  }
  return angles;
}

}  // namespace tl::stream
