// Verifies C5, C11, C14 and known axes: required results and refusals of every finder of the rotation axis.
#include <ATen/ATen.h>

#include <cmath>
#include <functional>

#include "core/base/units.h"
#include "gpu/axis/image.h"
#include "gpu/axis/moments.h"
#include "gpu/axis/overlap.h"
#include "gpu/axis/phase_correlation.h"
#include "gpu/axis/vo.h"
#include "gpu/axis/wedge.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/verify/axis_scans.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using ops::AxisResult;
using ops::AxisSearch;
using ops::AxisVerdict;

struct Finder {
  const char* name;
  std::function<AxisResult(const at::Tensor&, const std::vector<double>&, const AxisSearch&)> find;
};

// Finders that use only the views.
std::vector<Finder> finders_by_views() {
  return {{"Vo", [](const at::Tensor& p, const auto& t, const AxisSearch& s) { return ops::axis_vo(p, t, {s}); }},
          {"Fourier wedge",
           [](const at::Tensor& p, const auto& t, const AxisSearch& s) { return ops::axis_wedge(p, t, {s}); }},
          {"phase correlation", [](const at::Tensor& p, const auto& t,
                                   const AxisSearch& s) { return ops::axis_phase_correlation(p, t, {s}); }},
          {"moments",
           [](const at::Tensor& p, const auto& t, const AxisSearch& s) { return ops::axis_moments(p, t, {s}).found; }}};
}
// Finder that uses a score of reconstructed slices.
Finder finder_by(ops::ImageScore score) {
  return {score == ops::ImageScore::entropy ? "entropy" : "negativity",
          [score](const at::Tensor& p, const auto& t, const AxisSearch& s) {
            return ops::axis_image(p, t, {s, score});
          }};
}

std::vector<Finder> finders() {
  std::vector<Finder> all = finders_by_views();
  for (const ops::ImageScore score : {ops::ImageScore::entropy, ops::ImageScore::negativity})
    all.push_back(finder_by(score));
  return all;
}

void add(CheckTable& table, const std::string& id, const std::string& op, const std::string& scan, double value,
         double bound) {
  verify::add_check(table, {id, op, scan, "float32", value, bound});
}

// 0 for the expected verdict, otherwise 1.
double verdict_error(const AxisResult& r, AxisVerdict wanted) { return r.verdict == wanted ? 0 : 1; }

// C5: a block at rows 20 to 29 and columns 35 to 41 of 64^2, rotated about 31.5, 37 views over 0 to 180 degrees.
void block(CheckTable& table) {
  std::vector<double> angles;
  for (int i = 0; i < 37; ++i) angles.push_back(pi * i / 36);
  const auto g = ScanGeometry::parallel(angles, {1, 64, 1, 1}).or_throw();
  ops::Primitive box;
  box.solid = ops::Solid::box;
  box.half = {3.5, 5, 10};
  box.centre = {38 - 31.5, 31.5 - 24.5, 0};
  const at::Tensor p = ops::phantom_projections({{box}}, g, {at::kFloat, 4, {}});
  for (const Finder& f : finders()) {
    const AxisResult r = f.find(p, angles, {});
    add(table, "C5", f.name, "block in 64^2, 37 views", std::abs(column_from_axis(r.axis, 64) - 31.5), 0.2);
  }
}

// C11: centres of mass of a phantom whose axis is off by 4.37 px.
void sinusoid(CheckTable& table) {
  const auto angles = equidistant_angles(180, pi);
  const auto g = ScanGeometry::parallel(angles, {1, 256, 1, 1}, 4.37).or_throw();
  const auto r = ops::axis_moments(ops::phantom_projections(ops::shepp_logan_2d(100), g, {at::kFloat, 4, {}}), angles);
  add(table, "C11 axis", "moments", "Shepp-Logan, axis 4.37 px", std::abs(r.found.axis - 4.37), 0.02);
  add(table, "C11 residual", "moments", "Shepp-Logan, axis 4.37 px", r.residual, 0.02);
}

enum class Photons { all, some };

