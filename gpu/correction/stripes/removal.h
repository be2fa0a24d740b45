// Stripe removal where stripes are: the methods of Vo and others on the columns in which find_stripes() sees one.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

#include "gpu/correction/stripes/evidence.h"
#include "gpu/correction/stripes/large.h"

namespace tl::ops {

// found: a method changes the columns that carry a stripe, all others come back bit-identical. all: every column, as in
// the papers; that smooths the object as well.
enum class StripeColumns { found, all };

enum class StripeMethod { sorting, filtering, fitting, large, dead, all };

struct StripeRemovalSpec {
  StripeMethod method = StripeMethod::sorting;
  StripeColumns columns = StripeColumns::found;
  StripeModel model = StripeModel::offset;
  double snr = 3;           // found: the limit of find_stripes() is 8.5 where this is 3, and in proportion
  int64_t size = 5;         // columns of the median window of sorting and filtering, odd
  int64_t large_size = 51;  // columns; found: stripes of up to half of it
  double low_pass = 3;      // filtering
  int64_t order = 3;        // fitting: of the polynomials along the views
  double smoothing = 10;    // [px] fitting: Gaussian over the columns
  ColumnLevels levels = ColumnLevels::keep;  // all columns: of large and all
  CancelToken cancel;                        // looked at between rows
  std::vector<uint8_t> spared = {};          // found: StripeSearch::spared
};

// One method on every detector row of [view, row, col]. columns = all: stripe_sorting(), stripe_filtering(),
// stripe_fitting(), stripe_large(), stripe_dead(), stripe_all(). columns = found, for the stripes of each row:
//   sorting, filtering   what these operators give
//   fitting              the polynomial of a column becomes that of the columns around that carry no stripe (local
//                        parabola with Gaussian weights)
//   large                a stripe of constant height is lowered by it; other columns take the values of equal rank of
//                        the nearest columns without
//   dead                 columns that fluctuate or do not answer are interpolated, then large for what is left, as in
//                        the paper
//   all                  dead, then a second search, and sorting for what that finds
// Transmission (gain) is worked on as its logarithm where all values of a row are positive. float32 or float64;
// large, dead and all on the processor; differentiable except for which columns are found. Errors: invalid for shapes
// and sizes.
Result<StripesRemoved> remove_stripes(const at::Tensor& projections, const StripeRemovalSpec& spec);

// The search that these settings make, and the stripes that it finds in one row [view, col]: of the logarithm where the
// row is transmission.
StripeSearch stripe_search(const StripeRemovalSpec& spec);
std::vector<Stripe> stripes_of_row(const at::Tensor& sinogram, const StripeRemovalSpec& spec);

// method(sinogram, stripes) -> a sinogram [view, col] of which the columns of the stripes are taken, for every row
// that has some. The method sees absorption, or the logarithm of transmission.
using StripeCorrection = std::function<at::Tensor(const at::Tensor& sinogram, const std::vector<Stripe>& stripes)>;
StripesRemoved on_striped_columns(const at::Tensor& projections, StripeModel model, const StripeSearch& search,
                                  const CancelToken& cancel, const StripeCorrection& method);

// Stripes of constant height (StripeKind::level) lowered by it, in a straight line from the first column to the last.
at::Tensor without_constant_stripes(const at::Tensor& sinogram, const std::vector<Stripe>& stripes);

// The polynomials along the views of the columns with a stripe replaced by those of the columns around them.
at::Tensor fitted_to_neighbours(const at::Tensor& sinogram, const std::vector<uint8_t>& marked, int64_t order,
                                double sigma);

}  // namespace tl::ops
