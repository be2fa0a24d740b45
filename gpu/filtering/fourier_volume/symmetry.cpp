// Makes point groups from generators.
#include "gpu/filtering/fourier_volume/symmetry.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/units.h"

namespace tl::ops {
namespace {

constexpr Rotation identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

// By an angle about an axis of any length (Rodrigues).
Rotation about(Vec3 axis, double angle) {
  const Vec3 n = (1 / norm(axis)) * axis;
  const double c = std::cos(angle), s = std::sin(angle), rest = 1 - c;
  return {c + rest * n.x * n.x,       rest * n.x * n.y - s * n.z, rest * n.x * n.z + s * n.y,
          rest * n.x * n.y + s * n.z, c + rest * n.y * n.y,       rest * n.y * n.z - s * n.x,
          rest * n.x * n.z - s * n.y, rest * n.y * n.z + s * n.x, c + rest * n.z * n.z};
}

bool same(const Rotation& a, const Rotation& b) {
  constexpr double rounding = 1e-6;
  return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return std::abs(x - y) < rounding; });
}

// All products of the generators.
std::vector<Rotation> closure(const std::vector<Rotation>& generators) {
  std::vector<Rotation> group{identity};
  for (std::size_t i = 0; i < group.size(); ++i)
    for (const Rotation& g : generators) {
      const Rotation next = after(g, group[i]);
      if (std::none_of(group.begin(), group.end(), [&](const Rotation& r) { return same(r, next); }))
        group.push_back(next);
    }
  return group;
}

std::vector<Rotation> cyclic(int64_t n) {
  std::vector<Rotation> group{identity};
  for (int64_t i = 1; i < n; ++i)
    group.push_back(about({0, 0, 1}, 2 * pi * static_cast<double>(i) / static_cast<double>(n)));
  return group;
}

}  // namespace

Vec3 rotated(const Rotation& r, Vec3 v) {
  return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
          r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

Rotation after(const Rotation& second, const Rotation& first) {
  Rotation product{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) product[3 * i + j] += second[3 * i + k] * first[3 * k + j];
  return product;
}

Result<std::vector<Rotation>> symmetry_group(const std::string& name) {
  constexpr int64_t most = 360;  // fold of an axis
  const Error unknown{ErrorKind::invalid, "the symmetry \"" + name + "\" is not known", "symmetry",
                      "Write C1 to C360, D1 to D360, T, O or I"};
  if (name.empty() || name.size() > 4) return unknown;
  const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  const std::string rest = name.substr(1);
  const Vec3 diagonal{1, 1, 1};
  if (rest.empty()) {
    const double golden = (1 + std::sqrt(5.0)) / 2;
    if (letter == 'T') return closure({about({0, 0, 1}, pi), about(diagonal, 2 * pi / 3)});
    if (letter == 'O') return closure({about({0, 0, 1}, pi / 2), about(diagonal, 2 * pi / 3)});
    if (letter == 'I') return closure({about({0, 1, golden}, 2 * pi / 5), about(diagonal, 2 * pi / 3)});
    return unknown;
  }
  if (!std::all_of(rest.begin(), rest.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) return unknown;
  const int64_t n = std::stoll(rest);
  if (n < 1 || n > most || (letter != 'C' && letter != 'D')) return unknown;
  std::vector<Rotation> group = cyclic(n);
  if (letter == 'D')
    for (int64_t i = 0; i < n; ++i) group.push_back(after(group[static_cast<std::size_t>(i)], about({1, 0, 0}, pi)));
  return group;
}

}  // namespace tl::ops