// Shepp-Logan in 512 columns, axes at columns 255.5 - 20.3 to 255.5 + 20.3, without noise and with 1e4 photons per
// pixel: the worst error.
void known_axes(const std::vector<Finder>& some, const std::vector<Photons>& noise, VerifySize size,
                const CancelToken& cancel, CheckTable& table) {
  const auto angles = equidistant_angles(128, pi);
  std::vector<double> axes = {-20.3, 0.25, 13.3};
  if (size == VerifySize::full) axes = {-20.3, -13.3, -7.75, -0.5, 0, 0.25, 0.5, 7.75, 13.3, 20.3};
  std::vector<at::Tensor> clean;
  for (const double axis : axes)
    clean.push_back(ops::project(with_values_scaled(ops::shepp_logan_2d(220), 1.3 / 220), angles, 512, axis));
  const std::string scan = "Shepp-Logan in 512, axes -20.3 to 20.3 px";
  for (const Finder& f : some)
    for (const Photons photons : noise) {
      double worst = 0;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        cancel.check();
        const at::Tensor views = photons == Photons::all ? clean[i] : ops::with_photon_noise(clean[i], 1e4, 7 + i);
        worst = verify::larger_deviation(worst, std::abs(f.find(views, angles, {}).axis - axes[i]));
      }
      const bool all = photons == Photons::all;
      add(table, "axis", f.name, all ? scan : scan + ", 1e4 photons", worst, all ? 0.25 : 0.5);
    }
}

// Half acquisition: a full turn with the axis near either edge of the detector.
void half_acquisition(CheckTable& table) {
  const auto turn = equidistant_angles(360, 2 * pi);
  double overlap = 0;
  for (const double axis : {-110.3, 98.6}) {
    const at::Tensor p = ops::project(with_values_scaled(ops::shepp_logan_2d(210), 1.3 / 210), turn, 256, axis);
    overlap = verify::larger_deviation(
        overlap, std::abs(ops::axis_overlap(ops::with_photon_noise(p, 1e4, 3), turn).axis - axis));
  }
  add(table, "axis", "overlap", "Shepp-Logan, half acquisition, 256 columns, 1e4 photons", overlap, 0.5);
}

// C14: no signal, and a search range that does not contain the axis.
void refusals(CheckTable& table) {
  const auto angles = equidistant_angles(120, pi);
  const auto g = ScanGeometry::parallel(angles, {1, 128, 1, 1}, 12).or_throw();
  const at::Tensor p = ops::phantom_projections(ops::random_ellipses(45, 8, 3), g);
  for (const Finder& f : finders()) {
    add(table, "C14 flat", f.name, "empty slice",
        verdict_error(f.find(at::zeros_like(p), angles, {}), AxisVerdict::flat), 0);
    AxisSearch narrow;
    narrow.reach = 5;
    add(table, "C14 railed", f.name, "axis at 12 px, searched within 5",
        verdict_error(f.find(p, angles, narrow), AxisVerdict::railed), 0);
  }
}

// C14: an object, and the same object rotated by half a turn, each about its own axis; centres of mass cannot
// distinguish them.
void two_lobes(CheckTable& table) {
  const auto angles = equidistant_angles(90, pi);
  const auto g = ScanGeometry::parallel(angles, {1, 256, 1, 1}, -40).or_throw();
  const at::Tensor left = ops::phantom_projections(ops::random_ellipses(35, 12, 4), g);
  for (const Finder& f : finders())
    if (std::string(f.name) != "moments")
      add(table, "C14 ambiguous", f.name, "two equal axes at -40 and 40 px",
          verdict_error(f.find(left + at::flip(left, {2}), angles, {}), AxisVerdict::ambiguous), 0);
}

}  // namespace

CheckTable verify_axis(AxisPart part, VerifySize size, const CancelToken& cancel) {
  CheckTable table;
  switch (part) {
    case AxisPart::block: block(table); break;
    case AxisPart::known_by_views:
      known_axes(finders_by_views(), {Photons::all, Photons::some}, size, cancel, table);
      break;
    case AxisPart::known_by_entropy:
      known_axes({finder_by(ops::ImageScore::entropy)}, {Photons::all}, size, cancel, table);
      break;
    case AxisPart::known_by_entropy_noise:
      known_axes({finder_by(ops::ImageScore::entropy)}, {Photons::some}, size, cancel, table);
      break;
    case AxisPart::known_by_negativity:
      known_axes({finder_by(ops::ImageScore::negativity)}, {Photons::all}, size, cancel, table);
      break;
    case AxisPart::known_by_negativity_noise:
      known_axes({finder_by(ops::ImageScore::negativity)}, {Photons::some}, size, cancel, table);
      break;
    case AxisPart::known_by_overlap:
      half_acquisition(table);
      sinusoid(table);
      break;
    case AxisPart::refusals: refusals(table); break;
    case AxisPart::ambiguity: two_lobes(table); break;
  }
  return table;
}

CheckTable verify_axis(VerifySize size, const CancelToken& cancel) {
  CheckTable all;
  for (const AxisPart part :
       {AxisPart::block, AxisPart::known_by_views, AxisPart::known_by_entropy, AxisPart::known_by_entropy_noise,
        AxisPart::known_by_negativity, AxisPart::known_by_negativity_noise, AxisPart::known_by_overlap,
        AxisPart::refusals, AxisPart::ambiguity}) {
    const CheckTable table = verify_axis(part, size, cancel);
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

}  // namespace tl
