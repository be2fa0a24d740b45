// Places bodies one after the other, and finds bodies near a point by boxes that list them.
#include "gpu/simulate/labelled_phantom.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/base/random.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t trials_of_body = 30, failures_before_end = 40;
constexpr int64_t updates_of_point = 30;  // rough value, for the work per thread
// All relative to the radius of the cylinder.
constexpr double largest_bubble = 0.2, smallest_bubble = 0.015, thinnest_wall = 0.004;
constexpr double sphere_low = 0.1, sphere_high = 0.16;
constexpr double circle_low = 0.05, circle_high = 0.09;
constexpr double lean = 0.12;  // standard deviation of the slope of a strand

// Random numbers that depend only on the seed: each call returns the next of its sequence.
class PhantomDraws {
 public:
  explicit PhantomDraws(uint64_t seed) : numbers_{seed, 0} {}
  double between(double low, double high) { return low + (high - low) * numbers_.uniform(next_++); }
  double normal() { return numbers_.normal(next_++); }
  // Evenly in a disc.
  Vec3 in_disc(double radius, double z) {
    const double rho = radius * std::sqrt(between(0, 1)), angle = between(0, 2 * std::numbers::pi);
    return {rho * std::cos(angle), rho * std::sin(angle), z};
  }

 private:
  Philox numbers_;
  uint64_t next_ = uint64_t{1} << 40;  // apart from those of noise
};

// Distance from the axis of the rod, a line through the cylinder.
double distance_from_line(Vec3 point, const LabelledBody& rod) { return norm(cross(point - rod.centre, rod.axis)); }

double distance_of_lines(const LabelledBody& a, const LabelledBody& b) {
  const Vec3 across = cross(a.axis, b.axis), between = b.centre - a.centre;
  const double sine = norm(across);
  return sine < 1e-9 ? norm(cross(between, a.axis)) : std::abs(dot(between, across)) / sine;
}

// The radius of the smallest ball or round rod that contains a body.
double radius_around(const LabelledBody& b) {
  return b.shape == LabelledBody::Shape::square_rod ? b.radius * std::numbers::sqrt2 : b.radius;
}

double gap_between(const LabelledBody& a, const LabelledBody& b) {
  const bool ball_a = a.shape == LabelledBody::Shape::ball, ball_b = b.shape == LabelledBody::Shape::ball;
  double apart = 0;
  if (ball_a && ball_b)
    apart = norm(a.centre - b.centre);
  else if (ball_a || ball_b)
    apart = distance_from_line(ball_a ? a.centre : b.centre, ball_a ? b : a);
  else
    apart = distance_of_lines(a, b);
  return apart - radius_around(a) - radius_around(b);
}

double min_gap(const LabelledBody& body, const std::vector<LabelledBody>& others) {
  double least = std::numeric_limits<double>::infinity();
  for (const LabelledBody& o : others) least = std::min(least, gap_between(body, o));
  return least;
}

// [voxel edges] no voxel of a body shares a face with a voxel of another body, or with one at the surface.
constexpr double voxels_apart = 1.5;

// The cylinder, and how far bodies are apart and from its surface.
struct Room {
  double radius, half_height, gap;
};

// The largest ball, of several random centres, that fits between the others.
std::optional<LabelledBody> bubble(PhantomDraws& draws, const Room& room, const std::vector<LabelledBody>& others) {
  LabelledBody best;
  best.number = 2;
  for (int64_t i = 0; i < trials_of_body; ++i) {
    LabelledBody tried = best;
    tried.centre = draws.in_disc(room.radius, draws.between(-room.half_height, room.half_height));
    tried.radius = 0;
    const double to_side = room.radius - std::hypot(tried.centre.x, tried.centre.y);
    const double to_end = room.half_height - std::abs(tried.centre.z);
    tried.radius =
        std::min({largest_bubble * room.radius, std::min({to_side, to_end, min_gap(tried, others)}) - room.gap});
    if (tried.radius > best.radius) best = tried;
  }
  return best.radius >= smallest_bubble * room.radius ? std::optional(best) : std::nullopt;
}

