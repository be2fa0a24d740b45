// The table of port types: properties of a type for graphs, forms and views that do not compute with its values. Code
// that computes with values uses their members (OnGrid in values.h), so that a new type needs one row here and one
// struct there.
#pragma once

#include <span>
#include <string_view>

#include "core/values/infos.h"

namespace tl {

// How values of a type are divided into regions.
enum class Cut {
  scan,   // views, rows and columns: ScanRegion
  grid,   // voxels: VolumeGrid
  whole,  // not at all: the values are small
};
// How a value is displayed in the window and in images of the reference.
enum class Display { grey, labels, number, curve, none };

struct PortTypeRow {
  PortType type;
  std::string_view name;           // in files and messages
  std::string_view colour, shape;  // keys of widgets/theme and of widgets/canvas/items/port_shape
  Cut cut;
  Display display;
  std::string_view example;  // source of an example for reference images (core/run/automatic/example_source); or empty
};

// One row per type, in the order of the alternatives of Value.
std::span<const PortTypeRow> port_types();
const PortTypeRow& row_of(PortType type);

inline std::string_view to_string(PortType type) { return row_of(type).name; }
// Whether values of the type are computed region by region.
inline bool has_regions(PortType type) { return row_of(type).cut != Cut::whole; }
inline bool is_image(PortType type) { return row_of(type).display <= Display::labels; }
inline bool is_grey(PortType type) { return row_of(type).display == Display::grey; }
inline bool is_voxel_image(PortType type) { return is_image(type) && row_of(type).cut == Cut::grid; }
inline bool is_scan(PortType type) { return row_of(type).cut == Cut::scan; }
inline bool is_volume(PortType type) { return is_grey(type) && row_of(type).cut == Cut::grid; }
inline bool is_labels(PortType type) { return row_of(type).display == Display::labels; }
inline bool is_number(PortType type) { return row_of(type).display == Display::number; }  // may drive a parameter
inline bool is_curve(PortType type) { return row_of(type).display == Display::curve; }
bool is_table(PortType type);
bool is_spectrum(PortType type);
// A property of port types, such as is_scan.
using PortTest = bool (*)(PortType);
// The type of ports that can drive parameters.
PortType parameter_driving_type();

}  // namespace tl
