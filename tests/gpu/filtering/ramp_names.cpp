// Filter names of other packages: the windows have the weights of their formulas, and names convert in both directions.
#include "gpu/filtering/ramp_names.h"

#include <cmath>
#include <functional>

#include "core/base/units.h"
#include "tests/support/test_case.h"

namespace tl::ramp_names_test {

using namespace tl::ops;

class RampNamesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void names_and_back() {
    for (const Package package : {Package::tomopy, Package::astra, Package::nabu})
      for (const RampWindowEntry& ours : ramp_windows()) {
        const RampWindow window = parse_ramp_window(ours.name).value();
        if (const auto name = ramp_name_in(package, window)) QVERIFY(window_of(package, *name) == window);
      }
    QVERIFY(window_of(Package::tomopy, "shepp") == RampWindow::shepp_logan);
    QVERIFY(window_of(Package::astra, "barlett-hann") == RampWindow::bartlett_hann);
    QVERIFY(!window_of(Package::tomopy, "parzen") && !window_of(Package::astra, "kaiser") &&
            !window_of(Package::nabu, "x"));
    QVERIFY(!ramp_name_in(Package::tomopy, RampWindow::parzen));
  }
  // TomoPy's gridrec weighs |x| with these, x in cycles per pixel up to 1/2 and its parameter p0 at 1.
  void weights_of_gridrec() {
    const std::pair<const char*, std::function<double(double)>> formulas[] = {
        {"ramlak", [](double) { return 1.0; }},
        {"shepp", [](double x) { return std::sin(pi * x) / (pi * x); }},
        {"cosine", [](double x) { return std::cos(pi * x); }},
        {"hann", [](double x) { return 0.5 * (1 + std::cos(2 * pi * x)); }},
        {"hamming", [](double x) { return 0.54 + 0.46 * std::cos(2 * pi * x); }}};
    for (const auto& [name, weight] : formulas)
      for (double x = 0.01; x <= 0.5; x += 0.01)
        QVERIFY(std::abs(ramp_window_value(window_of(Package::tomopy, name).value(), 2 * x) - weight(x)) < 1e-12);
    // Why its Parzen is not ours: (1 - x / p0)^3.
    QVERIFY(std::abs(ramp_window_value(RampWindow::parzen, 0.5) - 0.75 * 0.75 * 0.75) > 0.1);
  }
};

TL_TEST_CASE(RampNamesTest)

}  // namespace tl::ramp_names_test

#include "ramp_names.moc"
