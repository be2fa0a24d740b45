// Stripe detection finds stripes and nothing else, and each method removes them without harm to clean columns.
#include "gpu/correction/stripes/evidence.h"

#include <limits>
#include <map>

#include "core/base/geometry.h"
#include "gpu/correction/stripes/fourier_wavelet.h"
#include "gpu/correction/stripes/removal.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/operator_laws.h"
#include "tests/support/striped_scans.h"
#include "tests/support/test_case.h"

namespace tl::stripe_evidence_test {

using namespace tl::ops;
using test::ScanBody;
using test::ScanStripes;
using test::StripedScan;

namespace {

constexpr double photon_levels[] = {1e6, 1e4, 1e3};
constexpr uint64_t scans = 4;  // of each kind and level

double rms(const at::Tensor& x) { return x.square().mean().sqrt().item<double>(); }

at::Tensor row(const at::Tensor& sinogram) { return sinogram.unsqueeze(1).contiguous(); }

StripeRemovalSpec spec_of(StripeMethod method, StripeColumns columns = StripeColumns::found) {
  StripeRemovalSpec spec;
  spec.method = method;
  spec.columns = columns;
  return spec;
}

// Error of the corrected sinogram over that of the same scan without stripes and correction.
double error_of(const StripedScan& s, const StripedScan& unstriped, const StripeRemovalSpec& spec) {
  const at::Tensor done = remove_stripes(row(s.data), spec).or_throw().projections.squeeze(1);
  return rms(done - s.clean) / rms(unstriped.data - unstriped.clean);
}

const std::map<QString, ScanStripes> kinds{{"offset", ScanStripes::offset},   {"gain", ScanStripes::gain},
                                           {"partial", ScanStripes::partial}, {"fluctuating", ScanStripes::fluctuating},
                                           {"dead", ScanStripes::dead},       {"large", ScanStripes::large}};

}  // namespace

class StripeEvidenceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void each_kind_is_found_data() {
    QTest::addColumn<double>("photons");
    QTest::addColumn<double>("least");  // share of the columns with a stripe
    for (const auto& [name, kind] : kinds)
      for (const double photons : photon_levels) {
        // A gain of 6 % is nothing where the object absorbs little. In the noise of 1e3 photons weak stripes are lost,
        // and may be: 0.1 in half of the views altogether.
        const bool lost = kind == ScanStripes::partial && photons < 1e4;
        const double in_noise = photons < 1e4 ? 0.2 : 0;
        const double least = lost                          ? 0
                             : kind == ScanStripes::gain   ? 0.5 - in_noise
                             : kind == ScanStripes::offset ? 0.9 - in_noise
                                                           : 0.9;
        QTest::addRow("%s, %g photons", qPrintable(name), photons) << photons << least;
      }
  }
  void each_kind_is_found() {
    QFETCH(double, photons);
    QFETCH(double, least);
    const ScanStripes kind = kinds.at(QString(QTest::currentDataTag()).section(",", 0, 0));
    int64_t with = 0, hit = 0, without = 0, wrong = 0;
    for (uint64_t seed = 1; seed <= scans; ++seed) {
      const StripedScan s = test::StripedScans(seed).make(kind, photons);
      const std::vector<uint8_t> found = striped_columns(find_stripes(s.data), s.data.size(1));
      for (std::size_t c = 0; c < found.size(); ++c) {
        (s.touched[c] != 0 ? with : without) += 1;
        (s.touched[c] != 0 ? hit : wrong) += found[c];
      }
    }
    qInfo("%lld of %lld columns found, %lld of %lld others taken for a stripe", static_cast<long long>(hit),
          static_cast<long long>(with), static_cast<long long>(wrong), static_cast<long long>(without));
    QVERIFY(static_cast<double>(hit) >= least * static_cast<double>(with));
    QVERIFY(static_cast<double>(wrong) <= 0.01 * static_cast<double>(without));
  }

