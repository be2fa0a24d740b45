// The choice of stripe removal nodes between the columns with a stripe and all of them.
#pragma once

#include "core/node/node_builder.h"
#include "gpu/correction/stripes/removal.h"

namespace tl {

// P has a member `columns`.
template <class P>
void declare_stripe_columns(NodeBuilder<P>& n, std::string help) {
  n.param("columns", &P::columns,
          {{ops::StripeColumns::found, "found", "With a stripe"}, {ops::StripeColumns::all, "all", "All"}})
      .title("Columns")
      .help(std::move(help));
}

// The methods that were published for all columns.
inline constexpr const char* columns_of_the_paper =
    "Change the columns in which a stripe is found, or every column as in the paper, which smooths the object as well.";

}  // namespace tl
