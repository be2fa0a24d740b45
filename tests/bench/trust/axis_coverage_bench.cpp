// How honest the uncertainties of the axis finders are: errors over many noisy scans with a known axis, as they would
// be recorded (uneven beam, flats and darks with noise of their own), against the sigma that each finder reports.
// phantoms=N scans of each kind (40), finder=NAME and scan=NAME pick one of either.
#include <cmath>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/axis/conjugate_rays.h"
#include "gpu/axis/image.h"
#include "gpu/axis/moments.h"
#include "gpu/axis/overlap.h"
#include "gpu/axis/phase_correlation.h"
#include "gpu/axis/vo.h"
#include "gpu/axis/wedge.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "tests/bench/bench.h"

using namespace tl;
using ops::AxisResult;

namespace {

constexpr int64_t cols = 192;
constexpr double source = 1000, pitch = 1;  // [mm] from the source to axis and detector; width of a column

enum class Turn { half, full, fan };
enum class Body { head, ellipses };

struct Kind {
  const char* name;
  Body body;
  Turn turn;
  int64_t views, rows;
  double photons;
  int64_t flats;
  double reach;  // [px] the axis lies anywhere so far from the centre
};
constexpr Kind kinds[] = {
    {"first light", Body::head, Turn::half, 360, 5, 2e4, 20, 20},
    {"ellipses", Body::ellipses, Turn::half, 180, 5, 1e4, 20, 20},
    {"few photons", Body::ellipses, Turn::half, 180, 5, 1e3, 20, 20},
    {"one row", Body::ellipses, Turn::half, 180, 1, 1e4, 1000, 20},
    {"no noise", Body::ellipses, Turn::half, 180, 1, 0, 0, 20},
    {"full turn", Body::ellipses, Turn::full, 360, 5, 1e4, 20, 60},
    {"fan, full turn", Body::ellipses, Turn::fan, 360, 5, 1e4, 20, 20},
};

ops::NoiseFrame frame(uint64_t seed, ops::NoiseSeries series, int64_t views, int64_t rows) {
  return {seed, series, {{0, views}, {0, rows}, {0, cols}}, rows, cols};
}

struct Scan {
  at::Tensor absorption;  // [view, row, col]
  std::vector<double> angles;
  double axis = 0, fan_per_column = 0;
};

ScanGeometry geometry_of(const Kind& k, const Scan& s) {
  Orbit o;
  o.beam = k.turn == Turn::fan ? Beam::cone : Beam::parallel;
  o.angles = s.angles;
  o.axis = s.axis;
  if (k.turn == Turn::fan) o.source_to_axis = source;
  return ScanGeometry::from_orbit(o, {k.rows, cols, pitch, pitch}).or_throw();
}

// An uneven beam on pixels of uneven response, darks, flats half before and half after.
at::Tensor recorded(const Kind& k, const at::Tensor& lines, uint64_t seed) {
  constexpr double unevenness = 0.2, dark = 100;
  const at::Tensor x = at::linspace(-0.5, 0.5, cols, at::kDouble);
  const at::Tensor grain = ops::add_gaussian_noise(at::zeros({1, k.rows, cols}, at::kDouble), 0.3,
                                                   frame(seed, ops::NoiseSeries::flats, 1, k.rows));
  const at::Tensor beam = k.photons * (1 + unevenness * (0.5 - 4 * x.square() + grain)).clamp_min(0.05);
  const auto counted = [&](const at::Tensor& mean, ops::NoiseSeries series, int64_t n) {
    return ops::poisson_counts((mean + dark).expand({n, k.rows, cols}), frame(seed + 1, series, n, k.rows));
  };
  ops::FlatFieldSpec spec;
  spec.flats = counted(beam, ops::NoiseSeries::flats, k.flats);
  spec.darks = counted(at::zeros_like(beam), ops::NoiseSeries::darks, k.flats);
  spec.logarithm = ops::MinusLogSpec{};
  return ops::flat_field(counted(beam * at::exp(-lines), ops::NoiseSeries::projections, k.views), spec)
      .or_throw()
      .logarithm.absorption;
}

Scan scan_of(const Kind& k, int64_t i) {
  const auto seed = static_cast<uint64_t>(i);
  Scan s;
  s.fan_per_column = k.turn == Turn::fan ? pitch / source : 0;
  s.axis = k.reach * (2 * Philox{seed, 7}.uniform(0) - 1);
  s.angles = equidistant_angles(k.views, k.turn == Turn::half ? pi : 2 * pi);
  const double radius = 0.9 * (0.5 * static_cast<double>(cols) - std::abs(s.axis)) * pitch;
  const ops::Phantom body = ops::with_values_scaled(
      k.body == Body::head ? ops::shepp_logan_2d(radius) : ops::random_ellipses(radius, 12, seed), 1 / radius);
  // A detector pixel sums what falls onto it.
  const at::Tensor lines = ops::phantom_projections(body, geometry_of(k, s), {at::kDouble, k.rows > 1 ? 2 : 3, {}});
  s.absorption = k.photons > 0 ? recorded(k, lines, 3 * seed) : lines;
  return s;
}

struct Finder {
  const char* name;
  std::vector<Turn> suits;
  std::function<AxisResult(const Scan&)> find;
};

AxisResult by_image(const Scan& s, ops::ImageScore score) {
  ops::ImageScoreParams p;
  p.score = score;
  return ops::axis_image(s.absorption, s.angles, p);
}

const std::vector<Finder>& finders() {
  static const std::vector<Finder> all = {
      {"wedge", {Turn::half, Turn::full}, [](const Scan& s) { return ops::axis_wedge(s.absorption, s.angles); }},
      {"Vo", {Turn::half}, [](const Scan& s) { return ops::axis_vo(s.absorption, s.angles); }},
      {"phase correlation",
       {Turn::half},
       [](const Scan& s) { return ops::axis_phase_correlation(s.absorption, s.angles); }},
      {"moments", {Turn::half}, [](const Scan& s) { return ops::axis_moments(s.absorption, s.angles).found; }},
      {"entropy", {Turn::half}, [](const Scan& s) { return by_image(s, ops::ImageScore::entropy); }},
      {"negativity", {Turn::half}, [](const Scan& s) { return by_image(s, ops::ImageScore::negativity); }},
      {"overlap",
       {Turn::full},
       [](const Scan& s) -> AxisResult {
         return static_cast<const AxisResult&>(ops::axis_overlap(s.absorption, s.angles));
       }},
      {"conjugate rays",
       {Turn::full, Turn::fan},
       [](const Scan& s) {
         ops::ConjugateRaysParams p;
         p.fan_per_column = s.fan_per_column;
         return ops::axis_conjugate_rays(s.absorption, s.angles, p);
       }},
  };
  return all;
}

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : 0.5 * (v[(v.size() - 1) / 2] + v[v.size() / 2]);
}

