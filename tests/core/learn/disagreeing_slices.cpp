// Verdicts on values that slices of a volume disagree about: a threshold by the cross-entropy to a mask.
#include <ATen/ATen.h>

#include "tests/support/io/volume_files.h"
#include "tests/support/learn/cases.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::disagreeing_slices_test {

using namespace test::volumes;

namespace {

constexpr int64_t edge = 24;
constexpr double middle = 0.5, width = 0.2;

}  // namespace

class DisagreeingSlices : public VolumeFolder {
  Q_OBJECT

  // A node that loads these values from a file.
  GraphNode saved(const std::string& name, const at::Tensor& values) const {
    const std::filesystem::path file = path(name + ".nrrd");
    io::VolumeTarget t = target(file, VolumeGrid::cubic(edge, edge, edge, 1));
    t.description = {};
    t.rules = io::no_inputs(io::Overwrite::replace);
    write(*io::find_volume_format("nrrd"), t, values.to(at::kFloat)).or_throw();
    return {"input.load_volume", 1, {{"file", file.string()}}};
  }

  // The mask has the threshold `middle` less `apart` in the first slices, and that much more in the others.
  learn::Learned learned(double apart) const {
    const at::Tensor smooth = at::arange(edge * edge * edge, at::kDouble).view({edge, edge, edge}).mul(0.37).sin();
    const at::Tensor exact = 0.5 + 0.5 * smooth;
    at::Tensor threshold = at::full({edge, 1, 1}, middle + apart, at::kDouble);
    threshold.narrow(0, 0, edge / 2).fill_(middle - apart);
    const at::Tensor noisy = exact + 0.02 * test::gaussian({edge, edge, edge}, at::kDouble, 3);
    Graph g;
    g.nodes["volume"] = saved("volume", noisy);
    g.nodes["target"] = saved("target", at::sigmoid((exact - threshold) / width));
    g.nodes["mask"] = {
        "filter.soft_threshold", 1, {{"threshold", Number{0.3, Unit::none}}, {"width", Number{width, Unit::none}}}};
    g.nodes["loss"] = {"objective.cross_entropy", 1, {}};
    test::link(g, "volume", "volume", "mask", "volume");
    test::link(g, "mask", "volume", "loss", "volume");
    test::link(g, "target", "volume", "loss", "target");
    learn::Settings settings;
    settings.objective = {"loss", "loss"};
    settings.targets = {test::target("mask", "threshold")};
    settings.survey = learn::Survey::none;
    Executor e(test::registry(), {});
    return learn::learn(e, test::registry(), g, settings).or_throw();
  }

 private Q_SLOTS:
  void a_value_that_all_slices_have_is_found() const {
    const learn::Learned l = learned(0);
    const learn::Found& found = l.found.front();
    QVERIFY2(found.trust == learn::Trust::resolved, test::describe(l).c_str());
    QVERIFY2(std::abs(found.value.front() - middle) < 3 * found.uncertainty.front(), test::describe(l).c_str());
  }

  void a_value_that_slices_disagree_about_is_as_uncertain() const {
    constexpr double apart = 0.15;
    const learn::Learned l = learned(apart);
    const learn::Found& found = l.found.front();
    QVERIFY2(!found.uncertainty.empty() && found.uncertainty.front() > 0.5 * apart, test::describe(l).c_str());
  }
};

TL_TEST_CASE(DisagreeingSlices)

}  // namespace tl::disagreeing_slices_test

#include "disagreeing_slices.moc"
