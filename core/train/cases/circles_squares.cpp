// Images of filled and hollow squares, discs and rings in noise.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/train/cases/pictures.h"
#include "core/train/sampling.h"

namespace tl::train {
namespace {

constexpr int64_t objects = 24, object_edge = 32;
constexpr double hollow_wall = 6;  // [px]
constexpr double dimmest = 0.2;

enum class Outline { square, hollow_square, disc, ring };

// Whether a pixel at (x, y) from the centre of an object belongs to it.
bool belongs(Outline outline, double x, double y) {
  constexpr double half = 0.5 * static_cast<double>(object_edge);
  const bool round = outline == Outline::disc || outline == Outline::ring;
  const double from_middle = round ? std::hypot(x, y) : std::max(std::abs(x), std::abs(y));
  const bool hollow = outline == Outline::hollow_square || outline == Outline::ring;
  return from_middle < half && (!hollow || from_middle >= half - hollow_wall);
}

Item shapes_image(const std::string& name, int64_t edge, uint64_t seed) {
  Draws draws(seed, 0x63737172);
  at::Tensor volume = at::zeros({1, 1, edge, edge}, at::kFloat), labels = at::zeros({1, edge, edge}, at::kInt);
  auto* value = volume.mutable_data_ptr<float>();
  auto* label = labels.mutable_data_ptr<int32_t>();
  for (int64_t n = 0; n < objects; ++n) {
    const auto outline = static_cast<Outline>(draws.below(4));
    const int64_t left = draws.below(edge - object_edge + 1), top = draws.below(edge - object_edge + 1);
    const auto grey = static_cast<float>(draws.between(dimmest, 1));
    for (int64_t j = 0; j < object_edge; ++j)
      for (int64_t i = 0; i < object_edge; ++i) {
        constexpr double middle = 0.5 * static_cast<double>(object_edge - 1);
        if (!belongs(outline, static_cast<double>(i) - middle, static_cast<double>(j) - middle)) continue;
        const int64_t at = (top + j) * edge + left + i;
        value[at] = grey;
        label[at] = static_cast<int32_t>(outline) + 1;
      }
  }
  for (int64_t i = 0; i < edge * edge; ++i) value[i] += static_cast<float>(draws.normal());
  return {name, volume, labels};
}

}  // namespace

Result<GeneratedCase> circles_squares(const CaseSize& size, uint64_t seed) {
  if (size.edge < object_edge)
    return invalid("objects of " + std::to_string(object_edge) + " pixels need larger images", "edge",
                   "Give " + std::to_string(object_edge) + " or more");
  return case_of_images({{0, "background", "#1a1a1a"},
                         {1, "square", "#cc6633"},
                         {2, "hollow square", "#e6b422"},
                         {3, "disc", "#339966"},
                         {4, "ring", "#3366cc"}},
                        size, seed, shapes_image);
}

}  // namespace tl::train
