// Shared by the Gaussian filters and unsharp masks of volumes and of views.
#pragma once

#include <ATen/ATen.h>

#include "core/nodes/filter/filter_node.h"
#include "gpu/image/gaussian_filter.h"

namespace tl {

struct GaussianParams {
  FilterSpan span = FilterSpan::volume;
  double sigma = 1;
};
struct UnsharpParams : GaussianParams {
  double amount = 1;
};

inline constexpr double gaussian_truncate = 4;  // standard deviations

inline ops::Reach reach_of(const GaussianParams& p) {
  return filter_reach(p.span, ops::gaussian_reach(p.sigma, gaussian_truncate));
}

// make(spec) makes the operator; the tensors of a scan differ in their number of images.
template <class Make>
Result<void> run_smoothing(const GaussianParams& p, NodeRun& r, const Make& make) {
  return run_filter(reach_of(p), r, [&](const at::Tensor& t) -> Result<at::Tensor> {
    const double along_z = p.span == FilterSpan::volume ? p.sigma : 0;
    const ops::GaussianSpec spec{t.size(0),         t.size(1), t.size(2), {along_z, p.sigma, p.sigma},
                                 gaussian_truncate, r.cancel()};
    TL_TRY(const OperatorPtr op, make(spec));
    return tl::apply(op, t);
  });
}

// P derives from GaussianParams.
template <class P>
void describe_gaussian(NodeBuilder<P>& n) {
  n.on_gpu();
  n.synonyms({"blur", "smooth", "low-pass", "denoise"});
  n.param("sigma", "Width", &P::sigma).range(0.05, 100, Unit::px).help("Standard deviation of the Gaussian.");
  n.run([](const P& p, NodeRun& r) {
    return run_smoothing(p, r, [](const ops::GaussianSpec& spec) { return ops::make_gaussian_filter(spec); });
  });
}

// P derives from UnsharpParams.
template <class P>
void describe_unsharp(NodeBuilder<P>& n) {
  n.on_gpu();
  n.synonyms({"sharpen", "high-pass", "conditional sharpening"});
  n.param("sigma", "Width", &P::sigma)
      .range(0.05, 100, Unit::px)
      .help("Standard deviation of the Gaussian: about the blur to be removed.");
  n.param("amount", "Amount", &P::amount).range(0, 100).help("Factor of the difference that is added.");
  n.run([](const P& p, NodeRun& r) {
    return run_smoothing(p, r, [&](const ops::GaussianSpec& spec) { return ops::make_unsharp_mask(spec, p.amount); });
  });
}

}  // namespace tl
