// The values that pass along the links of a graph.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/values/hash.h"
#include "core/values/infos.h"

namespace tl {

// Element type of pixels: floating point, or the uint16 counts of a detector of at most 16 bits.
enum class Samples { floats, counts };

// Flats and darks accompany the projections until the flat-field node uses them: [n, row, col] on the same rows and
// columns, and the position of each flat in the series (in view indices; between -0.5 and views-0.5 or outside).
struct References {
  at::Tensor flats, darks;  // undefined when absent
  std::vector<double> flat_positions;
};

// A region of a scan: `data` is [view, row, col] and `geometry` describes exactly that region.
struct Projections {
  at::Tensor data;  // floating point; uint16 only for nodes that accept counts
  ScanGeometry geometry;
  at::Tensor vectors;  // [view, 12] float64, defined only while something in the geometry is being learned
  PixelKind kind = PixelKind::counts;
  References references;
  // A digest of the pixels of each view, by which the result for a single view is found again in another region or
  // window with that view. Empty: not known; only windows of a stream have it. Kept for pixels that a node passes on
  // unchanged; the executor clears it otherwise.
  std::vector<Hash> contents = {};
};

struct Volume {
  at::Tensor data;  // [z, y, x]
  VolumeGrid grid;
  Unit unit = Unit::per_mm;
};

struct Labels {
  at::Tensor data;  // int32, [z, y, x]: numbers of classes or objects, 0 or more; their meaning is in LabelsInfo
  VolumeGrid grid;
};

struct Scalar {
  at::Tensor value;  // 0-dim float64
  Unit unit = Unit::none;
  double uncertainty = 0;  // one sigma; 0 = not known
  Verdict verdict = Verdict::none;
};

// Columns of equal length with names and units, for curves and per-view results.
struct Table {
  struct Column {
    std::string name;
    Unit unit = Unit::none;
    std::vector<double> values;
  };
  std::vector<Column> columns;
};

// Photon fluence per energy bin.
struct Spectrum {
  std::vector<double> energy;  // [keV]
  std::vector<double> weight;  // sums to 1
};

// Several volumes on one grid, such as the probability of each class or the components of a displacement; the meaning
// of the channels is in MapsInfo.
struct Maps {
  at::Tensor data;  // [channel, z, y, x]
  VolumeGrid grid;
  Unit unit = Unit::none;
};

// A trained model, such as the forest of a classifier or the weights of a network: the content of a model file.
struct Model {
  std::string description;                   // JSON: "kind", and the settings needed to use it again
  std::map<std::string, at::Tensor> arrays;  // contiguous, in CPU memory
};

using Value = std::variant<Projections, Volume, Labels, Scalar, Table, Spectrum, Maps, Model>;

// The position of T among Value's alternatives.
template <class T, class V = Value>
struct PortTypeOf;
template <class T, class... All>
struct PortTypeOf<T, std::variant<All...>> {
  static_assert((std::is_same_v<T, All> || ...), "no port has values of this type");
  static constexpr PortType value = [] {
    int at = 0;
    ((!std::is_same_v<T, All> && (++at, true)) && ...);
    return static_cast<PortType>(at);
  }();
};
inline PortType port_type(const Value& value) { return static_cast<PortType>(value.index()); }

// Values on a grid. The last three axes of their data are z, y and x.
template <class T>
concept OnGrid = requires(T value) {
  value.data;
  value.grid;
};
template <OnGrid T>
inline constexpr int64_t data_axes = std::is_same_v<T, Maps> ? 4 : 3;

// The defined tensors of a value.
struct ValueTensors {
  std::vector<at::Tensor*> pixels;  // on the device of the node that computes with them
  std::vector<at::Tensor*> small;   // always on the CPU
};
ValueTensors tensors_of(Value& value);
int64_t bytes(const Value& value);

}  // namespace tl
