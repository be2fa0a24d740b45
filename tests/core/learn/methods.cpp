// Descents on functions whose minima are known, whatever the size of their numbers.
#include <cmath>

#include "core/learn/descent/descent.h"
#include "core/learn/descent/symmetric.h"
#include "tests/support/test_case.h"

namespace tl::methods_test {

using learn::DescentTask;
using learn::Method;
using learn::Point;
using learn::Vector;

namespace {

DescentTask task_of(std::function<Point(const Vector&)> f, Vector start, Method method) {
  DescentTask t;
  t.evaluate = [f = std::move(f)](const Vector& z, int64_t) -> Result<Point> { return f(z); };
  t.keep_going = [](const Point&, const Point&, int64_t) -> Result<bool> { return true; };
  t.low.assign(start.size(), -1e3);
  t.high.assign(start.size(), 1e3);
  t.start = std::move(start);
  t.method = method;
  t.stop.iterations = 400;
  t.stop.patience = 100;
  t.stop.tolerance = 1e-3;
  return t;
}

learn::Descent run(const DescentTask& t) { return learn::descend(t).or_throw(); }

// scale * sum of c_i (z_i - i)^2 / 2, with a coupling.
Point bowl(const Vector& z, double scale) {
  Point p{z, 0, Vector(z.size())};
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double c = 1 + static_cast<double>(i), d = z[i] - static_cast<double>(i + 1);
    p.loss += 0.5 * scale * c * d * d;
    p.gradient[i] = scale * c * d;
  }
  return p;
}

// A valley that is not convex further out: -exp(-d^2/2 w^2), gradients vanish far away.
Point hollow(const Vector& z) {
  const double width = 9, d = z[0] - 17, e = std::exp(-0.5 * d * d / (width * width));
  return {z, -e, {d / (width * width) * e}};
}

}  // namespace

class LearnMethodsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void eigenvalues() {
    learn::Matrix m(3);
    m.a = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    const learn::EigenSystem e = learn::eigen_system(m);
    QVERIFY(std::abs(e.values[0] - (2 - std::sqrt(2.0))) < 1e-12);
    QVERIFY(std::abs(e.values[1] - 2) < 1e-12);
    QVERIFY(std::abs(e.values[2] - (2 + std::sqrt(2.0))) < 1e-12);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector v{e.vectors(0, k), e.vectors(1, k), e.vectors(2, k)}, mv = times(m, v);
      for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(mv[i] - e.values[k] * v[i]) < 1e-12);
    }
  }

  // The matrix of Hilbert, 1 / (i + j + 1), by the closed values of its trace and determinant; and a turned diagonal.
  void eigenvalues_far_apart() {
    constexpr std::size_t n = 5;
    constexpr double rounding = 1e-12;  // of the largest
    learn::Matrix hilbert(n), turned(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) hilbert(i, j) = 1 / static_cast<double>(i + j + 1);
    const learn::EigenSystem h = learn::eigen_system(hilbert);
    double trace = 0, determinant = 1;
    for (const double value : h.values) {
      trace += value;
      determinant *= value;
    }
    QVERIFY(std::abs(trace - (1 + 1.0 / 3 + 1.0 / 5 + 1.0 / 7 + 1.0 / 9)) < rounding);
    // The smallest value, 3.3e-6, is known to rounding of the largest, 1.6.
    QVERIFY(std::abs(determinant * 266716800000.0 - 1) < 1e-9);
    QVERIFY(std::is_sorted(h.values.begin(), h.values.end()));
    // Q D Q' with the reflection Q = 1 - 2 u u', u = (1, 1, 1, 1, 1) / sqrt(5).
    const std::vector<double> values = {-3, -1e-3, 1e-4, 2, 1e6};
    const auto q = [](std::size_t i, std::size_t k) { return (i == k ? 1 : 0) - 2.0 / n; };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) turned(i, j) += q(i, k) * values[k] * q(j, k);
    const learn::EigenSystem t = learn::eigen_system(turned);
    for (std::size_t k = 0; k < n; ++k) QVERIFY(std::abs(t.values[k] - values[k]) < rounding * 1e6);
    for (std::size_t i = 0; i < n; ++i) QVERIFY(std::abs(std::abs(t.vectors(i, 4)) - std::abs(q(i, 4))) < rounding);
    QVERIFY(learn::eigen_system(learn::Matrix(0)).values.empty());
  }

  void positive_parts() {
    learn::Matrix mixed(2), sound(2);
    mixed.a = {0, 2, 2, 0};  // eigenvalues -2 and 2
    sound.a = {2, -1, -1, 2};
    const learn::Matrix part = positive_part(mixed), same = positive_part(sound);
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(part.a[i] - 1) < 1e-12);
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(same.a[i] - sound.a[i]) < 1e-12);
  }

  // Along the bent valley 100 (y - x^2)^2 + (1 - x)^2 (Rosenbrock, 1960) long steps fail: the length that failed is not
  // tried again at once, so that fewer trials are needed.
  void bent_valleys_need_few_trials() {
    int64_t trials = 0, failed = 0;
    double best = HUGE_VAL;
    const auto valley = [&](const Vector& z) {
      const double x = 0.1 * z[0], y = 0.1 * z[1], bend = y - x * x;  // ten natural steps to 1
      Point p{z, 100 * bend * bend + (1 - x) * (1 - x), {0.1 * (-400 * x * bend - 2 * (1 - x)), 0.1 * 200 * bend}};
      ++trials;
      failed += p.loss > best ? 1 : 0;
      best = std::min(best, p.loss);
      return p;
    };
    const auto d = run(task_of(valley, {-12, 10}, Method::newton));
    const std::string text = std::to_string(failed) + " of " + std::to_string(trials) + " trials failed";
    QVERIFY2(trials <= 60, text.c_str());  // 68 if a radius grew back at once
    QVERIFY2(std::abs(d.best.z[0] - 10) < 0.05 && std::abs(d.best.z[1] - 10) < 0.05, text.c_str());
  }

  // The same valley as the squares of two residuals, 10 (y - x^2) and 1 - x, whose slopes give its curvature. What the
  // steps say of it mends an estimate that is ten times too large, or too small, as noise and kinks can make it.
  void given_curvature_saves_trials_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<int>("most");
    QTest::newRow("right") << 1.0 << 30;
    QTest::newRow("ten times too large") << 10.0 << 60;
    QTest::newRow("ten times too small") << 0.1 << 90;
  }
  void given_curvature_saves_trials() {
    QFETCH(double, factor);
    QFETCH(int, most);
    int trials = 0;
    const auto valley = [&](const Vector& z) {
      const double x = 0.1 * z[0], y = 0.1 * z[1], a = 10 * (y - x * x), b = 1 - x, ax = -2 * x, ay = 1, bx = -0.1;
      ++trials;
      return Point{
          z,
          a * a + b * b,
          {2 * (a * ax + b * bx), 2 * a * ay},
          {factor * 2 * (ax * ax + bx * bx), factor * 2 * ax * ay, factor * 2 * ax * ay, factor * 2 * ay * ay}};
    };
    const auto d = run(task_of(valley, {-12, 10}, Method::newton));
    const std::string text = std::to_string(trials) + " trials, " + std::to_string(d.best.z[0]);
    qInfo("%s", text.c_str());
    QVERIFY2(std::abs(d.best.z[0] - 10) < 0.05 && std::abs(d.best.z[1] - 10) < 0.05, text.c_str());
    QVERIFY2(trials <= most, text.c_str());
  }

  // Where the objective cannot give it any more, the last one and what was learned since then lead on.
  void given_curvature_may_end() {
    int trials = 0;
    const auto given_at_first = [&](const Vector& z) {
      Point p = bowl(z, 1);
      if (++trials == 1) p.curvature = {0.2, 0, 0, 0, 0.4, 0, 0, 0, 0.6};  // a fifth of the true one
      return p;
    };
    const auto d = run(task_of(given_at_first, {0, 0, 0}, Method::newton));
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(d.best.z[i] - static_cast<double>(i + 1)) < 0.03);
  }

  // What is settled afterwards is left, but not at a bound, where nothing is.
  void leaves_the_last_step() {
    const auto rounded = [](const Vector& z) {
      const double a = z[0] - 3, b = z[1] - 2.37, la = std::sqrt(1 + a * a), lb = std::sqrt(1 + b * b);
      return Point{z, la + lb, {a / la, b / lb}};
    };
    const auto left = [&](double settled, double high) {
      DescentTask t = task_of(rounded, {0, 0}, Method::newton);
      t.settled = settled;
      t.high[0] = high;
      return run(t);
    };
    const learn::Descent all = left(0, 1e3), most = left(0.1, 1e3), bound = left(0.1, 1);
    QVERIFY(std::abs(all.best.z[0] - 3) < 1e-3 && std::abs(all.best.z[1] - 2.37) < 1e-3);
    QVERIFY(std::abs(most.best.z[0] - 3) < 0.2 && std::abs(most.best.z[1] - 2.37) < 0.2);
    QVERIFY(most.iterations < all.iterations);
    QVERIFY(bound.best.z[0] == 1 && std::abs(bound.best.z[1] - 2.37) < 1e-3);
    for (const learn::Descent& d : {all, most, bound}) QVERIFY(d.reason == learn::StopReason::converged);
  }

  void bowls_of_any_height_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<double>("scale");
    for (const auto m : {Method::newton, Method::sgd, Method::nesterov, Method::adam, Method::lbfgs})
      for (const double scale : {1e-12, 1.0, 1e9})
        QTest::addRow("%s, %g", std::string(learn::to_string(m)).c_str(), scale) << static_cast<int>(m) << scale;
  }
  void bowls_of_any_height() {
    QFETCH(int, method);
    QFETCH(double, scale);
    const auto d =
        run(task_of([scale](const Vector& z) { return bowl(z, scale); }, {0, 0, 0}, static_cast<Method>(method)));
    for (std::size_t i = 0; i < 3; ++i)
      QVERIFY2(std::abs(d.best.z[i] - static_cast<double>(i + 1)) < 0.03,
               (std::to_string(d.best.z[i]) + " after " + std::to_string(d.iterations) + ", " + learn::words(d.reason))
                   .c_str());
  }

  void newton_is_quick_from_afar() {
    const auto d = run(task_of(hollow, {-8}, Method::newton));
    QVERIFY2(std::abs(d.best.z[0] - 17) < 0.01, std::to_string(d.best.z[0]).c_str());
    QVERIFY2(d.iterations <= 14, std::to_string(d.iterations).c_str());
    QCOMPARE(d.reason, learn::StopReason::converged);
  }

  void many_unknowns() {
    for (const auto m : {Method::newton, Method::lbfgs}) {
      const auto d = run(task_of([](const Vector& z) { return bowl(z, 1e-4); }, Vector(40, 0.0), m));
      for (std::size_t i = 0; i < 40; ++i) QVERIFY(std::abs(d.best.z[i] - static_cast<double>(i + 1)) < 0.05);
    }
  }

  void bounds_hold() {
    for (const auto m : {Method::newton, Method::sgd, Method::adam, Method::lbfgs}) {
      DescentTask t = task_of([](const Vector& z) { return bowl(z, 1); }, {0, 0}, m);
      t.high = {0.5, 10};
      const auto d = run(t);
      QVERIFY(d.best.z[0] <= 0.5);
      QVERIFY2(d.best.z[0] > 0.499 && std::abs(d.best.z[1] - 2) < 0.05, std::string(learn::to_string(m)).c_str());
    }
  }

  // Values that the pipeline refuses are no end of the descent: it takes shorter steps. At the start they are an error.
  void refused_values_are_too_far_away() {
    DescentTask t = task_of([](const Vector& z) { return bowl(z, 1); }, {0, 0, 0}, Method::newton);
    const auto plain = t.evaluate;
    int64_t refused = 0;
    t.evaluate = [&](const Vector& z, int64_t iteration) -> Result<Point> {
      if (iteration > 0 && iteration < 4 && z[0] != 0) {
        ++refused;
        return invalid("the detector is behind the source");
      }
      return plain(z, iteration);
    };
    const auto d = run(t);
    const auto free = run(task_of([](const Vector& z) { return bowl(z, 1); }, {0, 0, 0}, Method::newton));
    QVERIFY(refused > 0);
    for (std::size_t i = 0; i < d.best.z.size(); ++i) QVERIFY(std::abs(d.best.z[i] - free.best.z[i]) < 1e-3);
    t.evaluate = [](const Vector&, int64_t) -> Result<Point> { return invalid("nothing can be computed"); };
    QVERIFY(!learn::newton(t).ok());
  }

  void nothing_to_learn_is_flat() {
    const auto plain = [](const Vector& z) { return Point{z, 1, Vector(z.size(), 0.0)}; };
    for (const auto m : {Method::newton, Method::adam})
      QCOMPARE(run(task_of(plain, {1, 2}, m)).reason, learn::StopReason::flat);
  }

  void stops_when_it_is_asked_to() {
    DescentTask t = task_of([](const Vector& z) { return bowl(z, 1); }, {0, 0, 0}, Method::sgd);
    t.stop.iterations = 3;
    QCOMPARE(run(t).reason, learn::StopReason::iterations);
    t.keep_going = [](const Point&, const Point&, int64_t iteration) -> Result<bool> { return iteration < 2; };
    t.stop.iterations = 100;
    const auto d = run(t);
    QCOMPARE(d.reason, learn::StopReason::stopped);
    QVERIFY(d.iterations == 2 && d.best.loss < bowl({0, 0, 0}, 1).loss);
    t.evaluate = [](const Vector&, int64_t) -> Result<Point> { return cancelled(); };
    QVERIFY(!learn::newton(t).ok() && !learn::torch_descent(t).ok());
  }
};

TL_TEST_CASE(LearnMethodsTest)

}  // namespace tl::methods_test

#include "methods.moc"
