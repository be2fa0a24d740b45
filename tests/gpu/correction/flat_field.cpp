// Flat-field correction: round trip, drifting flats, repairs, exact adjoint through autograd, refusals.
#include "gpu/correction/flats/flat_field.h"

#include <cmath>
#include <limits>

#include "gpu/correction/flats/flat_references.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::flat_field_test {

using namespace tl::ops;

namespace {
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

struct Scan {
  at::Tensor truth, data;
  FlatFieldSpec spec;
};
// 6 views of 4 x 10 pixels; flats 1000 to 1400, dark 90 to 110.
Scan scan(at::ScalarType type) {
  Scan s;
  s.truth = at::sigmoid(test::gaussian({6, 4, 10}, at::kDouble, 1)).to(type);
  const at::Tensor flat = 1200 + 100 * test::gaussian({1, 4, 10}, at::kDouble, 2).clamp(-2, 2).to(type);
  const at::Tensor dark = 100 + 5 * test::gaussian({1, 4, 10}, at::kDouble, 3).clamp(-2, 2).to(type);
  s.spec.flats = flat.repeat({5, 1, 1});
  s.spec.darks = dark.repeat({3, 1, 1});
  s.data = dark + s.truth * (flat - dark);
  return s;
}
}  // namespace

class FlatFieldTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void gives_back_the_transmission() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const auto average : {FrameAverage::mean, FrameAverage::median}) {
        Scan s = scan(type);
        s.spec.flat_average = s.spec.dark_average = average;
        const FlatFieldResult f = flat_field(s.data, s.spec).or_throw();
        QVERIFY(f.transmission.scalar_type() == type && f.repaired == 0 && f.dead_rows == 0);
        // counts of 1200 carry 6e-5 in float32, divided by a flat of about 1000
        QVERIFY(test::max_difference(f.transmission, s.truth) < (type == at::kFloat ? 5e-7 : 1e-14));
      }
  }
  void median_ignores_an_outlier_and_mean_ignores_nan() {
    Scan s = scan(at::kDouble);
    s.spec.flats[2][1][3] = 1e6;
    s.spec.flat_average = FrameAverage::median;
    QVERIFY(test::max_difference(flat_field(s.data, s.spec).or_throw().transmission, s.truth) < 1e-14);
    s.spec.flats[2][1][3] = nan_value;
    s.spec.flat_average = FrameAverage::mean;
    QVERIFY(test::max_difference(flat_field(s.data, s.spec).or_throw().transmission, s.truth) < 1e-14);
    const at::Tensor even = at::tensor({4.0, 1.0, 10.0, 2.0}).view({4, 1, 1});
    QCOMPARE(average_frames(even, FrameAverage::median).item<double>(), 3.0);
  }
  void flats_that_drift_are_interpolated() {
    // The beam falls linearly from 1000 to 700 over views -1 ... 5; flats in two bursts and one in the middle.
    const auto beam = [](double position) { return 1000 - 50 * (position + 1); };
    Scan s = scan(at::kDouble);
    std::vector<double> positions = {5, -1, 2, -1, 5};  // unsorted
    std::vector<at::Tensor> flats, views;
    for (const double p : positions) flats.push_back(at::full({4, 10}, beam(p), at::kDouble));
    for (int v = 0; v < 6; ++v) views.push_back(s.truth[v] * beam(v));
    s.spec.flats = at::stack(flats);
    s.spec.darks = at::Tensor();
    s.spec.flat_positions = positions;
    s.spec.change = FlatChange::interpolate;
    const at::Tensor data = at::stack(views);
    QVERIFY(test::max_difference(flat_field(data, s.spec).or_throw().transmission, s.truth) < 1e-14);
    // a region of the scan knows where its views lie
    s.spec.view_positions = {3, 4};
    const at::Tensor part = flat_field(data.narrow(0, 3, 2), s.spec).or_throw().transmission;
    QVERIFY(test::max_difference(part, s.truth.narrow(0, 3, 2)) < 1e-14);
    s.spec.flat_positions.pop_back();
    QVERIFY(!flat_field(data, s.spec).ok());
  }
  // Two parts of a scan with flats of their own, which stand with the first and the last view of each part: no view
  // takes any of the other part's.
  void flats_one_view_apart_are_not_averaged() {
    Scan s = scan(at::kDouble);
    const auto beam = [](int64_t view) { return view < 3 ? 1000.0 : 400.0; };
    std::vector<at::Tensor> flats, views;
    for (const int64_t with : {0, 2, 3, 5}) flats.push_back(at::full({4, 10}, beam(with), at::kDouble));
    for (int64_t v = 0; v < 6; ++v) views.push_back(s.truth[v] * beam(v));
    s.spec.flats = at::stack(flats);
    s.spec.darks = at::Tensor();
    s.spec.flat_positions = {0, 2, 3, 5};
    s.spec.change = FlatChange::interpolate;
    QVERIFY(test::max_difference(flat_field(at::stack(views), s.spec).or_throw().transmission, s.truth) < 1e-14);
  }
  void bad_pixels_are_counted_and_filled_from_their_row() {
    Scan s = scan(at::kDouble);
    // row 0: first pixel; row 1: two neighbours; row 2: last pixel NaN in the dark; row 3: all
    s.spec.flats.select(1, 0).select(1, 0).fill_(0);
    s.spec.flats.select(1, 1).narrow(1, 4, 2).fill_(nan_value);
    s.spec.darks.select(1, 2).select(1, 9).fill_(nan_value);
    s.spec.flats.select(1, 3).fill_(50);
    const FlatFieldResult f = flat_field(s.data, s.spec).or_throw();
    QCOMPARE(f.repaired, 4);
    QCOMPARE(f.dead_rows, 1);
    at::Tensor expected = s.truth.clone();
    expected.select(1, 0).select(1, 0).copy_(s.truth.select(1, 0).select(1, 1));
    const at::Tensor left = s.truth.select(1, 1).select(1, 3), right = s.truth.select(1, 1).select(1, 6);
    expected.select(1, 1).select(1, 4).copy_(left + (right - left) / 3);
    expected.select(1, 1).select(1, 5).copy_(left + (right - left) * 2 / 3);
    expected.select(1, 2).select(1, 9).copy_(s.truth.select(1, 2).select(1, 8));
    expected.select(1, 3).fill_(1);
    QVERIFY(test::max_difference(f.transmission, expected) < 1e-13);

    // Autograd's backward is the transpose of the same map: <J d, y> = <d, J^T y>.
    at::Tensor x = s.data.clone().requires_grad_();
    const at::Tensor y = test::gaussian({6, 4, 10}, at::kDouble, 8), d = test::gaussian({6, 4, 10}, at::kDouble, 9);
    flat_field(x, s.spec).or_throw().transmission.backward(y);
    const at::Tensor jd = flat_field(s.data + d, s.spec).or_throw().transmission - f.transmission;
    QVERIFY(std::abs(inner_product(jd, y) - inner_product(d, x.grad())) <
            1e-12 * std::sqrt(total_of_squares(jd) * total_of_squares(y)));
    QVERIFY(x.grad().select(1, 3).abs().max().item<double>() == 0);
  }
  // Without anything to repair, division and logarithm are one loop: against the formula in double.
  void absorption_in_one_loop() {
    for (const auto change : {FlatChange::constant, FlatChange::interpolate})
      for (const auto input : {InputUse::keep, InputUse::overwrite})
        for (const auto nans : {NanPolicy::keep, NanPolicy::transparent}) {
          Scan s = scan(at::kFloat);
          s.spec.change = change;
          s.spec.flat_positions = {-1, -1, 6, 6, 6};
          s.spec.flats.narrow(0, 2, 3).mul_(change == FlatChange::interpolate ? 1.2 : 1.0);
          s.spec.logarithm = MinusLogSpec{0.4, nans};
          s.spec.input = input;
          s.data.select(0, 2).select(0, 1).select(0, 8).fill_(nan_value);
          const at::Tensor dark = s.spec.darks.select(0, 0).to(at::kDouble),
                           first = s.spec.flats.select(0, 0).to(at::kDouble),
                           last = s.spec.flats.select(0, 4).to(at::kDouble);
          const at::Tensor share = (at::arange(6, at::kDouble).view({6, 1, 1}) + 1) / 7;
          const at::Tensor transmission = (s.data.to(at::kDouble) - dark) / (first + share * (last - first) - dark);
          at::Tensor expected = -transmission.clamp_min(0.4).log();
          if (nans == NanPolicy::transparent) expected = at::nan_to_num(expected, 0.0);
          const FlatFieldResult f = flat_field(s.data, s.spec).or_throw();
          const at::Tensor& out = f.logarithm.absorption;
          QVERIFY(at::equal(out.isnan(), expected.isnan()));
          // As above for the transmission, over the floor of 0.4.
          QVERIFY(test::max_difference(at::nan_to_num(out), at::nan_to_num(expected)) < 5e-7 / 0.4);
          QCOMPARE(f.logarithm.nans, 1);
          QCOMPARE(f.logarithm.floored, transmission.lt(0.4).sum().item<int64_t>());
          QVERIFY(f.logarithm.floored > 0 && out.is_alias_of(s.data) == (input == InputUse::overwrite));
        }
  }
  void one_pass_equals_the_differentiable_steps() {
    // Without a gradient all steps run in one pass; with one, torch's operations are composed.
    for (const auto type : {at::kFloat, at::kDouble})
      for (const bool logarithm : {false, true}) {
        Scan s = scan(type);
        s.spec.flats.select(1, 0).select(1, 0).fill_(0);
        s.spec.flats.select(1, 1).narrow(1, 4, 2).fill_(nan_value);
        s.spec.flats.select(1, 3).fill_(50);
        s.spec.change = FlatChange::interpolate;
        s.spec.flat_positions = {0, 0, 5, 5, 5};
        s.spec.minimum = 0.3;
        s.data.select(0, 2).select(0, 1).select(0, 8).fill_(nan_value);
        if (logarithm) s.spec.logarithm = MinusLogSpec{0.35, NanPolicy::transparent};
        const FlatFieldResult one = flat_field(s.data, s.spec).or_throw();
        const FlatFieldResult steps = flat_field(s.data.clone().requires_grad_(), s.spec).or_throw();
        const at::Tensor a = logarithm ? one.logarithm.absorption : one.transmission;
        const at::Tensor b = (logarithm ? steps.logarithm.absorption : steps.transmission).detach();
        QVERIFY(at::equal(a.isnan(), b.isnan()) && a.isnan().any().item<bool>() != logarithm);
        QVERIFY(test::max_difference(at::nan_to_num(a), at::nan_to_num(b)) < (type == at::kFloat ? 3e-7 : 1e-15));
        QVERIFY(one.repaired == steps.repaired && one.dead_rows == 1);
        QVERIFY(one.logarithm.floored == steps.logarithm.floored && one.logarithm.nans == steps.logarithm.nans);
        QCOMPARE(one.logarithm.nans, logarithm ? 1 : 0);
        QVERIFY(!logarithm || one.logarithm.floored > 0);
      }
    Scan s = scan(at::kFloat);
    s.spec.logarithm = MinusLogSpec{0, NanPolicy::keep};
    QVERIFY(!flat_field(s.data, s.spec).ok());
  }
  void prepared_references_and_results_in_place() {
    for (const auto type : {at::kFloat, at::kDouble}) {
      Scan s = scan(type);
      s.spec.logarithm = MinusLogSpec{};
      s.spec.change = FlatChange::interpolate;
      s.spec.flat_positions = {0, 0, 5, 5, 5};
      const at::Tensor plain = flat_field(s.data, s.spec).or_throw().logarithm.absorption;
      s.spec.prepared = prepare_flats(s.spec).or_throw();
      s.spec.flats = s.spec.darks = at::Tensor();
      const at::Tensor before = s.data.clone();
      QVERIFY(at::equal(flat_field(s.data, s.spec).or_throw().logarithm.absorption, plain));
      QVERIFY(at::equal(s.data, before));
      s.spec.view_positions = {2, 3};
      QVERIFY(
          at::equal(flat_field(s.data.narrow(0, 2, 2), s.spec).or_throw().logarithm.absorption, plain.narrow(0, 2, 2)));
      s.spec.view_positions = {};
      s.spec.input = InputUse::overwrite;
      const at::Tensor over = flat_field(s.data, s.spec).or_throw().logarithm.absorption;
      QVERIFY(at::equal(over, plain) && over.data_ptr() == s.data.data_ptr());
      QVERIFY(!flat_field(s.data.narrow(2, 0, 9).contiguous(), s.spec).ok());
    }
  }
  // The size that a cache is given for the references is that of their images, however many groups of flats there are.
  void their_memory_is_that_of_their_images() {
    Scan s = scan(at::kFloat);
    const auto check_bytes = [&](std::size_t groups) {
      const auto prepared = prepare_flats(s.spec).or_throw();
      QCOMPARE(prepared->signals(at::kDouble).size(), groups);
      int64_t bytes = 0;
      for (const auto type : {at::kFloat, at::kDouble}) {
        bytes += static_cast<int64_t>(prepared->dark(type).nbytes());
        for (const at::Tensor& signal : prepared->signals(type)) bytes += static_cast<int64_t>(signal.nbytes());
      }
      QCOMPARE(flat_references_bytes(s.spec), bytes);
    };
    check_bytes(1);
    s.spec.darks = at::Tensor();
    check_bytes(1);
    s.spec.change = FlatChange::interpolate;
    QCOMPARE(flat_references_bytes(s.spec), int64_t{0});  // no positions
    s.spec.flat_positions = {0, 0, 5, 5, 5};
    check_bytes(2);
    s.spec.flat_positions = {5, 0, 2, 0.5, 1};  // 0, 0.5 and 1 follow each other closely
    check_bytes(3);
    s.spec.flat_positions = {0, 1, 2, 3, 4};
    check_bytes(5);
  }
  void minimum_and_refusals() {
    Scan s = scan(at::kFloat);
    s.spec.minimum = 0.4;
    QVERIFY(flat_field(s.data, s.spec).or_throw().transmission.min().item<double>() >= 0.4f);
    FlatFieldSpec none;
    const auto missing = flat_field(s.data, none);
    QVERIFY(!missing.ok() && missing.error().kind == ErrorKind::invalid && !missing.error().hint.empty());
    QVERIFY(!flat_field(s.data.narrow(2, 0, 9), s.spec).ok());
    s.spec.darks = s.spec.flats + 1;
    QVERIFY(!flat_field(s.data, s.spec).ok());
  }
};

TL_TEST_CASE(FlatFieldTest)

}  // namespace tl::flat_field_test

#include "flat_field.moc"
