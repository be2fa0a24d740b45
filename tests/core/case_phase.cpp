// The phase case study, small: delta and beta of a hollow box from a noisy scan, by the bundled pipelines, started at
// water. A sixty-fourth of the pixels of the full size, walls of two voxels: there the noise of 0.12 leaves beta open,
// and less noise stands for more pixels.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "tests/support/learn/phase_case.h"
#include "tests/support/test_case.h"

namespace tl::case_phase_test {

using test::PhaseBox;
using test::PhaseFinding;

namespace {

learn::Learned learned(const test::LearnCase& c) {
  RunOptions options;
  options.memory = int64_t{1} << 30;
  Executor executor(test::registry(), options);
  return learn::learn(executor, test::registry(), c.graph, c.settings).or_throw();
}

std::string learned_text(const learn::Learned& l) {
  std::string text = test::describe(l);
  for (const learn::Combination& c : l.combinations) text += "; " + c.text;
  return text + "; " + std::to_string(l.evaluations) + " evaluations";
}

int64_t of_descent(const learn::Learned& l) {
  for (const learn::PhaseTime& t : l.phase_times)
    if (t.phase == "descent") return t.evaluations;
  return 0;
}

}  // namespace

class CasePhaseTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Small operations on two busy cores: threads would wait for each other.
  void initTestCase() {
    threads_ = at::get_num_threads();
    at::set_num_threads(1);
  }
  void cleanupTestCase() { at::set_num_threads(threads_); }

  // The bars are those of the full size (acceptance A3).
  void absolute_transmissions_determine_both() {
    PhaseBox box;
    box.noise = 0.02;
    const learn::Learned l = learned(test::phase_box_case(box));
    const PhaseFinding f = test::phase_finding(l);
    const std::string text = learned_text(l);
    qInfo("%s", text.c_str());
    QVERIFY2(f.trust_delta == learn::Trust::resolved && f.trust_beta == learn::Trust::resolved, text.c_str());
    QVERIFY2(std::abs(f.delta - 1) < 0.03 && std::abs(f.beta - 1) < 0.1, text.c_str());
    QVERIFY2(std::abs(f.ratio / test::phase_ratio() - 1) < 0.1, text.c_str());
    // With the third derivative over half a natural step in the slopes, delta is 0.2 % too small: more than a sigma.
    QVERIFY2(std::abs(f.delta - 1) < 0.0015, text.c_str());
    QVERIFY2(of_descent(l) <= 25, text.c_str());
  }

  // A pattern without its level and spread determines the ratio alone, and that is reported: of a whole direction
  // nothing is known.
  void a_scaled_pattern_determines_the_ratio() {
    PhaseBox box;
    box.scale = "scaled";
    const learn::Learned l = learned(test::phase_box_case(box));
    const PhaseFinding f = test::phase_finding(l);
    const std::string text = learned_text(l);
    qInfo("%s", text.c_str());
    QVERIFY2(f.trust_delta == learn::Trust::not_identifiable && f.trust_beta == learn::Trust::not_identifiable,
             text.c_str());
    // No number pretends to know what lies in the other direction.
    for (const learn::Found& found : l.found) QVERIFY2(found.uncertainty.empty(), text.c_str());
    const auto known =
        std::find_if(l.combinations.begin(), l.combinations.end(), [](const auto& c) { return c.known; });
    QVERIFY2(l.combinations.size() == 2 && known != l.combinations.end() && known->terms.size() == 2, text.c_str());
    const double delta = known->terms[0].weight, beta = known->terms[1].weight;
    QVERIFY2(known->terms[0].logarithm && std::abs(delta + beta) < 0.05 * std::abs(delta), text.c_str());
    QVERIFY2(known->text.find("ln delta.value - ln beta.value is known") == 0, text.c_str());
    const double off = std::abs(std::log(f.ratio / test::phase_ratio()));
    QVERIFY2(off < 3 * known->uncertainty, text.c_str());
  }