struct Row {
  std::vector<double> errors, sigmas;
  double bias = 0;
  int64_t asked = 0, one = 0, two = 0;

  void add(const AxisResult& r, double truth) {
    ++asked;
    if (r.verdict != ops::AxisVerdict::resolved) return;
    const double error = r.axis - truth;
    errors.push_back(std::abs(error));
    sigmas.push_back(r.uncertainty);
    bias += error;
    one += std::abs(error) <= r.uncertainty ? 1 : 0;
    two += std::abs(error) <= 2 * r.uncertainty ? 1 : 0;
  }
  void print(const char* finder, const char* scan) const {
    const double n = static_cast<double>(std::max<std::size_t>(errors.size(), 1));
    std::printf("| %s | %s | %lld of %lld | %.4f | %.4f | %.4f | %.0f | %.0f |\n", finder, scan,
                static_cast<long long>(errors.size()), static_cast<long long>(asked), bias / n, middle(errors),
                middle(sigmas), 100 * static_cast<double>(one) / n, 100 * static_cast<double>(two) / n);
    std::fflush(stdout);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t phantoms = arguments.number("phantoms", 40);
  const std::string finder = arguments.text("finder", "all"), kind = arguments.text("scan", "all");
  arguments.finish();
  std::printf(
      "| finder | scan | resolved | bias [px] | median error [px] | median sigma [px] | in 1 sigma [%%] | in 2 sigmas "
      "[%%] |\n|---|---|---|---|---|---|---|---|\n");
  for (const Kind& k : kinds) {
    if (kind != "all" && kind != k.name) continue;
    std::vector<Row> rows(finders().size());
    for (int64_t i = 0; i < phantoms; ++i) {
      const Scan s = scan_of(k, i);
      for (std::size_t n = 0; n < rows.size(); ++n) {
        const Finder& f = finders()[n];
        const bool suits = std::find(f.suits.begin(), f.suits.end(), k.turn) != f.suits.end();
        if (suits && (finder == "all" || finder == f.name)) rows[n].add(f.find(s), s.axis);
      }
    }
    for (std::size_t n = 0; n < rows.size(); ++n)
      if (rows[n].asked > 0) rows[n].print(finders()[n].name, k.name);
  }
  return 0;
}
