// Shifts between frames: fixtures of FlexAlign, pairs that disagree, local shifts, and frames that show nothing.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "gpu/alignment/frames/local_shifts.h"
#include "tests/support/frames/burst.h"
#include "tests/support/test_case.h"

namespace tl::frames_test {

using namespace tl::ops;

namespace {

std::vector<FramePair> pairs_of(const at::Tensor& frames, double reach = 32, double resolution = 8) {
  return pair_shifts({frames, resolution, reach, {}}).or_throw();
}
FrameShifts shifts_of(const at::Tensor& frames, double reach = 32, double resolution = 8) {
  return frame_shifts({frames, resolution, reach, {}}).or_throw();
}

// A pair as it would be measured.
FramePair measured(int64_t first, int64_t second, double x, double y) {
  FramePair p;
  p.first = first, p.second = second;
  p.x = {x, x, x}, p.y = {y, y, y};
  p.significance = 100;
  return p;
}

// Lines at unequal distances along rows and columns, moved by (x, y).
at::Tensor grid_image(int64_t size, double x, double y) {
  const at::Tensor at_pixel = at::arange(size, at::kDouble);
  const auto lines = [&](double shift) {
    at::Tensor sum = at::zeros({size}, at::kDouble);
    for (const double place : {-31.0, -12.0, 11.0, 23.0, 52.0, 71.0, 83.0, 117.0, 140.0, 149.0, 178.0, 203.0})
      sum += at::exp(-0.5 * ((at_pixel - place - shift) / 1.5).square());
    return sum;
  };
  return (lines(y).unsqueeze(1) + lines(x).unsqueeze(0)).to(at::kFloat);
}

}  // namespace

class FramesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // The fixture of FlexAlign's own test: shift(i, j) = j - i along both axes.
  void a_bright_pixel_on_the_diagonal_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    QTest::addColumn<int>("frames");
    QTest::newRow("42 x 24 x 10") << 24 << 42 << 10;
    QTest::newRow("24 x 42 x 10") << 42 << 24 << 10;
    QTest::newRow("36 x 86 x 17") << 86 << 36 << 17;
  }
  void a_bright_pixel_on_the_diagonal() {
    QFETCH(int, rows);
    QFETCH(int, cols);
    QFETCH(int, frames);
    at::Tensor movie = at::zeros({frames, rows, cols}, at::kFloat);
    for (int64_t i = 0; i < frames; ++i) movie[i][i + 4][i + 4] = 1;
    constexpr double tolerance = 1e-4;  // [px], issue 50
    for (const FramePair& p : pairs_of(movie, 20)) {
      const auto expected = static_cast<double>(p.second - p.first);
      QVERIFY2(std::abs(p.x[0] - expected) < tolerance && std::abs(p.y[0] - expected) < tolerance,
               qPrintable(QString("%1 to %2: %3, %4").arg(p.first).arg(p.second).arg(p.x[0]).arg(p.y[0])));
    }
  }
  void a_grid_moves_by_2_and_3_pixels_a_frame() {
    std::vector<at::Tensor> frames;
    for (int64_t n = 0; n < 10; ++n)
      frames.push_back(grid_image(192, 2.0 * static_cast<double>(n), 3.0 * static_cast<double>(n)));
    const FrameShifts s = shifts_of(at::stack(frames), 40);
    constexpr double tolerance = 0.02;  // [px], issue 50
    for (std::size_t n = 1; n < s.x.size(); ++n) {
      QVERIFY2(std::abs(s.x[n] - s.x[n - 1] - 2) < tolerance, qPrintable(QString::number(s.x[n] - s.x[n - 1])));
      QVERIFY2(std::abs(s.y[n] - s.y[n - 1] - 3) < tolerance, qPrintable(QString::number(s.y[n] - s.y[n - 1])));
    }
    QVERIFY(s.reference == 4 || s.reference == 5);  // in the middle of the way
  }
  void consistent_pairs_give_their_shifts() {
    const FrameShifts s = shifts_of_pairs({measured(0, 1, 1, 0), measured(0, 2, 2, 0), measured(1, 2, 1, 0)}, 3);
    QVERIFY(std::abs(s.x[1] - s.x[0] - 1) < 1e-9 && std::abs(s.x[2] - s.x[1] - 1) < 1e-9);
    QCOMPARE(s.reference, 1);
    QCOMPARE(s.left_out, 0);
  }
  void a_wrong_pair_is_left_out() {
    std::vector<FramePair> pairs;
    const auto x = [](int64_t i) { return 0.7 * static_cast<double>(i * i) - static_cast<double>(i); };
    for (int64_t i = 0; i < 10; ++i)
      for (int64_t j = i + 1; j < 10; ++j)
        pairs.push_back(measured(i, j, x(j) - x(i), 0.2 * static_cast<double>(j - i)));
    pairs[13].x[0] += 40;
    const FrameShifts s = shifts_of_pairs(pairs, 10);
    constexpr double tolerance = 0.01;  // [px], issue 50
    for (int64_t i = 0; i < 10; ++i) {
      const auto at = static_cast<std::size_t>(i);
      QVERIFY(std::abs(s.x[at] - s.x[0] - x(i)) < tolerance);
    }
    QCOMPARE(s.left_out, 1);
  }
  // One frame of another object, and one that is empty: the others are as exact as without them.
  void frames_that_do_not_belong() {
    test::BurstSpec spec;
    spec.frames = 8;
    const auto motion = [](int64_t n, double, double) -> std::array<double, 2> {
      return {0.8 * static_cast<double>(n), -0.35 * static_cast<double>(n)};
    };
    at::Tensor frames = test::burst(spec, motion);
    test::BurstSpec other = spec;
    other.seed = 9;
    frames[3].copy_(test::burst(other, motion)[3]);
    frames[6].fill_(2.5);
    const FrameShifts s = shifts_of(frames);
    QVERIFY(!s.known[3] && !s.known[6]);
    constexpr double tolerance = 0.05;  // [px]: blobs come into sight at the edges
    for (const std::size_t n : {1U, 2U, 4U, 5U, 7U}) {
      QVERIFY(s.known[n]);
      const double x = s.x[n] - s.x[0], expected = 0.8 * static_cast<double>(n);
      QVERIFY2(std::abs(x - expected) < tolerance, qPrintable(QString::number(x - expected)));
      QVERIFY(std::abs(s.y[n] - s.y[0] + 0.35 * static_cast<double>(n)) < tolerance);
    }
  }
  // What is stated as one sigma is about the error that is made.
  void sigma_is_the_error() {
    double squares = 0, stated = 0, values = 0;
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
      test::BurstSpec spec;
      spec.seed = seed;
      spec.frames = 8;
      spec.noise = 1.5;
      const auto motion = [](int64_t n, double, double) -> std::array<double, 2> {
        return {0.4 * static_cast<double>(n), 0.3 * static_cast<double>(n)};
      };
      const FrameShifts s = shifts_of(test::burst(spec, motion));
      double mean = 0;
      for (std::size_t n = 0; n < s.x.size(); ++n) mean += (s.x[n] - 0.4 * static_cast<double>(n)) / 8;
      for (std::size_t n = 0; n < s.x.size(); ++n, ++values)
        squares += std::pow(s.x[n] - 0.4 * static_cast<double>(n) - mean, 2);
      stated += 8 * s.sigma_x * s.sigma_x;
    }
    const double ratio = std::sqrt(squares / stated);
    qInfo("error %.4f px, over sigma %.2f", std::sqrt(squares / values), ratio);
    QVERIFY2(ratio > 0.5 && ratio < 2, qPrintable(QString::number(ratio)));  // 32 values of each
  }
  void drift_and_doming_are_found() {
    test::BurstSpec spec;
    spec.frames = 12;
    spec.noise = 0.25;
    const test::Motion motion = test::drift_and_doming(spec, 4, 2);
    const at::Tensor frames = test::burst(spec, motion);
    LocalShiftsSpec local;
    local.pairs = {frames, 6, 32, {}};
    local.global = shifts_of(frames, 32, local.pairs.resolution);
    local.patch = 40;
    const LocalShifts found = local_shifts(local).or_throw();
    QVERIFY2(found.known >= found.patches - 1, qPrintable(QString::number(found.known)));
    QVERIFY(found.rms > 3 * found.sigma);
    const auto reference = local.global.reference;
    double squares = 0, values = 0;
    for (int64_t n = 0; n < spec.frames; ++n) {
      const at::Tensor at = positions_in_frame(local.global, found.spline, n, {spec.rows, spec.cols})[0];
      for (const int64_t r : {30, 64, 98})
        for (const int64_t c : {30, 64, 98}) {
          // The point that lies at (r, c) in the reference lies elsewhere at the time of frame n.
          double row = static_cast<double>(r), col = static_cast<double>(c);
          for (int step = 0; step < 20; ++step) {
            const auto [x, y] = motion(reference, row, col);
            row = static_cast<double>(r) - y, col = static_cast<double>(c) - x;
          }
          const auto [x, y] = motion(n, row, col);
          squares +=
              std::pow(at[1][r][c].item<double>() - (col + x), 2) + std::pow(at[0][r][c].item<double>() - (row + y), 2);
          values += 2;
        }
    }
    const double error = std::sqrt(squares / values);
    qInfo("rms error %.3f px, local shifts %.2f +- %.3f px", error, found.rms, found.sigma);
    QVERIFY2(error < 0.1, qPrintable(QString::number(error)));  // issue 50
  }
  // A spline of degree 3 in each direction has every straight line, also where samples leave points open.
  void a_spline_continues_lines() {
    std::vector<SplineSample> samples;
    for (const double f : {0.0, 4.0})
      for (const double r : {10.0, 50.0})
        for (const double c : {20.0, 70.0}) samples.push_back({f, r, c, 0.01 * c + 0.1 * f, 0.02 * r - 0.3});
    const FrameSpline s = FrameSpline::fitted({5, 60, 90}, {5, 6, 6}, samples);
    const at::Tensor found = s.displacement(2);
    constexpr double tolerance = 1e-3;  // of the stiffness
    QVERIFY2(std::abs(found[1][30][45].item<double>() - 0.65) < tolerance,
             qPrintable(QString::number(found[1][30][45].item<double>())));
    QVERIFY(std::abs(found[0][30][45].item<double>() - 0.3) < tolerance);
    QVERIFY(std::abs(s.at({2, 30, 45})[1] - found[1][30][45].item<double>()) < 1e-9);
  }
  void noise_alone_is_insignificant() {
    const at::Tensor frames = at::randn({6, 64, 64}, at::TensorOptions(at::kFloat));
    QVERIFY(!frames_agree(shifts_of(frames), 32));
  }
  void the_end_of_the_range_is_seen() {
    test::BurstSpec spec;
    spec.frames = 4;
    const at::Tensor frames = test::burst(spec, [](int64_t n, double, double) -> std::array<double, 2> {
      return {6.0 * static_cast<double>(n), 0};
    });
    QVERIFY(shifts_of(frames, 4).at_reach);
    QVERIFY(!shifts_of(frames, 32).at_reach);
  }
  void faults() {
    QVERIFY(!pair_shifts({at::zeros({1, 8, 8}), 8, 4, {}}).ok());
    QVERIFY(!pair_shifts({at::zeros({3, 3, 8}), 8, 4, {}}).ok());
    QVERIFY(!pair_shifts({at::zeros({3, 8, 8}), 1, 4, {}}).ok());
    QVERIFY(!pair_shifts({at::zeros({3, 8, 8}), 8, 0, {}}).ok());
    CancelToken cancel;
    cancel.cancel();
    QVERIFY_EXCEPTION_THROWN((void)pair_shifts({at::zeros({3, 8, 8}), 8, 4, cancel}), Failure);
  }
};

TL_TEST_CASE(FramesTest)

}  // namespace tl::frames_test

#include "frames.moc"