  // Nothing is a stripe in a scan without any, with noise or without: objects with edges that pass, reverse, run
  // along the views (a disc on the axis), few views and many, rays through the centres of pixels and means over them.
  void views_without_noise_hold_no_stripe_data() {
    QTest::addColumn<int>("object");
    const char* objects[] = {"disc on the axis", "disc", "shepp_logan", "hollow box", "ellipses"};
    for (int i = 0; i < 5; ++i) QTest::newRow(objects[i]) << i;
  }
  void views_without_noise_hold_no_stripe() {
    QFETCH(int, object);
    for (const int64_t views : {90, 181})
      for (const int64_t cols : {128, 256})
        for (const double axis : {0.0, 6.4})
          for (const int64_t rays : {1, 3}) {
            const double r = 0.9 * (0.5 * static_cast<double>(cols) - axis);
            const Phantom phantoms[] = {disc(r), disc(0.5 * r, 1, 0.3 * r, 0.2 * r), shepp_logan_2d(r),
                                        hollow_box(0.7 * r, 0.1 * r), random_ellipses(r, 12, 3)};
            Orbit orbit;
            orbit.angles = equidistant_angles(views, pi, 0);
            orbit.axis = axis;
            const ScanGeometry g = ScanGeometry::from_orbit(orbit, {1, cols, 1, 1}).or_throw();
            const at::Tensor x = phantom_projections(phantoms[object], g, {at::kDouble, rays, {}});
            const std::size_t found = find_stripes(x.select(1, 0) * (2 / x.max())).size();
            QVERIFY2(found == 0, (std::to_string(found) + " stripes: " + std::to_string(views) + " views, " +
                                  std::to_string(cols) + " columns, axis " + std::to_string(axis))
                                     .c_str());
          }
  }
  void clean_scans_come_back_as_they_are() {
    constexpr double levels[] = {1e3, 1e4, 1e5, 1e6};
    int64_t touched = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed)
      for (const ScanBody body : {ScanBody::ellipses, ScanBody::boxes}) {
        for (const double photons : levels) {
          const at::Tensor x = row(test::StripedScans(100 + seed).make(ScanStripes::none, photons, body).data);
          const StripeRemovalResult done = remove_stripes(x, spec_of(StripeMethod::all)).or_throw();
          touched += done.columns > 0 ? 1 : 0;
          QVERIFY(done.columns > 0 || done.projections.equal(x));
        }
        touched += find_stripes(test::StripedScans(seed).make(ScanStripes::none, 1, body).clean).empty() ? 0 : 1;
      }
    qInfo("%lld of 100 scans touched", static_cast<long long>(touched));
    QCOMPARE(touched, int64_t{0});
  }

  // No method is worse than its paper's form, which changes every column, and the one made for a kind takes it away.
  void methods_data() {
    QTest::addColumn<int>("method");
    for (const auto& [name, method] : std::map<const char*, StripeMethod>{{"sorting", StripeMethod::sorting},
                                                                          {"filtering", StripeMethod::filtering},
                                                                          {"fitting", StripeMethod::fitting},
                                                                          {"large", StripeMethod::large},
                                                                          {"dead", StripeMethod::dead},
                                                                          {"all", StripeMethod::all}})
      QTest::newRow(name) << static_cast<int>(method);
  }
  void methods() {
    QFETCH(int, method);
    const auto chosen = static_cast<StripeMethod>(method);
    for (const auto& [name, kind] : kinds)
      for (const double photons : photon_levels) {
        if (photons < 1e4 && chosen != StripeMethod::all) continue;  // the combination runs each of them
        const StripedScan s = test::StripedScans(1).make(kind, photons),
                          clean = test::StripedScans(1).make(ScanStripes::none, photons);
        const double before = error_of(s, clean, spec_of(chosen, StripeColumns::all));
        const double now = error_of(s, clean, spec_of(chosen));
        const double none = rms(s.data - s.clean) / rms(clean.data - clean.clean);
        const std::string text = name.toStdString() + ", " + std::to_string(photons) + " photons: none " +
                                 std::to_string(none) + ", all columns " + std::to_string(before) + ", found " +
                                 std::to_string(now);
        // Where there is next to no noise, a stripe in a part of the views is lowered in all of them: the methods do
        // not distinguish the parts, which leaves twice the error. Known, and not good.
        if (kind == ScanStripes::partial && photons > 1e5) continue;
        QVERIFY2(now <= 1.1 * before, text.c_str());
        QVERIFY2(now <= 1.02 * none, text.c_str());
        if (chosen != StripeMethod::all) continue;
        qInfo("%s", text.c_str());
        // The combination leaves little of any kind: what is left is the object under a stripe that hid it.
        QVERIFY2(now - 1 < 0.35 * (none - 1) + 0.05, text.c_str());
      }
  }

  // Three stripes 10 to 14 columns wide with a gain of 1.7: once left untouched (ten and more times the noise).
  void wide_stripes_of_high_gain_go() {
    for (const double photons : photon_levels) {
      const StripedScan s = test::StripedScans(3).make(ScanStripes::large, photons),
                        clean = test::StripedScans(3).make(ScanStripes::none, photons);
      const double error = error_of(s, clean, spec_of(StripeMethod::large));
      QVERIFY2(error < 2.5, std::to_string(error).c_str());
    }
  }

  // Columns that answer with a constant and the noise of their amplifier.
  void dead_columns_with_noise_go() {
    for (const double photons : photon_levels) {
      const StripedScan s = test::StripedScans(5).make(ScanStripes::dead, photons);
      const at::Tensor done =
          remove_stripes(row(s.data), spec_of(StripeMethod::dead)).or_throw().projections.squeeze(1);
      std::vector<int64_t> columns;
      for (std::size_t c = 0; c < s.touched.size(); ++c)
        if (s.touched[c] != 0) columns.push_back(static_cast<int64_t>(c));
      const at::Tensor where = at::tensor(columns, at::kLong);
      const double before = rms((s.data - s.clean).index_select(1, where)),
                   after = rms((done - s.clean).index_select(1, where));
      const std::string text = std::to_string(photons) + ": " + std::to_string(before) + " " + std::to_string(after);
      QVERIFY2(after < 0.15 * before || after < 2 * rms(s.data - s.clean) + 0.05, text.c_str());
    }
  }

  void heights_are_measured() {
    StripedScan s = test::StripedScans(7).make(ScanStripes::none, 1e5);
    s.data.narrow(1, 100, 3).add_(0.05);
    const std::vector<Stripe> found = find_stripes(s.data);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].first, int64_t{100});
    QCOMPARE(found[0].count, int64_t{3});
    QVERIFY(found[0].kind == StripeKind::level);
    QVERIFY(std::abs(found[0].begin - 0.05) < 0.005 && std::abs(found[0].end - 0.05) < 0.005);
  }

  void broken_columns_are_found() {
    StripedScan s = test::StripedScans(8).make(ScanStripes::none, 1e4);
    s.data.select(1, 77).fill_(std::numeric_limits<double>::quiet_NaN());
    const StripeRemovalResult done = remove_stripes(row(s.data), spec_of(StripeMethod::dead)).or_throw();
    QVERIFY(at::isfinite(done.projections).all().item<bool>());
    QCOMPARE(done.columns, int64_t{1});
  }

  // Transmission with a gain is absorption with an offset.
  void transmission_is_worked_on_as_its_logarithm() {
    const StripedScan s = test::StripedScans(9).make(ScanStripes::offset, 1e5);
    StripeRemovalSpec spec = spec_of(StripeMethod::sorting);
    const at::Tensor absorption = remove_stripes(row(s.data), spec).or_throw().projections;
    spec.model = StripeModel::gain;
    const at::Tensor transmission = remove_stripes(row((-s.data).exp()), spec).or_throw().projections;
    const double apart = test::max_difference(-transmission.log(), absorption);
    QVERIFY2(apart < 1e-9, std::to_string(apart).c_str());
  }

  void small_sinograms_pass() {
    for (const int64_t size : {0, 1, 5, 15, 16, 40})
      for (const int64_t views : {1, 15, 16, 50}) {
        const at::Tensor x = test::gaussian({views, 2, size}, at::kFloat, 3);
        const at::Tensor y = remove_stripes(x, spec_of(StripeMethod::all)).or_throw().projections;
        QVERIFY(y.sizes() == x.sizes());
        if (size < 16 || views < 16) QVERIFY(y.equal(x));
      }
  }
};

TL_TEST_CASE(StripeEvidenceTest)

}  // namespace tl::stripe_evidence_test

#include "stripe_evidence.moc"
