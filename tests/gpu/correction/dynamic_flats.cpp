// Dynamic flats: the right number of components, recovered weights of views, and rings of drift vanish.
#include "gpu/correction/flats/dynamic_flats.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "gpu/correction/flats/flat_field.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::dynamic_flats_test {

using namespace tl::ops;

namespace {

constexpr int64_t rows = 48, cols = 64;

struct Scan {
  at::Tensor mean, modes, flats, darks, weights, truth, views;
};

// Two fixed patterns whose strength changes from flat to flat and from view to view; an object in the middle.
Scan scan(double noise) {
  Scan s;
  const at::Tensor r = at::arange(rows, at::kDouble).view({rows, 1}), c = at::arange(cols, at::kDouble).view({1, cols});
  s.mean = 1000 + 100 * (0.3 * r).sin() * (0.2 * c).cos();
  s.modes = at::stack({60 * (0.7 * r + 0.1 * c).sin(), 40 * (0.5 * c - 0.3 * r).cos()});
  const auto bright = [&](const at::Tensor& w) {
    return s.mean + w[0].item<double>() * s.modes[0] + w[1].item<double>() * s.modes[1];
  };
  s.darks = at::full({3, rows, cols}, 100.0, at::kDouble);
  std::vector<at::Tensor> flats, views;
  const at::Tensor random = test::gaussian({20, 2}, at::kDouble, 1);
  for (int64_t i = 0; i < 20; ++i)
    flats.push_back(100 + bright(random[i]) +
                    noise * test::gaussian({rows, cols}, at::kDouble, 30 + static_cast<uint64_t>(i)));
  s.flats = at::stack(flats);
  s.weights = test::gaussian({6, 2}, at::kDouble, 2);
  const at::Tensor inside = ((r - 24).square() + (c - 32).square()).lt(200);
  s.truth =
      at::where(inside, at::full({}, 0.6, at::kDouble), at::ones({}, at::kDouble)).expand({6, rows, cols}).contiguous();
  for (int64_t v = 0; v < 6; ++v)
    views.push_back(100 + bright(s.weights[v]) * s.truth[v] +
                    noise * test::gaussian({rows, cols}, at::kDouble, 60 + static_cast<uint64_t>(v)));
  s.views = at::stack(views);
  return s;
}

// Root mean square error of the transmission where the beam is free.
double background_error(const at::Tensor& transmission, const Scan& s) {
  const at::Tensor free = s.truth.eq(1);
  return std::sqrt((transmission - 1).masked_select(free).square().mean().item<double>());
}

}  // namespace

class DynamicFlatsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void without_noise_the_transmission_is_exact() {
    const Scan s = scan(0);
    const FlatModel model = make_flat_model({s.flats, s.darks, 2}).or_throw();
    const DynamicFlatFieldResult done = dynamic_flat_field(s.views, model, {1, {}}).or_throw();
    const double error = test::max_difference(done.transmission, s.truth);
    QVERIFY2(error < 1e-6, std::to_string(error).c_str());
    const double single = test::max_difference(
        dynamic_flat_field(s.views.to(at::kFloat), model, {1, {}}).or_throw().transmission, s.truth);
    QVERIFY2(single < 1e-5, std::to_string(single).c_str());
  }
  void components_are_orthogonal_and_one_deviation_long() {
    const Scan s = scan(3);
    const FlatModel m = make_flat_model({s.flats, s.darks, 3}).or_throw();
    const at::Tensor flat = m.components.view({3, -1});
    for (int64_t a = 0; a < 3; ++a)
      for (int64_t b = 0; b < a; ++b)
        QVERIFY(std::abs(inner_product(flat[a], flat[b])) < 1e-9 * total_of_squares(flat[0]));
    // The sum of all variances is that of the flats.
    const FlatModel all = make_flat_model({s.flats, s.darks, 19}).or_throw();
    const double sum = total_of_squares(all.components), own = total_of_squares(s.flats - 100 - all.mean) / 19;
    QVERIFY(std::abs(sum - own) < 1e-9 * own);
  }
  void parallel_analysis_keeps_what_is_not_noise() {
    QCOMPARE(make_flat_model({scan(3).flats, scan(3).darks, {}}).or_throw().components.size(0), int64_t{2});
    const at::Tensor noise = 1000 + 5 * test::gaussian({15, rows, cols}, at::kDouble, 3);
    QCOMPARE(make_flat_model({noise, {}, {}}).or_throw().components.size(0), int64_t{0});
  }
  void with_noise_it_beats_the_mean_flat() {
    const Scan s = scan(10);
    const FlatModel model = make_flat_model({s.flats, s.darks, {}}).or_throw();
    FlatFieldSpec plain;
    plain.flats = s.flats;
    plain.darks = s.darks;
    const double usual = background_error(flat_field(s.views, plain).or_throw().transmission, s);
    const double dynamic = background_error(dynamic_flat_field(s.views, model, {2, {}}).or_throw().transmission, s);
    qInfo("background error %.4f with the mean flat, %.4f with dynamic flats", usual, dynamic);
    QVERIFY(dynamic < 0.5 * usual);
    QVERIFY(dynamic < 0.02);  // the noise itself is 0.01
  }
  void bits_do_not_depend_on_threads() {
    const Scan s = scan(10);
    const auto run = [&] {
      return dynamic_flat_field(s.views, make_flat_model({s.flats, s.darks, {}}).or_throw(), {2, {}})
          .or_throw()
          .transmission;
    };
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = run();
    at::set_num_threads(2);
    const at::Tensor two = run();
    at::set_num_threads(before);
    QVERIFY(one.equal(two));
  }
  void what_cannot_work_is_refused() {
    const Scan s = scan(0);
    QVERIFY(!make_flat_model({s.flats.narrow(0, 0, 1), {}, {}}).ok());
    QVERIFY(!make_flat_model({s.flats, s.darks, 20}).ok());
    QVERIFY(!make_flat_model({s.flats, s.darks.narrow(1, 0, 3), {}}).ok());
    const FlatModel model = make_flat_model({s.flats, s.darks, 1}).or_throw();
    QVERIFY(!dynamic_flat_field(s.views.narrow(1, 0, 3), model, {}).ok());
  }
};

TL_TEST_CASE(DynamicFlatsTest)

}  // namespace tl::dynamic_flats_test

#include "dynamic_flats.moc"
