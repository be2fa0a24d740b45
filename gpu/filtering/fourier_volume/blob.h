// The Kaiser-Bessel blob that carries samples onto a Fourier grid, and its transform.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

namespace tl::ops {

// R. M. Lewitt, J. Opt. Soc. Am. A 7, 1834 (1990): order 0, so that it falls to nearly 0 at its radius.
inline constexpr double blob_radius = 1.9;  // [cells of the grid]
inline constexpr double blob_alpha = 15;    // taper

// I0(alpha sqrt(1 - (r / radius)^2)) / I0(alpha) at a distance r [cells]; 1 at 0, and 0 from the radius on.
double blob(double r);
// The blob's three-dimensional Fourier transform at a frequency s >= 0 [cycles per cell]; its integral at 0.
double blob_transform(double s);

// The blob by the square of the distance at 512 nodes per squared cell, for loops. In float it is linear between them
// (errors below 3e-6); in double it is cubic, with the blob's own slopes at the nodes (errors below 1e-11, but for 3e-6
// where it ends), so that values and slopes have no steps that differences would see.
class BlobTable {
 public:
  BlobTable();
  template <class T>
  struct Entry {
    T value, slope;  // at the node; in float the difference to the next one, in double the derivative by nodes
  };
  static constexpr double nodes = 512;
  template <class T>
  [[nodiscard]] const Entry<T>* entries() const {
    if constexpr (std::is_same_v<T, float>)
      return single_.data();
    else
      return double_.data();
  }

 private:
  std::vector<Entry<float>> single_;
  std::vector<Entry<double>> double_;
};

// The squared distance from which on the table holds zeros, and its largest index.
inline constexpr double blob_reach = blob_radius * blob_radius;
inline constexpr auto blob_last_entry = static_cast<int32_t>(blob_reach * BlobTable::nodes) + 1;
// Where the table reaches 0, without a step: loops go as far, a thousandth of a cell beyond the radius.
inline constexpr double blob_edge_square = static_cast<double>(blob_last_entry) / BlobTable::nodes;
inline constexpr double blob_edge = 1.90036;  // its square root, rounded up
static_assert(blob_edge * blob_edge >= blob_edge_square && 2 * blob_edge < 4);

}  // namespace tl::ops
