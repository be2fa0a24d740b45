// Names of the pruning methods, for reports and for display.
#include "core/net/prune/prune_method.h"

#include <algorithm>

namespace tl::net {
namespace {

struct Texts {
  PruneMethod method;
  std::string_view name, title, kept;
};
constexpr std::array<Texts, prune_methods.size()> texts = {{
    {PruneMethod::lean, "lean", "LEAN", "the chains of filters that enlarge most"},
    {PruneMethod::operator_norm, "norm", "norm", "filters one by one, those that enlarge most"},
    {PruneMethod::l1, "l1", "L1", "filters one by one, those of the largest sum of magnitudes"},
    {PruneMethod::geometric_median, "geometric_median", "geometric median",
     "all filters of the output channels that differ most from the others"},
    {PruneMethod::soft, "soft", "soft",
     "all filters of the strongest output channels; removed ones may grow again until the last step"},
}};

const Texts& texts_of(PruneMethod method) {
  return *std::find_if(texts.begin(), texts.end(), [&](const Texts& t) { return t.method == method; });
}

}  // namespace

std::string_view to_string(PruneMethod method) { return texts_of(method).name; }
std::string_view title_of(PruneMethod method) { return texts_of(method).title; }
std::string_view criterion_of(PruneMethod method) { return texts_of(method).kept; }

std::optional<PruneMethod> prune_method_of(std::string_view name) {
  for (const PruneMethod m : prune_methods)
    if (name == to_string(m)) return m;
  return std::nullopt;
}

}  // namespace tl::net
