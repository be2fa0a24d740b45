// Shared by the nodes that remove stripes: accepted inputs, regions to read, and the choice between columns with a
// stripe and all columns.
#pragma once

#include "core/node/node_builder.h"
#include "gpu/correction/stripes/removal.h"

namespace tl {

inline Result<void> check_stripe_removal(const Infos& in) {
  if (scan_of(in).kind == PixelKind::counts)
    return invalid("stripe removal works on absorption or transmission, these are counts", "projections",
                   "Put the flat-field node before this node");
  return ok();
}
inline Result<Regions> whole_sinograms(const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  return Regions{{"projections", ScanRegion{all.views, std::get<ScanRegion>(wanted).rows, all.cols}}};
}
// Memory for the cleaned rows before cropping, and for one sinogram with ranks and indices.
inline int64_t sinogram_workspace(const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t sinogram = all.views.size() * all.cols.size();
  return 3 * sinogram * std::get<ScanRegion>(wanted).rows.size() * element_size + 48 * sinogram;
}

// P has a member `columns`.
template <class P>
void declare_stripe_columns(NodeBuilder<P>& n, std::string help) {
  n.param("columns", "Columns", &P::columns,
          {{ops::StripeColumns::found, "found", "With a stripe"}, {ops::StripeColumns::all, "all", "All"}})
      .help(std::move(help));
}

// Help text for methods that were published for all columns.
inline constexpr const char* columns_of_the_paper =
    "Change the columns in which a stripe is found, or every column as in the paper, which smooths the object as well.";

}  // namespace tl
