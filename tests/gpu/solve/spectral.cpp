// Polychromatic absorption: known values, laws of its shape, gradients; fits that find the model that made the views;
// threshold search; views that hold nothing to correct.
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/spectral_correction.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::spectral_test {
using namespace tl::solve;
namespace {

at::Tensor vec(const std::vector<double>& x) { return at::tensor(x, at::kDouble); }

double largest(const at::Tensor& x) { return x.abs().max().item<double>(); }

// Two materials in three bins.
SpectralModel three_bins() { return {2, 3, {0.30, 0.12, 0.05, 2.2, 0.7, 0.25}, {0.25, 0.45, 0.3}}; }

// Lengths [material, ray] of a disc of 12 mm with two rods, and the model's views of them.
struct Scan {
  OperatorPtr project;
  at::Tensor labels, lengths;
};
Scan scan(int64_t size = 48, int64_t views = 40) {
  const double pitch = 16 / static_cast<double>(size);
  const auto g = ScanGeometry::parallel(equidistant_angles(views, pi), {1, size, pitch, pitch}).or_throw();
  const VolumeGrid grid = VolumeGrid::cubic(1, size, size, pitch);
  Scan s;
  s.project = make_projector({g, grid}).or_throw();
  s.labels = at::zeros({1, size, size}, at::kInt);
  auto label = s.labels.accessor<int32_t, 3>();
  for (int64_t j = 0; j < size; ++j)
    for (int64_t i = 0; i < size; ++i) {
      const Vec3 at = grid.position(0, static_cast<double>(j), static_cast<double>(i));
      const bool rod = std::hypot(at.x - 2.5, at.y) < 1.2 || std::hypot(at.x + 2, at.y - 1.5) < 1.2;
      label[0][j][i] = rod ? 2 : std::hypot(at.x, at.y) < 6 ? 1 : 0;
    }
  std::vector<at::Tensor> rays;
  for (const int m : {1, 2}) rays.push_back(s.project->apply(s.labels.eq(m).to(at::kDouble)).reshape(-1));
  s.lengths = at::stack(rays);
  return s;
}

SpectralFitSpec to_the_end() {
  SpectralFitSpec spec;
  spec.iterations = 3000;
  spec.settled = 0;
  return spec;
}

}  // namespace

class Spectral : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_value_by_hand() {
    // 5 cm, half of the photons at 0.4 and at 0.2 per cm: -ln((e^-2 + e^-1) / 2).
    const at::Tensor p = polychromatic_absorption(vec({5}).view({1, 1}), vec({0.4, 0.2}).view({1, 2}), vec({0.5, 0.5}));
    QVERIFY(std::abs(p.item<double>() - 1.379885) < 1e-6);
    const SpectralModel model{1, 2, {0.4, 0.2}, {0.5, 0.5}};
    QVERIFY(std::abs(model_absorption(model, vec({5}).view({1, 1})).item<double>() - 1.379885) < 1e-6);
  }

  // Concave; its slope falls from the mean attenuation to the least.
  void absorption_is_concave() {
    const at::Tensor x = at::linspace(0, 4000, 4001, at::kDouble);
    const at::Tensor p = polychromatic_absorption(x.view({1, -1}), vec({0.4, 0.2, 0.1}).view({1, 3}), vec({1, 2, 1}));
    const at::Tensor slope = p.diff();
    QVERIFY(slope.diff().max().item<double>() < 1e-12);
    QVERIFY(std::abs(slope[0].item<double>() - 0.225) < 0.01);
    QVERIFY(std::abs(slope[-1].item<double>() - 0.1) < 1e-9);
    QVERIFY(p.isfinite().all().item<bool>());
  }

  void both_computations_agree() {
    const Scan s = scan();
    const SpectralModel m = three_bins();
    const at::Tensor by_tensors =
        polychromatic_absorption(s.lengths, vec(m.attenuation).view({2, 3}), 7 * vec(m.weight));
    QVERIFY(largest(by_tensors - model_absorption(m, s.lengths)) < 1e-13);
  }

  void gradients_to_lengths_attenuations_and_weights() {
    const Scan s = scan(16, 5);
    const SpectralModel m = three_bins();
    const std::vector<at::Tensor> points = {s.lengths, vec(m.attenuation).view({2, 3}), vec(m.weight)};
    const at::Tensor to = test::gaussian({s.lengths.size(1)}, at::kDouble, 3);
    const auto loss = [&](const std::vector<at::Tensor>& x) {
      return (polychromatic_absorption(x[0], x[1], x[2]) * to).sum();
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::vector<at::Tensor> leaf = points;
      leaf[i] = points[i].clone().requires_grad_();
      loss(leaf).backward();
      const at::Tensor direction = test::gaussian(points[i].sizes().vec(), at::kDouble, 4);
      const double slope = (leaf[i].grad() * direction).sum().item<double>(), h = 1e-6;
      std::vector<at::Tensor> up = points, down = points;
      up[i] = points[i] + h * direction;
      down[i] = points[i] - h * direction;
      const double numeric = (loss(up) - loss(down)).item<double>() / (2 * h);
      QVERIFY2(std::abs(slope - numeric) < 1e-7 * std::abs(slope), std::to_string(i).c_str());
    }
  }

  void normal_equations_are_those_of_the_derivatives() {
    const Scan s = scan(16, 5);
    const at::Tensor measured = 1.01 * model_absorption(three_bins(), s.lengths);
    SpectralModel m = three_bins();
    m.attenuation[4] *= 1.1;
    StepViews views;
    views.steps = at::stack({s.lengths[0] + s.lengths[1], s.lengths[1]});
    views.slopes = -test::gaussian(views.steps.sizes().vec(), at::kDouble, 7).abs();
    const NormalEquations e = normal_equations(m, views, measured);
    QCOMPARE(e.unknowns, int64_t{11});
    QVERIFY(std::abs(e.loss - model_loss(m, s.lengths, measured)) < 1e-12 * e.loss);
    const double h = 1e-7;
    for (std::size_t i = 0; i < 11; ++i) {
      const auto loss = [&](double by) {
        SpectralModel x = m;
        at::Tensor steps = views.steps.clone();
        if (i < 6) x.attenuation[i] += by;
        if (i >= 6 && i < 9) {
          x.weight[i - 6] += by;
          double sum = 0;
          for (const double w : x.weight) sum += w;
          for (double& w : x.weight) w /= sum;
        }
        if (i >= 9) steps[static_cast<int64_t>(i) - 9] += by * views.slopes[static_cast<int64_t>(i) - 9];
        return model_loss(x, lengths_of(steps), measured);
      };
      const double numeric = (loss(h) - loss(-h)) / (2 * h);  // of a mean of squares: twice J^T residual
      QVERIFY2(std::abs(2 * e.gradient[i] - numeric) < 1e-5 * std::abs(numeric) + 1e-9, std::to_string(i).c_str());
    }
  }

  // Acceptance C13.
  void two_energies_are_recovered_from_a_wedge() {
    const at::Tensor length = at::linspace(0, 60, 301, at::kDouble).view({1, -1});
    const SpectralModel truth{1, 2, {0.31, 0.09}, {0.63, 0.37}};
    const at::Tensor measured = model_absorption(truth, length);
    SpectralFit fit = fit_spectrum(length, measured, starting_model({0.2}, 2), to_the_end());
    fit.model.sort_bins();
    QVERIFY(std::abs(fit.model.attenuation[0] - 0.31) < 1e-4);
    QVERIFY(std::abs(fit.model.attenuation[1] - 0.09) < 1e-4);
    QVERIFY(std::abs(fit.model.weight[0] - 0.63) < 1e-4);
  }

  void an_exact_model_gives_the_monochromatic_views() {
    const Scan s = scan();
    const at::Tensor measured = model_absorption(three_bins(), s.lengths);
    const SpectralFit fit = fit_spectrum(s.lengths, measured, starting_model({0.15, 1}, 3), to_the_end());
    QVERIFY2(std::sqrt(fit.loss) < 1e-6 * largest(measured), std::to_string(std::sqrt(fit.loss)).c_str());
    const CorrectedRays corrected = correct_rays(measured, s.lengths, fit.model);
    const at::Tensor straight = corrected.reference[0] * s.lengths[0] + corrected.reference[1] * s.lengths[1];
    QVERIFY(largest(corrected.absorption - straight) < 1e-4);
    // The correction is not nothing.
    QVERIFY(largest(corrected.absorption - measured) > 0.05);
  }

  void views_of_one_energy_stay() {
    const Scan s = scan();
    const at::Tensor measured = 0.15 * s.lengths[0] + 0.9 * s.lengths[1];
    for (const int64_t bins : {1, 3}) {
      const SpectralFit fit = fit_spectrum(s.lengths, measured, starting_model({0.1, 0.5}, bins), to_the_end());
      QVERIFY(largest(correct_rays(measured, s.lengths, fit.model).absorption - measured) < 1e-4);
    }
  }

  void values_that_are_missing_do_not_count() {
    const Scan s = scan(24, 12);
    const at::Tensor measured = model_absorption(three_bins(), s.lengths);
    at::Tensor holes = measured.clone();
    holes.slice(0, 10, 60, 3).fill_(std::numeric_limits<double>::quiet_NaN());
    const double all = model_loss(starting_model({0.2, 1}, 3), s.lengths, measured);
    const double some = model_loss(starting_model({0.2, 1}, 3), s.lengths, holes);
    QVERIFY(std::isfinite(some) && some != all);
    QVERIFY(fit_spectrum(s.lengths, holes, starting_model({0.15, 1}, 3), to_the_end()).loss < 1e-9);
  }

  void the_same_bits_with_any_number_of_threads() {
    const Scan s = scan();
    const at::Tensor measured =
        model_absorption(three_bins(), s.lengths) + 0.01 * test::gaussian({s.lengths.size(1)}, at::kDouble, 5);
    const int before = at::get_num_threads();
    std::vector<double> losses;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      StepViews views;
      views.steps = s.lengths;
      losses.push_back(normal_equations(three_bins(), views, measured).matrix[4]);
      losses.push_back(model_loss(three_bins(), s.lengths, measured));
    }
    at::set_num_threads(before);
    QVERIFY(losses[0] == losses[2] && losses[1] == losses[3]);
  }

  void the_best_levels_are_found() {
    const Scan s = scan(24, 12);
    const SpectralModel m = three_bins();
    const at::Tensor measured = model_absorption(m, s.lengths);
    // Levels of which the third and the sixth are right.
    std::vector<at::Tensor> steps;
    for (int64_t l = 0; l < 9; ++l) {
      const at::Tensor right = l < 4 ? s.lengths[0] + s.lengths[1] : s.lengths[1];
      steps.push_back(right * (1 - 0.05 * static_cast<double>(l < 4 ? l - 2 : l - 5)));
    }
    const at::Tensor levels = at::stack(steps);
    const ThresholdSearch pair = search_thresholds(levels, measured, m, {0, 8});
    QVERIFY(pair.levels == (std::vector<std::size_t>{2, 5}));
    QCOMPARE(pair.evaluations, int64_t{36});
    QVERIFY(pair.loss < 1e-20);
    const SpectralModel one{1, 3, {0.30, 0.12, 0.05}, m.weight};
    const ThresholdSearch single =
        search_thresholds(levels, model_absorption(one, (s.lengths[0] + s.lengths[1]).unsqueeze(0)), one, {7});
    QVERIFY(single.levels == (std::vector<std::size_t>{2}));
  }

  // Thresholds between the grey values of an image whose edges are smooth are found together with the model.
  void thresholds_descend_with_the_model() {
    const Scan s = scan();
    const at::Tensor measured = model_absorption(three_bins(), s.lengths);
    const at::Tensor image = s.labels.to(at::kDouble);
    for (const SpectralMethod method : {SpectralMethod::isp, SpectralMethod::joint}) {
      SpectralSpec spec;
      spec.method = method;
      std::vector<double> losses;
      spec.report = [&](const SpectralStep& step) { losses.push_back(step.loss); };
      const SpectralTask task{measured.view(s.project->range()), s.project, [&](const at::Tensor&) { return image; }};
      const SpectralCorrection c = correct_spectral(task, spec);
      QVERIFY(c.handed_back.empty());
      QVERIFY(c.labels.equal(s.labels));
      QVERIFY2(!losses.empty() && std::sqrt(c.loss) < 1e-3, std::to_string(std::sqrt(c.loss)).c_str());
      QVERIFY(c.evaluations > 0 && c.model.at(1, 0) > c.model.at(1, 2));
    }
  }

  void nothing_to_correct_is_handed_back() {
    const Scan s = scan(24, 12);
    const at::Tensor object = model_absorption(three_bins(), s.lengths).view(s.project->range());
    const auto handed_back = [&](const at::Tensor& views, const at::Tensor& image, int64_t classes) {
      SpectralSpec spec;
      spec.classes = classes;
      const SpectralTask task{views, s.project, [&](const at::Tensor&) { return image; }};
      const SpectralCorrection c = correct_spectral(task, spec);
      return !c.handed_back.empty() && c.corrected.equal(views) && c.labels.abs().max().item<int>() == 0;
    };
    const at::Tensor image = s.labels.to(at::kDouble);
    QVERIFY(handed_back(at::zeros_like(object), at::zeros_like(image), 3));
    QVERIFY(handed_back(object, at::zeros_like(image), 3));  // one grey value: an empty mask
    QVERIFY(handed_back(object, image, 1));
    QVERIFY(handed_back(0.01 * test::gaussian(object.sizes().vec(), at::kDouble, 6),
                        0.01 * test::gaussian(image.sizes().vec(), at::kDouble, 7), 3));
    QVERIFY(handed_back(object, -image, 3));
  }

  void shapes_that_do_not_fit_are_refused() {
    const Scan s = scan(16, 5);
    QVERIFY_THROWS_EXCEPTION(Failure, (void)polychromatic_absorption(s.lengths, vec({1, 2}).view({1, 2}), vec({1, 1})));
    QVERIFY_THROWS_EXCEPTION(
        Failure, (void)correct_spectral(
                     {at::zeros({2, 1, 16}, at::kDouble), s.project, [](const at::Tensor& x) { return x; }}, {}));
  }

  void cancelled() {
    SpectralFitSpec spec;
    spec.cancel.cancel();
    const Scan s = scan(16, 5);
    QVERIFY_THROWS_EXCEPTION(
        Failure, (void)fit_spectrum(s.lengths, model_absorption(three_bins(), s.lengths), three_bins(), spec));
  }
};

TL_TEST_CASE(Spectral)

}  // namespace tl::spectral_test

#include "spectral.moc"