  // At a sixty-fourth of the pixels the full noise leaves beta open: no number stands as resolved.
  void what_noise_leaves_open_is_not_resolved() {
    PhaseBox box;
    box.noise = 0.12;
    for (const int64_t seed : {1, 13}) {
      box.seed = seed;
      const learn::Learned l = learned(test::phase_box_case(box));
      const std::string text = learned_text(l);
      qInfo("%s", text.c_str());
      QVERIFY2(!is_determined(test::phase_finding(l).trust_beta), text.c_str());
    }
  }

  // pi lambda z f^2 at the pixel size is 0.95 at 30 mm, 4.8 at 150 mm.
  void what_exceeds_the_model_is_reported() {
    const NodeType& type = *test::registry().find("phase.propagate");
    for (const double distance : {30.0, 150.0})
      for (const char* model : {"transport", "two_pixel", "fresnel"}) {
        PhaseBox box;
        box.distance = distance;
        Graph g = test::phase_box_case(box).graph;
        GraphNode& propagate = g.nodes.at("propagate");
        propagate.params["model"] = std::string(model);
        Executor e(test::registry(), {});
        const std::string doubt =
            type.beyond_model(make_params(type, propagate.params).get(), e.input_infos(g, "propagate").or_throw());
        if (distance < 100 || model == std::string("fresnel")) {
          QVERIFY2(doubt.empty(), doubt.c_str());
        } else {
          QVERIFY2(doubt.find("is not valid") != std::string::npos && doubt.find("4.77") != std::string::npos,
                   doubt.c_str());
        }
      }
  }

  // Masks of whole voxels show no curved edge, and at 150 mm the transport of intensity does not hold: what comes out
  // is not called resolved unless it is right, and the reason is said.
  void a_model_that_does_not_describe_the_views_is_doubted_data() {
    QTest::addColumn<QString>("phantom");
    QTest::addColumn<double>("distance");
    QTest::addColumn<QString>("contrast");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<QString>("says");
    QTest::newRow("sphere") << "hollow_sphere" << 30.0 << "transport"
                            << "absolute"
                            << "the model";
    QTest::newRow("sphere, published distance") << "hollow_sphere" << 150.0 << "two_pixel"
                                                << "absolute"
                                                << "is not valid";
    QTest::newRow("box, published distance") << "thin_box" << 150.0 << "two_pixel"
                                             << "absolute"
                                             << "is not valid";
    QTest::newRow("box, as published") << "thin_box" << 150.0 << "two_pixel"
                                       << "scaled"
                                       << "is not valid";
  }
  void a_model_that_does_not_describe_the_views_is_doubted() {
    QFETCH(QString, phantom);
    QFETCH(double, distance);
    QFETCH(QString, contrast);
    QFETCH(QString, scale);
    QFETCH(QString, says);
    PhaseBox box;
    box.noise = 0.02;
    box.phantom = phantom.toStdString();
    box.distance = distance;
    box.contrast = contrast.toStdString();
    box.scale = scale.toStdString();
    test::LearnCase c = test::phase_box_case(box);
    c.graph.nodes.at("propagate").params["model"] = box.contrast;
    const learn::Learned l = learned(c);
    const PhaseFinding f = test::phase_finding(l);
    const std::string text = learned_text(l);
    qInfo("%s", text.c_str());
    const bool right = std::abs(f.ratio / test::phase_ratio() - 1) < 0.1;
    for (const learn::Found& found : l.found) {
      QVERIFY2(right || found.trust != learn::Trust::resolved, text.c_str());
      QVERIFY2(found.explanation.find(says.toStdString()) != std::string::npos, text.c_str());
    }
    // Nor is a combination said to be known: as published, delta/beta would be so to 3 % and is a quarter off.
    for (const learn::Combination& combination : l.combinations) QVERIFY2(right || !combination.known, text.c_str());
  }

 private:
  int threads_ = 1;
};

TL_TEST_CASE(CasePhaseTest)

}  // namespace tl::case_phase_test

#include "case_phase.moc"
