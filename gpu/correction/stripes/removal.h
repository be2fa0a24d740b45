// Stripe removal limited to detected stripes: applies the methods of Vo and others to the columns found by
// find_stripes().
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

#include "core/base/angle_order.h"
#include "gpu/correction/stripes/evidence.h"
#include "gpu/correction/stripes/large.h"

namespace tl::ops {

// found: a method changes only columns with a stripe, all others are bit-identical. all: every column, as in the
// papers; this also smooths the object.
enum class StripeColumns { found, all };

enum class StripeMethod { sorting, filtering, fitting, large, dead, all };

struct StripeRemovalSpec {
  StripeMethod method = StripeMethod::sorting;
  StripeColumns columns = StripeColumns::found;
  StripeModel model = StripeModel::offset;
  double snr = 3;                            // found: scales the limit of find_stripes(), which is 8.5 for snr = 3
  int64_t size = 5;                          // columns of the median window for sorting and filtering, odd
  int64_t large_size = 51;                   // [columns] odd; found: detects stripes up to half as wide
  double low_pass = 3;                       // filtering: sigma [cycles per scan]
  int64_t order_of_fit = 3;                  // fitting: degree of the polynomials along the views
  double smoothing = 10;                     // [px] fitting: Gaussian over the columns
  ColumnLevels levels = ColumnLevels::keep;  // columns = all: used by the methods large and all
  CancelToken cancel;                        // checked between rows
  std::vector<uint8_t> spared = {};          // found: StripeSearch::spared
  AngleOrder order = {};  // order of the views by angle; empty: they are already sorted by angle, in equal steps
};

// Applies one method to every detector row of [view, row, col]. columns = all: remove_stripes_by_sorting(),
// remove_stripes_by_filtering(), remove_stripes_by_fitting(), remove_large_stripes(), remove_dead_stripes(),
// remove_all_stripes(). columns = found, for the stripes of each row:
//   sorting, filtering   the results of these operators, in striped columns only
//   fitting              the polynomial of a striped column is replaced by that of the unstriped columns around (local
//                        parabola with Gaussian weights)
//   large                the height of a constant stripe is subtracted; other striped columns take values of equal rank
//                        from the nearest unstriped columns
//   dead                 fluctuating and unresponsive columns are interpolated, then large for the other stripes, as in
//                        the paper
//   all                  dead, then a second search, and sorting for the stripes it finds
// Transmission (gain) is processed as absorption if all values of a row are positive. float32 or float64; large,
// dead and all on the CPU; differentiable except for the choice of columns. Errors: invalid for shapes and sizes.
Result<StripeRemovalResult> remove_stripes(const at::Tensor& projections, const StripeRemovalSpec& spec);

// The search parameters for these settings, and the stripes found in one row [view, col] with its views as recorded
// (for transmission, in its absorption).
StripeSearch stripe_search(const StripeRemovalSpec& spec);
std::vector<Stripe> stripes_of_row(const at::Tensor& sinogram, const StripeRemovalSpec& spec);

// Calls method(sinogram, stripes) for every row with stripes and uses the striped columns of the returned sinogram
// [view, col]. The method receives absorption (for transmission: minus its logarithm); views are in the order of
// `search`'s angles. It may be called for several rows in parallel.
using StripeCorrection = std::function<at::Tensor(const at::Tensor& sinogram, const std::vector<Stripe>& stripes)>;
StripeRemovalResult on_striped_columns(const at::Tensor& projections, StripeModel model, const StripeSearch& search,
                                       const CancelToken& cancel, const StripeCorrection& method);

// Subtracts the height of constant stripes (StripeKind::level), interpolated linearly from the first column to the
// last.
at::Tensor without_constant_stripes(const at::Tensor& sinogram, const std::vector<Stripe>& stripes);

// Replaces the polynomials along the views of the marked columns by those of the columns around them.
at::Tensor fitted_to_neighbours(const at::Tensor& sinogram, const std::vector<uint8_t>& marked, int64_t order,
                                double sigma);

}  // namespace tl::ops
