// PruneMethod: the methods of pruning with their names and titles. No array type in this header.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace tl::net {

enum class PruneMethod {
  lean,              // edges on the longest multiplicative paths of operator norms
  operator_norm,     // those of largest operator norm
  l1,                // edges whose filters have the largest sum of absolute values
  geometric_median,  // whole filters, those furthest from the others of their layer
  soft,              // whole filters of largest norm; pruned ones may grow again until the last step
};
inline constexpr std::array prune_methods = {PruneMethod::lean, PruneMethod::operator_norm, PruneMethod::l1,
                                             PruneMethod::geometric_median, PruneMethod::soft};

// Name on the command line and in reports: "lean", "norm", "l1", "geometric_median", "soft".
std::string_view to_string(PruneMethod method);
std::optional<PruneMethod> prune_method_of(std::string_view name);

// For display: "LEAN", and the filters that it keeps: "the chains of filters that enlarge most".
std::string_view title_of(PruneMethod method);
std::string_view criterion_of(PruneMethod method);

}  // namespace tl::net
