// The values that pass along the links of a graph.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/values/infos.h"

namespace tl {

// Element type of pixels: floating point, or the uint16 counts of a detector of at most 16 bits.
enum class Samples { floats, counts };

// Flats and darks pass with the projections until the flat-field node uses them: [n, row, col] on the same rows and
// columns, and the position of each flat in the series (in view indices; between -0.5 and views-0.5 or outside).
struct References {
  at::Tensor flats, darks;  // undefined when absent
  std::vector<double> flat_positions;
};

// A region of a scan: `data` is [view, row, col] and `geometry` describes exactly that region.
struct Projections {
  at::Tensor data;  // floating point; uint16 only for nodes that take counts
  ScanGeometry geometry;
  at::Tensor vectors;  // [view, 12] float64, defined only while something in the geometry is being learned
  PixelKind kind = PixelKind::counts;
  References references;
};

struct Volume {
  at::Tensor data;  // [z, y, x]
  VolumeGrid grid;
  Unit unit = Unit::per_mm;
};

struct Labels {
  at::Tensor data;  // int32, [z, y, x]: numbers of classes or objects, 0 or more; what they mean is in LabelsInfo
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

// Several volumes on one grid, such as the probability of each class; what the channels are is in MapsInfo.
struct Maps {
  at::Tensor data;  // [channel, z, y, x]
  VolumeGrid grid;
};

// Something trained, such as the forest of a classifier or the weights of a network: what a model file holds.
struct Model {
  std::string description;                   // JSON: "kind", and what its maker needs to use it again
  std::map<std::string, at::Tensor> arrays;  // contiguous, in CPU memory
};

using Value = std::variant<Projections, Volume, Labels, Scalar, Table, Spectrum, Maps, Model>;

template <class T>
struct PortTypeOf;
template <>
struct PortTypeOf<Projections> {
  static constexpr PortType value = PortType::projections;
};
template <>
struct PortTypeOf<Volume> {
  static constexpr PortType value = PortType::volume;
};
template <>
struct PortTypeOf<Labels> {
  static constexpr PortType value = PortType::labels;
};
template <>
struct PortTypeOf<Scalar> {
  static constexpr PortType value = PortType::scalar;
};
template <>
struct PortTypeOf<Table> {
  static constexpr PortType value = PortType::table;
};
template <>
struct PortTypeOf<Spectrum> {
  static constexpr PortType value = PortType::spectrum;
};
template <>
struct PortTypeOf<Maps> {
  static constexpr PortType value = PortType::maps;
};
template <>
struct PortTypeOf<Model> {
  static constexpr PortType value = PortType::model;
};
inline PortType port_type(const Value& value) { return static_cast<PortType>(value.index()); }
int64_t bytes(const Value& value);

}  // namespace tl