// A body at a random position inside the cylinder where it touches no other body.
template <class Make>
std::optional<LabelledBody> placed(const Room& room, const std::vector<LabelledBody>& others, const Make& make) {
  for (int64_t i = 0; i < trials_of_body; ++i) {
    const LabelledBody tried = make();
    const auto side_at = [&](double z) {
      const double along = tried.axis.z > 0 ? (z - tried.centre.z) / tried.axis.z : 0;
      return std::hypot(tried.centre.x + along * tried.axis.x, tried.centre.y + along * tried.axis.y);
    };
    const bool ball = tried.shape == LabelledBody::Shape::ball;
    const double side =
        ball ? side_at(tried.centre.z) : std::max(side_at(room.half_height), side_at(-room.half_height));
    if (side + radius_around(tried) > room.radius - room.gap) continue;
    if (ball && std::abs(tried.centre.z) + tried.radius > room.half_height - room.gap) continue;
    if (min_gap(tried, others) > room.gap) return tried;
  }
  return std::nullopt;
}

// The radii of balls are two to three times those of strands of the default width.
LabelledBody strand_or_sphere(PhantomDraws& draws, const LabelledPhantomSpec& spec, std::size_t index, double radius,
                              double half_height) {
  LabelledBody b;
  if (index % (static_cast<std::size_t>(spec.strands_per_ball) + 1) == 0) {
    b.radius = std::min(draws.between(sphere_low, sphere_high) * radius, 0.9 * half_height);
    b.centre = draws.in_disc(radius, draws.between(-half_height, half_height));
    b.number = 3;
    return b;
  }
  b.shape = LabelledBody::Shape::round_rod;
  b.radius = draws.between(0.8, 1.2) * spec.strand * radius;
  b.centre = draws.in_disc(radius, 0);
  const Vec3 slope{lean * draws.normal(), lean * draws.normal(), 1};
  b.axis = 1 / norm(slope) * slope;
  b.number = 2;
  return b;
}

LabelledBody circle_or_square(PhantomDraws& draws, std::size_t index, double radius) {
  LabelledBody b;
  const double size = draws.between(circle_low, circle_high) * radius;
  b.centre = draws.in_disc(radius, 0);
  b.angle = draws.between(0, 0.5 * std::numbers::pi);
  const bool square = index % 2 == 1;
  b.shape = square ? LabelledBody::Shape::square_rod : LabelledBody::Shape::round_rod;
  b.radius = square ? 0.5 * std::sqrt(std::numbers::pi) * size : size;  // the same cross section
  b.number = square ? 3 : 2;
  return b;
}

// A lower bound of the distance of a point from the surface of a body; negative inside.
double distance_outside(const LabelledBody& b, Vec3 p) {
  if (b.shape == LabelledBody::Shape::ball) return norm(p - b.centre) - b.radius;
  if (b.shape == LabelledBody::Shape::round_rod) return distance_from_line(p, b) - b.radius;
  const double x = p.x - b.centre.x, y = p.y - b.centre.y, c = std::cos(b.angle), s = std::sin(b.angle);
  return std::max(std::abs(c * x + s * y), std::abs(c * y - s * x)) - b.radius;
}

double half_diagonal(const VolumeGrid& g) { return 0.5 * norm(Vec3{norm(g.step_x), norm(g.step_y), norm(g.step_z)}); }

Vec3 unit_vector(Vec3 v) { return 1 / norm(v) * v; }

}  // namespace

