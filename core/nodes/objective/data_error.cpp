// core/nodes/objective/data_error.cpp: objective: mean squared error to measured views.
#include "core/base/view_match.h"
#include "core/nodes/objective/objective_node.h"
#include "core/values/crop.h"
#include "gpu/objective/compare.h"

namespace tl::objective_data_error_node {

struct Params {
  ops::ErrorScale scale = ops::ErrorScale::relative;
};

Result<void> check(const Params&, const Infos& in) {
  const auto& a = scan_of(in);
  const auto& b = std::get<ProjectionsInfo>(in.at("measured"));
  const DetectorShape &da = a.geometry.detector(), &db = b.geometry.detector();
  if (a.geometry.views() != b.geometry.views() || da.rows != db.rows || da.cols != db.cols)
    return invalid("the two scans have different views or pixels", "measured", "Compare scans of the same shape");
  if (a.kind != b.kind)
    return invalid(std::string(to_string(a.kind)) + " is compared with " + std::string(to_string(b.kind)), "measured",
                   "Bring both to the same kind");
  // Views are compared by number. What is learned may rotate or shift a predicted view away from the measured one, so
  // that views without a partner are allowed; but not those that belong to another number.
  if (const auto partners = matching_views(a.geometry, b.geometry); partners.ok())
    for (int64_t i = 0; i < a.geometry.views(); ++i)
      if (const int64_t j = partners.value()[static_cast<std::size_t>(i)]; j != i)
        return invalid("the two scans have the same angles in different orders: view " + std::to_string(i) +
                           " belongs to measured view " + std::to_string(j),
                       "measured", "Compare scans whose views are in the same order");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  const at::Tensor &model = r.in<Projections>("projections").data, &measured = r.in<Projections>("measured").data;
  if (r.wants(residual)) {
    Projections off = r.in<Projections>("projections");
    off.data = ops::residual(model, measured, p.scale);
    const auto* part = std::get_if<ScanRegion>(&r.region);
    r.out(residual, part == nullptr ? std::move(off) : crop(off, *part));
  }
  put_misfit(r, model, measured, p.scale);
  if (!r.wants("loss")) return ok();
  return put_loss(r, ops::mean_squared_error(model, measured, p.scale));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.data_error", 1).title("Squared error of views").partition(Partition::whole).on_gpu();
  n.summary("Scores simulated views by their mean squared difference from measured ones.");
  n.description(
      "Compares what a model predicts, for example the forward projection of a volume, with what was measured. To "
      "score a reconstruction by views that it was not made of, use the reprojection error.");
  n.synonyms({"objective", "loss", "MSE", "data fidelity", "mean squared error", "L2", "residual"});
  n.input<Projections>("projections", "Simulated views, which are scored.");
  n.input<Projections>("measured", "Measured views, with the same angles and pixels.");
  describe_loss(n, "Mean squared error; smaller is better.");
  n.output<Projections>(residual, "Simulated minus measured views, on the chosen scale: the loss is its mean square.");
  describe_misfit(n);
  describe_error_scale(n);
  n.check(check).run(run);
}

}  // namespace tl::objective_data_error_node

TL_NODE(objective_data_error)
