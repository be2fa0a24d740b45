// Verdicts on values of a model that does not predict the measured views.
#include "tests/support/learn/phase_case.h"
#include "tests/support/test_case.h"

namespace tl::predicted_test {
namespace {

// The axis of a scan with phase contrast, by views that the volume was not made of, at a share of the true beta.
test::LearnCase held_out_views(double noise, double share_of_beta) {
  test::LearnCase c;
  Graph& g = c.graph;
  test::PhaseBox box;
  box.size = 24;
  box.noise = noise;
  g.nodes["load"] = test::phase_scan(box);
  auto& scan_params = g.nodes["load"].params;
  scan_params["axis"] = Number{1.7, Unit::px};
  scan_params["tilt"] = Number{1.5, Unit::deg};
  scan_params["stripes"] = Number{0.05, Unit::none};
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"logarithm", std::string("off")}}};
  g.nodes["stripes"] = {"correct.stripe_removal", 2, {}};
  g.nodes["set"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}, {"tilt", Number{0, Unit::deg}}}};
  g.nodes["others"] = {"geometry.select_views", 1, {{"every", int64_t{2}}, {"give", std::string("others")}}};
  g.nodes["held_out"] = {"geometry.select_views", 1, {{"every", int64_t{2}}, {"give", std::string("picked")}}};
  const RefractiveIndex truth = test::phase_truth();
  g.nodes["delta"] = {"input.number", 1, {{"value", Number{truth.delta / 3, Unit::none}}}};
  g.nodes["beta"] = {"input.number", 1, {{"value", Number{share_of_beta * truth.beta, Unit::none}}}};
  g.nodes["paganin"] = {"phase.paganin", 1, {{"output", std::string("thickness")}}};
  g.nodes["tv"] = {"recon.tv",
                   1,
                   {{"iterations", int64_t{30}},
                    {"width", box.size},
                    {"steps", std::string("filtered")},
                    {"strength", Number{1e-3, Unit::per_mm}}}};
  g.nodes["project"] = {"recon.forward_projection", 1, {{"quantity", std::string("thickness")}}};
  g.nodes["propagate"] = {"phase.propagate", 1, {}};
  g.nodes["loss"] = {"objective.data_error", 1, {{"scale", std::string("absolute")}}};
  const auto scan = [&](const char* from, const char* to, const char* port) {
    test::link(g, from, "projections", to, port);
  };
  scan("load", "flat_field", "projections");
  scan("flat_field", "stripes", "projections");
  scan("stripes", "set", "projections");
  scan("set", "others", "projections");
  scan("set", "held_out", "projections");
  scan("others", "paganin", "projections");
  scan("paganin", "tv", "projections");
  test::link(g, "tv", "volume", "project", "volume");
  for (const char* index : {"delta", "beta"})
    for (const char* node : {"paganin", "propagate"}) test::link(g, index, "number", node, index);
  scan("held_out", "project", "like");
  scan("project", "propagate", "projections");
  scan("propagate", "loss", "projections");
  scan("held_out", "loss", "measured");
  c.settings.objective = {"loss", "loss"};
  c.settings.targets = {test::target("set", "axis")};
  c.settings.survey = learn::Survey::none;
  return c;
}

}  // namespace

class PredictedTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // With a sixteenth of the true beta the squared error is 22 times that of the noise. Where it was smallest, at
  // 0.16 px, the axis was called resolved to 0.08 px, and is 1.7 px.
  void a_model_that_predicts_nothing_resolves_nothing() {
    const test::LearnCase c = held_out_views(0.05, 1.0 / 16);
    Executor e(test::registry(), {});
    const learn::Learned l = learn::learn(e, test::registry(), c.graph, c.settings).or_throw();
    const learn::Found& axis = l.found.front();
    const std::string text = test::describe(l);
    QVERIFY2(axis.trust == learn::Trust::not_identifiable, text.c_str());
    QVERIFY2(axis.explanation.find("predicts") != std::string::npos, text.c_str());
  }
};

TL_TEST_CASE(PredictedTest)

}  // namespace tl::predicted_test

#include "predicted.moc"