Result<LabelledPhantom> LabelledPhantom::make(const LabelledPhantomSpec& spec, const CancelToken& cancel) {
  const VolumeGrid& g = spec.whole;
  TL_TRY(g.validate());
  if (!(spec.size > 0) || !std::isfinite(spec.size)) return invalid("the size is not positive", "size");
  if (spec.bodies < 1) return invalid("there are no bodies", "bodies");
  if (!(spec.strand > 0) || !std::isfinite(spec.strand)) return invalid("the radius is not positive", "strand");
  if (spec.strands_per_ball < 1) return invalid("there are no strands", "strands_per_ball");
  LabelledPhantom p;
  p.scene_ = spec.scene;
  p.centre_ = g.centre;
  p.along_x_ = unit_vector(g.step_x);
  p.along_y_ = unit_vector(g.step_y);
  p.along_z_ = unit_vector(g.step_z);
  p.radius_ = 0.5 * spec.size *
              std::min(static_cast<double>(g.nx) * norm(g.step_x), static_cast<double>(g.ny) * norm(g.step_y));
  p.half_height_ = 0.5 * static_cast<double>(g.nz) * norm(g.step_z);
  p.margin_ = 1.001 * half_diagonal(g);
  PhantomDraws draws(spec.seed);
  const double r = p.radius_, h = p.half_height_;
  const double edge = std::max({norm(g.step_x), norm(g.step_y), norm(g.step_z)});
  const Room room{r, h, std::max(thinnest_wall * r, voxels_apart * edge)};
  int64_t failures = 0;
  while (static_cast<int64_t>(p.bodies_.size()) < spec.bodies && failures < failures_before_end) {
    cancel.check();
    const std::size_t index = p.bodies_.size() + static_cast<std::size_t>(failures);
    std::optional<LabelledBody> body;
    if (spec.scene == LabelledSceneKind::foam)
      body = bubble(draws, room, p.bodies_);
    else if (spec.scene == LabelledSceneKind::strands_and_spheres)
      body = placed(room, p.bodies_, [&] { return strand_or_sphere(draws, spec, index, r, h); });
    else
      body = placed(room, p.bodies_, [&] { return circle_or_square(draws, index, r); });
    if (body)
      p.bodies_.push_back(*body);
    else
      ++failures;
  }
  p.sort_into_cells();
  return p;
}

double LabelledPhantom::share_of_bodies() const {
  const double section = std::numbers::pi * radius_ * radius_;
  double share = 0;
  for (const LabelledBody& b : bodies_) {
    const double area =
        b.shape == LabelledBody::Shape::square_rod ? 4 * b.radius * b.radius : std::numbers::pi * b.radius * b.radius;
    share += b.shape == LabelledBody::Shape::ball ? 4.0 / 3 * area * b.radius / (section * 2 * half_height_)
                                                  : area / (section * b.axis.z);
  }
  return share;
}

int64_t LabelledPhantom::bytes() const {
  return static_cast<int64_t>(bodies_.size() * sizeof(LabelledBody) + cell_first_.size() * sizeof(int64_t) +
                              cell_bodies_.size() * sizeof(int32_t));
}

int64_t LabelledPhantom::cell_along(double at, double half, int64_t cells) const {
  const double share = (at + half) / (2 * half);
  return std::clamp(static_cast<int64_t>(std::floor(share * static_cast<double>(cells))), int64_t{0}, cells - 1);
}

void LabelledPhantom::sort_into_cells() {
  // Chooses about as many boxes as bodies, so that each box lists few.
  const double each = std::cbrt(static_cast<double>(bodies_.size()) + 1);
  cells_xy_ = std::clamp<int64_t>(static_cast<int64_t>(2 * each), 1, 64);
  cells_z_ = std::clamp<int64_t>(static_cast<int64_t>(2 * each * half_height_ / radius_), 1, 64);
  const std::size_t cells = static_cast<std::size_t>(cells_z_ * cells_xy_ * cells_xy_);
  std::vector<std::vector<int32_t>> lists(cells);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const LabelledBody& b = bodies_[i];
    const bool ball = b.shape == LabelledBody::Shape::ball;
    for (int64_t z = 0; z < cells_z_; ++z) {
      // The part of the body between two heights, a rod with its slope.
      const double edge = 2 * half_height_ / static_cast<double>(cells_z_);
      const double low = -half_height_ + static_cast<double>(z) * edge, high = low + edge;
      const double reach = (radius_around(b) + margin_) / (ball ? 1 : b.axis.z);
      if (ball && (high < b.centre.z - reach || low > b.centre.z + reach)) continue;
      const auto range = [&](double centre, double slope) {
        const double at_low = ball ? centre : centre + slope * (low - b.centre.z),
                     at_high = ball ? centre : centre + slope * (high - b.centre.z);
        return std::pair{cell_along(std::min(at_low, at_high) - reach, radius_, cells_xy_),
                         cell_along(std::max(at_low, at_high) + reach, radius_, cells_xy_)};
      };
      const auto [x0, x1] = range(b.centre.x, b.axis.x / b.axis.z);
      const auto [y0, y1] = range(b.centre.y, b.axis.y / b.axis.z);
      for (int64_t y = y0; y <= y1; ++y)
        for (int64_t x = x0; x <= x1; ++x)
          lists[static_cast<std::size_t>((z * cells_xy_ + y) * cells_xy_ + x)].push_back(static_cast<int32_t>(i));
    }
  }
  cell_first_.assign(1, 0);
  cell_bodies_.clear();
  for (const auto& list : lists) {
    cell_bodies_.insert(cell_bodies_.end(), list.begin(), list.end());
    cell_first_.push_back(static_cast<int64_t>(cell_bodies_.size()));
  }
}

