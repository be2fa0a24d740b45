// Verifies stripe removal: each kind of stripe is reduced, other columns are unchanged, constants and narrow detectors
// work.
#include <ATen/ATen.h>

#include <functional>

#include "gpu/correction/stripes/dead.h"
#include "gpu/correction/stripes/filtering.h"
#include "gpu/correction/stripes/fitting.h"
#include "gpu/correction/stripes/large.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/striped_sinogram.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using verify::add_check;
using verify::StripedSinogram;

struct Method {
  const char* name;
  std::function<at::Tensor(const at::Tensor&)> remove;
};

std::vector<Method> methods() {
  return {{"sorting", [](const at::Tensor& x) { return ops::remove_stripes_by_sorting(x, {}).or_throw(); }},
          {"filtering", [](const at::Tensor& x) { return ops::remove_stripes_by_filtering(x, {}).or_throw(); }},
          {"large", [](const at::Tensor& x) { return ops::remove_large_stripes(x, {}).or_throw().projections; }},
          {"dead", [](const at::Tensor& x) { return ops::remove_dead_stripes(x, {}).or_throw().projections; }},
          {"all", [](const at::Tensor& x) { return ops::remove_all_stripes(x, {}).or_throw().projections; }},
          {"fitting", [](const at::Tensor& x) {
             ops::StripeFittingSpec spec;
             spec.order = std::min<int64_t>(3, x.size(0) - 1);
             return ops::remove_stripes_by_fitting(x, spec).or_throw();
           }}};
}

void each_kind(CheckTable& table) {
  struct Kind {
    const char* name;
    std::function<void(StripedSinogram&)> add;
    std::string for_methods;
  };
  const std::vector<Kind> kinds = {{"gain of 3 % on five columns", verify::add_gains, "sorting filtering all"},
                                   {"one dead column", verify::add_dead, "dead all"},
                                   {"15 columns too bright", verify::add_large, "large all"},
                                   {"all of these",
                                    [](StripedSinogram& s) {
                                      verify::add_gains(s);
                                      verify::add_dead(s);
                                      verify::add_large(s);
                                    },
                                    "all"}};
  for (const Kind& kind : kinds) {
    StripedSinogram s = verify::sinogram_without_stripes();
    kind.add(s);
    for (const Method& m : methods()) {
      if (kind.for_methods.find(m.name) == std::string::npos) continue;
      const at::Tensor y = m.remove(s.data);
      add_check(table, {"stripes left", m.name, kind.name, "float64", s.remaining_stripe_error(y), 0.2});
      add_check(table, {"stripes elsewhere", m.name, kind.name, "float64", s.change_outside_stripes(y), 5e-3});
    }
  }
}

void limits(CheckTable& table) {
  for (const Method& m : methods()) {
    double worst = 0, broken = 0;
    for (const auto type : {at::kFloat, at::kDouble}) {
      const at::Tensor x = at::full({33, 2, 70}, 0.1, type);
      worst = verify::larger_deviation(worst, (m.remove(x) - x).abs().max().item<double>());
    }
    for (const int64_t width : {1, 2, 3, 9})
      for (const int64_t views : {1, 2, 30}) {
        const at::Tensor y = m.remove(verify::gaussian({views, 2, width}, 2, 1).to(at::kFloat));
        if (!y.sizes().equals({views, 2, width}) || !at::isfinite(y).all().item<bool>()) ++broken;
      }
    add_check(table, {"stripes constant", m.name, "the same value everywhere", "both", worst, 0, false,
                      "Not a bit may change where there is no stripe."});
    add_check(table, {"stripes narrow", m.name, "1 to 9 columns: results not finite", "float32", broken, 0, false,
                      "A count."});
  }
}

}  // namespace

CheckTable verify_stripes() {
  CheckTable table;
  each_kind(table);
  limits(table);
  return table;
}

}  // namespace tl
