// The values that travel along the links of a graph, and what is known of them before a pixel exists.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "core/base/units.h"

namespace tl {

// What the numbers of projections are.
enum class PixelKind { counts, transmission, absorption, thickness };
std::string_view to_string(PixelKind kind);

// Flats and darks travel with the projections until the flat-field node uses them: [n, row, col] on the same rows and
// columns, and where in the series each flat was taken (in view indices; between -0.5 and views-0.5 or outside).
struct References {
  at::Tensor flats, darks;  // undefined when absent
  std::vector<double> flat_positions;
};

// A region of a scan: `data` is [view, row, col] and `geometry` describes exactly that region.
struct Projections {
  at::Tensor data;
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
  at::Tensor data;  // uint8 or uint16, [z, y, x]
  VolumeGrid grid;
};

// A verdict says how far a found value may be trusted.
enum class Verdict { none, resolved, railed, ambiguous, flat };
std::string_view to_string(Verdict verdict);

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

using Value = std::variant<Projections, Volume, Labels, Scalar, Table, Spectrum>;

// The type of a port, in the order of Value's alternatives.
enum class PortType { projections, volume, labels, scalar, table, spectrum };
std::string_view to_string(PortType type);
template <class T> struct PortTypeOf;
template <> struct PortTypeOf<Projections> { static constexpr PortType value = PortType::projections; };
template <> struct PortTypeOf<Volume> { static constexpr PortType value = PortType::volume; };
template <> struct PortTypeOf<Labels> { static constexpr PortType value = PortType::labels; };
template <> struct PortTypeOf<Scalar> { static constexpr PortType value = PortType::scalar; };
template <> struct PortTypeOf<Table> { static constexpr PortType value = PortType::table; };
template <> struct PortTypeOf<Spectrum> { static constexpr PortType value = PortType::spectrum; };
inline PortType port_type(const Value& value) { return static_cast<PortType>(value.index()); }
int64_t bytes(const Value& value);

// Where a number of a scan came from. Every screen and file that shows the number shows this too.
enum class Origin { file, guessed, user };
std::string_view to_string(Origin origin);

// What is known of a whole output before it is computed.
struct ProjectionsInfo {
  ScanGeometry geometry;  // of the whole scan
  PixelKind kind = PixelKind::counts;
  int64_t flats = 0, darks = 0;
  double energy = 0;      // [keV], 0 = not known
  // The geometry holds a value that a measurement has not found yet (an axis): a placeholder stands in.
  bool pending = false;
};
struct VolumeInfo {
  VolumeGrid grid;
  Unit unit = Unit::per_mm;
  bool pending = false;
};
struct LabelsInfo {
  VolumeGrid grid;
};
struct PlainInfo {};  // scalar, table, spectrum: small, known only when computed
using Info = std::variant<ProjectionsInfo, VolumeInfo, LabelsInfo, PlainInfo>;

// A part of an output: a box of a scan, any grid through a volume, or all of a small value.
struct WholeRegion {
  friend bool operator==(const WholeRegion&, const WholeRegion&) = default;
};
using Region = std::variant<ScanRegion, VolumeGrid, WholeRegion>;
Region full_region(const Info& info);
int64_t region_bytes(const Region& region, int64_t element_size);

}  // namespace tl