Vec3 LabelledPhantom::in_frame(Vec3 point) const {
  const Vec3 d = point - centre_;
  return {dot(d, along_x_), dot(d, along_y_), dot(d, along_z_)};
}

LabelledPhantom::LabelAtPoint LabelledPhantom::label_at(Vec3 point) const {
  const Vec3 p = in_frame(point);
  const double to_side = radius_ - std::hypot(p.x, p.y), to_end = half_height_ - std::abs(p.z);
  if (to_side <= 0 || to_end < 0) return {0, std::max(-to_side, -to_end)};
  LabelAtPoint found{1, std::min({to_side, to_end, margin_})};
  const int64_t z = cell_along(p.z, half_height_, cells_z_), y = cell_along(p.y, radius_, cells_xy_),
                x = cell_along(p.x, radius_, cells_xy_);
  const auto cell = static_cast<std::size_t>((z * cells_xy_ + y) * cells_xy_ + x);
  for (int64_t i = cell_first_[cell]; i < cell_first_[cell + 1]; ++i) {
    const LabelledBody& b = bodies_[static_cast<std::size_t>(cell_bodies_[static_cast<std::size_t>(i)])];
    const double outside = distance_outside(b, p);
    if (outside < 0) found.number = b.number;
    found.clearance = std::min(found.clearance, std::abs(outside));
  }
  return found;
}

int32_t LabelledPhantom::number_at(Vec3 point) const { return label_at(point).number; }

at::Tensor LabelledPhantom::labels(const VolumeGrid& grid, const CancelToken& cancel) const {
  at::Tensor out = at::empty({grid.nz, grid.ny, grid.nx}, at::kInt);
  auto* const to = out.mutable_data_ptr<int32_t>();
  ops::parallel_for(0, grid.nz * grid.ny, grain(grid.nx * updates_of_point), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      cancel.check();
      const int64_t k = row / grid.ny, j = row % grid.ny;
      for (int64_t i = 0; i < grid.nx; ++i)
        to[row * grid.nx + i] =
            number_at(grid.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)));
    }
  });
  return out;
}

at::Tensor LabelledPhantom::means(const VolumeGrid& grid, const std::array<double, 4>& values, int64_t samples,
                                  const CancelToken& cancel) const {
  at::Tensor out = at::empty({grid.nz, grid.ny, grid.nx}, at::kDouble);
  auto* const to = out.mutable_data_ptr<double>();
  const int64_t points = samples * samples * samples;
  const double reach = half_diagonal(grid);
  const auto offset = [&](int64_t s) { return (static_cast<double>(s) + 0.5) / static_cast<double>(samples) - 0.5; };
  ops::parallel_for(0, grid.nz * grid.ny, grain(grid.nx * updates_of_point * points), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      cancel.check();
      const int64_t slice = row / grid.ny, line = row % grid.ny;
      const auto k = static_cast<double>(slice), j = static_cast<double>(line);
      for (int64_t i = 0; i < grid.nx; ++i) {
        const LabelAtPoint middle = label_at(grid.position(k, j, static_cast<double>(i)));
        if (middle.clearance > reach) {  // the whole voxel belongs to one class
          to[row * grid.nx + i] = values[static_cast<std::size_t>(middle.number)];
          continue;
        }
        std::array<int64_t, 4> hits{};
        for (int64_t s = 0; s < points; ++s) {
          const Vec3 at = grid.position(k + offset(s / (samples * samples)), j + offset(s / samples % samples),
                                        static_cast<double>(i) + offset(s % samples));
          ++hits[static_cast<std::size_t>(number_at(at))];
        }
        double sum = 0;
        for (std::size_t n = 0; n < hits.size(); ++n) sum += static_cast<double>(hits[n]) * values[n];
        to[row * grid.nx + i] = sum / static_cast<double>(points);
      }
    }
  });
  return out;
}

}  // namespace tl::ops
