// Filters of views: what the operator gives for every frame, flats and darks included, in any part of the scan.
#include <functional>
#include <string_view>

#include "core/run/executor.h"
#include "gpu/image/bilateral_filter.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/median_filter.h"
#include "gpu/image/non_local_means.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::view_filters_test {

namespace {

using Params = std::map<std::string, ParamValue>;

Graph graph_with(const std::string& type, const Params& params, const std::string& kind) {
  Graph g;
  g.nodes["scan"] = {"test.phantom",
                     1,
                     {{"kind", kind},
                      {"beam", std::string("parallel")},
                      {"views", int64_t{5}},
                      {"rows", int64_t{14}},
                      {"cols", int64_t{23}},
                      {"density", Number{0.1, Unit::none}}}};
  g.nodes["filter"] = {type, 1, params};
  g.links.push_back({"scan", "projections", "filter", "projections"});
  return g;
}

struct Case {
  std::string type;
  Params params;
  std::function<at::Tensor(const at::Tensor&)> expected;  // of one frame [1, row, col]
};

std::vector<Case> cases() {
  const auto smooth = [](const at::Tensor& t, double amount) {
    const ops::GaussianSpec spec{1, t.size(1), t.size(2), {0, 1.5, 1.5}, 4, {}};
    const OperatorPtr op =
        (amount == 0 ? ops::make_gaussian_filter(spec) : ops::make_unsharp_mask(spec, amount)).or_throw();
    return op->apply(t);
  };
  return {
      {"filter.view_median",
       {{"size", int64_t{5}}},
       [](const at::Tensor& t) {
         ops::MedianSpec spec;
         spec.reach = {0, 2, 2};
         return ops::median_filter(t, spec).or_throw();
       }},
      {"filter.view_gaussian", {{"sigma", Number{1.5, Unit::px}}}, [=](const at::Tensor& t) { return smooth(t, 0); }},
      {"filter.view_unsharp",
       {{"sigma", Number{1.5, Unit::px}}, {"amount", Number{0.7, Unit::none}}},
       [=](const at::Tensor& t) { return smooth(t, 0.7); }},
      {"filter.view_bilateral",
       {{"sigma", Number{1, Unit::px}}, {"contrast", Number{0.3, Unit::none}}},
       [](const at::Tensor& t) {
         ops::BilateralSpec spec;
         spec.reach = {0, 2, 2};
         spec.sigma_value = 0.3;
         return ops::bilateral_filter(t, spec).or_throw();
       }},
      {"filter.view_non_local_means",
       {{"search", int64_t{3}}, {"noise", Number{0.2, Unit::none}}, {"strength", Number{1, Unit::none}}},
       [](const at::Tensor& t) {
         ops::NonLocalMeansSpec spec;
         spec.search = {0, 3, 3};
         spec.patch = {0, 1, 1};
         spec.noise = spec.strength = 0.2;
         return ops::non_local_means(t, spec).or_throw();
       }}};
}

at::Tensor picture_by_picture(const at::Tensor& t, const Case& c) {
  std::vector<at::Tensor> parts;
  for (int64_t i = 0; i < t.size(0); ++i) parts.push_back(c.expected(t.narrow(0, i, 1).contiguous()));
  return at::cat(parts, 0);
}

}  // namespace

class ViewFiltersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_frame_equals_the_operator() {
    for (const char* kind : {"counts", "absorption"})
      for (const Case& c : cases()) {
        Executor e(test::registry(), test::options_in({}));
        const Graph g = graph_with(c.type, c.params, kind);
        const auto in = std::get<Projections>(e.pull(g, "scan", "projections").or_throw());
        const auto out = std::get<Projections>(e.pull(g, "filter", "projections").or_throw());
        QVERIFY2(test::max_difference(out.data, picture_by_picture(in.data, c)) == 0, c.type.c_str());
        // In counts the noise level given to non-local means is negligible.
        if (std::string_view(kind) == "absorption") QVERIFY2(!out.data.equal(in.data), c.type.c_str());
        QCOMPARE(out.references.flats.defined(), in.references.flats.defined());
        if (in.references.flats.defined())
          QVERIFY2(test::max_difference(out.references.flats, picture_by_picture(in.references.flats, c)) == 0,
                   c.type.c_str());
        // A part is the part of the whole: the halo is asked for, and mirrored only at the detector's edges.
        const ScanRegion part{{1, 3}, {2, 9}, {0, 11}};
        Executor fresh(test::registry(), test::options_in({}));
        const auto some = std::get<Projections>(fresh.pull(g, "filter", "projections", Region(part)).or_throw());
        QVERIFY2(test::max_difference(some.data, out.data.narrow(0, 1, 2).narrow(1, 2, 7).narrow(2, 0, 11)) <
                     1e-6 * out.data.abs().max().item<double>(),
                 c.type.c_str());
      }
  }
};

TL_TEST_CASE(ViewFiltersTest)

}  // namespace tl::view_filters_test

#include "view_filters.moc"
