// Images of adjacent cells, with membranes between them that fade in places.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/train/cases/pictures.h"
#include "core/train/sampling.h"

namespace tl::train {
namespace {

constexpr int64_t cell_edge = 24;          // [px] pitch of the grid of cells
constexpr double wander = 0.35;            // random displacement of the cell centres, relative to the pitch
constexpr double half_membrane = 1.5;      // [px]; so wide that pixels of two cells have no common edge
constexpr double faintest = 0.25;          // relative to the full contrast of a membrane
constexpr double fading_length = 12;       // [px]
constexpr double noise_of_contrast = 0.3;  // deviation

struct Middle {
  double x, y;
};

// The local strength of membranes: smooth waves of random directions, so that some parts are as faint as possible.
class Fading {
 public:
  explicit Fading(Draws& draws) {
    for (Wave& w : waves_) {
      const double angle = draws.between(0, 2 * M_PI);
      w = {std::cos(angle) / fading_length, std::sin(angle) / fading_length, draws.between(0, 2 * M_PI)};
    }
  }
  [[nodiscard]] double at(double x, double y) const {
    double sum = 0;
    for (const Wave& w : waves_) sum += std::sin(w.x * x + w.y * y + w.phase);
    return std::clamp(0.6 + 0.35 * sum, faintest, 1.0);
  }

 private:
  struct Wave {
    double x, y, phase;
  };
  std::array<Wave, 5> waves_{};
};

Item cell_image(const std::string& name, int64_t edge, uint64_t seed) {
  Draws draws(seed, 0x63656c6c);
  const int64_t across = edge / cell_edge + 3;  // one more cell on each side, whose area extends into the image
  std::vector<Middle> middles;
  for (int64_t j = 0; j < across; ++j)
    for (int64_t i = 0; i < across; ++i) {
      const auto jittered = [&](int64_t k) {
        return static_cast<double>(cell_edge) * (static_cast<double>(k) - 1 + draws.between(-wander, wander));
      };
      const double x = jittered(i), y = jittered(j);
      middles.push_back({x, y});
    }
  const Fading fading(draws);
  at::Tensor volume = at::empty({1, 1, edge, edge}, at::kFloat), labels = at::empty({1, edge, edge}, at::kInt);
  auto* value = volume.mutable_data_ptr<float>();
  auto* label = labels.mutable_data_ptr<int32_t>();
  for (int64_t j = 0; j < edge; ++j)
    for (int64_t i = 0; i < edge; ++i) {
      const auto x = static_cast<double>(i), y = static_cast<double>(j);
      double nearest = std::numeric_limits<double>::infinity(), next = nearest;
      Middle a{}, b{};
      for (const Middle& m : middles) {
        const double d = std::hypot(m.x - x, m.y - y);
        if (d < nearest) {
          next = std::exchange(nearest, d);
          b = std::exchange(a, m);
        } else if (d < next) {
          next = d;
          b = m;
        }
      }
      // The distance from the line half-way between the two middles.
      const double off = (next * next - nearest * nearest) / (2 * std::hypot(a.x - b.x, a.y - b.y));
      const bool membrane = off < half_membrane;
      const double dark = membrane ? fading.at(x, y) : 0;
      value[j * edge + i] = static_cast<float>(1 - dark + noise_of_contrast * draws.normal());
      label[j * edge + i] = membrane ? 0 : 1;
    }
  return {name, volume, labels};
}

}  // namespace

Result<GeneratedCase> cells(const CaseSize& size, uint64_t seed) {
  if (size.edge < 2 * cell_edge)
    return invalid("cells of " + std::to_string(cell_edge) + " pixels need larger images", "edge",
                   "Give " + std::to_string(2 * cell_edge) + " or more");
  return case_of_images({{0, "membrane", "#1a1a1a"}, {1, "cell", "#339966"}}, size, seed, cell_image);
}

}  // namespace tl::train
