// Spectra: filters by the Lambert-Beer law, effective energy, parsing of text columns, and the node that drives an
// energy.
#include "core/physics/spectrum.h"

#include <cmath>

#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::spectrum_test {

namespace {

BeamFilter aluminium(double mm) { return {"Al", {}, mm}; }

double energy_behind(double mm, DetectorResponse detector) {
  return effective_energy(filtered_spectrum({15, 20, 30, 40}, {1, 3, 2, 1}, aluminium(mm)).or_throw(), detector);
}

}  // namespace

class SpectrumTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_filter_absorbs_as_tabulated() {
    // NIST XCOM, aluminium: 3.441 cm2/g at 20 keV and 1.128 cm2/g at 30 keV, 2.699 g/cm3. Tables differ by 2 %.
    const Spectrum s = filtered_spectrum({20, 30}, {1, 1}, aluminium(0.5)).or_throw();
    const double exponent = (3.441 - 1.128) * 2.699 * 0.05;
    QVERIFY(std::abs(std::log(s.weight[1] / s.weight[0]) - exponent) < 0.02 * exponent);
    QVERIFY(std::abs(s.weight[0] + s.weight[1] - 1) < 1e-14);
  }
  void the_effective_energy_is_the_mean_of_the_signal() {
    const Spectrum lines{{10, 30}, {0.5, 0.5}};
    QCOMPARE(effective_energy(lines, DetectorResponse::counting), 20.0);
    QCOMPARE(effective_energy(lines, DetectorResponse::integrating), (100.0 + 900.0) / 40.0);
    const Spectrum one = filtered_spectrum({24.5}, {7}, aluminium(3)).or_throw();
    QCOMPARE(effective_energy(one, DetectorResponse::counting), 24.5);
  }
  void weights_have_no_scale() {
    const Spectrum a = filtered_spectrum({15, 20, 30}, {1, 2, 3}, aluminium(1)).or_throw();
    const Spectrum b = filtered_spectrum({15, 20, 30}, {1e6, 2e6, 3e6}, aluminium(1)).or_throw();
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(a.weight[i] - b.weight[i]) < 1e-15);
  }
  void thicker_filters_make_harder_beams() {
    for (const DetectorResponse d : {DetectorResponse::counting, DetectorResponse::integrating})
      for (const double mm : {0.0, 0.1, 1.0, 5.0}) QVERIFY(energy_behind(2 * mm + 0.1, d) > energy_behind(mm, d));
  }
  void errors_say_which_list() {
    const auto where = [](const std::vector<double>& e, const std::vector<double>& w, const BeamFilter& f) {
      const auto r = filtered_spectrum(e, w, f);
      return r.ok() ? std::string() : r.error().where;
    };
    QCOMPARE(where({}, {}, {}), std::string("energies"));
    QCOMPARE(where({20, 30}, {1}, {}), std::string("weights"));
    QCOMPARE(where({30, 20}, {1, 1}, {}), std::string("energies"));
    QCOMPARE(where({20, 20}, {1, 1}, {}), std::string("energies"));
    QCOMPARE(where({20, 30}, {1, -1}, {}), std::string("weights"));
    QCOMPARE(where({20, 30}, {0, 0}, {}), std::string("weights"));
    QCOMPARE(where({20}, {1}, {"Pb", {}, 900}), std::string("filter_thickness"));
    QCOMPARE(where({20}, {1}, {"CaCO3", {}, 1}), std::string("density"));
  }
  void columns_of_text() {
    const auto read = parse_spectrum("Energy, photons\n# measured\n10, 1\n12.5;2e3\r\n\n15\t0\n").or_throw();
    QCOMPARE(read.energies, (std::vector<double>{10, 12.5, 15}));
    QCOMPARE(read.weights, (std::vector<double>{1, 2000, 0}));
    for (const char* text : {"10 1\n12\n", "10 1\n12 1x\n"})
      QVERIFY(parse_spectrum(text).error().what.find("line 2") != std::string::npos);
    QVERIFY(!parse_spectrum("").ok());
    QVERIFY(!parse_spectrum("energy weight\n").ok());
  }
  void the_effective_energy_drives_a_phase_retrieval() {
    Graph g;
    g.nodes["scan"] = {
        "test.phantom", 1, {{"kind", std::string("transmission")}, {"density", Number{0.1, Unit::none}}}};
    g.nodes["paganin"] = {"phase.paganin", 1, {{"distance", Number{50, Unit::mm}}}};
    g.nodes["beam"] = {"input.beam_spectrum", 1, {}};
    auto& beam = g.nodes["beam"].params;
    beam["energies"] = NumberList{{15, 20, 30}, Unit::keV};
    beam["weights"] = NumberList{{1, 3, 2}, Unit::none};
    beam["filter_thickness"] = Number{0.5, Unit::mm};
    g.links = {{"scan", "projections", "paganin", "projections"}, {"beam", "energy", "paganin", "energy"}};
    const auto image = [](const Graph& graph) {
      Executor e(test::registry(), test::options_in({}));
      return test::numbers_of(e.pull(graph, "paganin", "projections").or_throw());
    };
    const at::Tensor driven = image(g);
    const double energy = effective_energy(filtered_spectrum({15, 20, 30}, {1, 3, 2}, aluminium(0.5)).or_throw(),
                                           DetectorResponse::integrating);
    g.links.pop_back();
    g.nodes["paganin"].params["energy"] = Number{energy, Unit::keV};
    QVERIFY(driven.equal(image(g)));
    g.nodes["paganin"].params["energy"] = Number{15, Unit::keV};
    QVERIFY(!driven.equal(image(g)));
  }
};

TL_TEST_CASE(SpectrumTest)

}  // namespace tl::spectrum_test

#include "spectrum.moc"
