// Declares the parameters of the load node, group by group.
#include "core/nodes/input/scan_params.h"

#include "core/io/scans/scan_formats.h"

namespace tl {
namespace {

Choices<std::string> format_choices() {
  Choices<std::string> all = {{"", "auto_detect", "Detect"}};
  for (const io::ScanFormat& f : io::scan_formats())
    all.push_back({std::string(f.id), std::string(f.id), std::string(f.title)});
  return all;
}

Choices<std::string> raw_type_choices() {
  Choices<std::string> all;
  for (const char* type :
       {"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"})
    all.push_back({type, type, type});
  return all;
}

void declare_orientation(NodeBuilder<ScanParams>& n) {
  n.param("flip_u", &ScanParams::flip_u, {{Flip::keep, "keep", "Keep"}, {Flip::mirror, "mirror", "Mirror"}})
      .title("Columns")
      .help("Mirror the views left to right.");
  n.param("flip_v", &ScanParams::flip_v, {{Flip::keep, "keep", "Keep"}, {Flip::mirror, "mirror", "Mirror"}})
      .title("Rows")
      .help("Mirror the views top to bottom.");
  n.param("axes", &ScanParams::axes, {{Axes::keep, "keep", "Keep"}, {Axes::transpose, "transpose", "Transpose"}})
      .title("Rows and columns")
      .help("Exchange rows and columns, before mirroring: for a horizontal rotation axis.");
  n.param("rotation", &ScanParams::rotation,
          {{Rotation::as_recorded, "as_recorded", "As recorded"}, {Rotation::reversed, "reversed", "Reversed"}})
      .title("Sense of rotation")
      .help("Reversed negates all angles: for a stage that rotates in the opposite direction.");
  n.param("view_shifts", &ScanParams::view_shifts,
          {{ViewShifts::as_the_file_says, "as_the_file_says", "As the file says"},
           {ViewShifts::ignore, "ignore", "Ignore"}})
      .title("Shifts of views")
      .advanced()
      .help(
          "Some scanners move the sample or the detector between views and store by how many pixels (Zeiss .txrm). The "
          "geometry takes these shifts into account; no pixel is resampled.");
}

void declare_views(NodeBuilder<ScanParams>& n) {
  n.param("first_view", &ScanParams::first_view)
      .title("First view")
      .at_least(0)
      .advanced()
      .help("Index of the first view used.");
  n.param("last_view", &ScanParams::last_view)
      .title("Last view")
      .at_least(0)
      .advanced()
      .automatic("the last of the scan")
      .help("Index of the last view used.");
  n.param("view_step", &ScanParams::view_step)
      .title("Every n-th view")
      .at_least(1)
      .advanced()
      .help("Step between the views used: 2 uses every other view.");
  n.param("exclude", &ScanParams::exclude)
      .title("Exclude views")
      .at_least(0)
      .advanced()
      .help("Indices of views to leave out, for example those spoilt by a beam loss.");
}

void declare_frames(NodeBuilder<ScanParams>& n) {
  n.param("pixel_size", &ScanParams::pixel_size)
      .title("Pixel size")
      .unit(Unit::um)
      .range(1e-6, 1e9)
      .automatic("as the file says, else 1 mm")
      .help("Distance between detector columns; rows keep their ratio to it.");
  n.param("outside_links", &ScanParams::outside_links,
          {{io::OutsideLinks::refuse, "refuse", "Refuse"}, {io::OutsideLinks::follow, "follow", "Follow"}})
      .title("Files elsewhere")
      .advanced()
      .help("Whether pixels may be read through links to files outside the scan's folder.");
  n.param("data", &ScanParams::data)
      .title("Frames in the file")
      .advanced()
      .help(
          "HDF5 path of the frames [frame, row, column], for example /scan/images: opens a file of any layout. A group "
          "chooses one of the scans in an NXtomo or BLISS file: /entry0001, /5.1. Empty: where the format keeps them.");
  n.param("image_key", &ScanParams::image_key)
      .title("Kinds of the frames")
      .advanced()
      .help("HDF5 path of one number per frame: 0 projection, 1 flat, 2 dark, 3 invalid. Empty: all are projections.");
}

void declare_references(NodeBuilder<ScanParams>& n) {
  n.param("flats", &ScanParams::flats)
      .title("Flats in the file")
      .advanced()
      .help(
          "HDF5 path of the flats [n, row, column], or of their average [row, column], in the file of the flats or "
          "else in that of the scan. Empty: where the format keeps them.");
  n.param("flats_file", &ScanParams::flats_file)
      .title("File of the flats")
      .input_file()
      .advanced()
      .help(
          "Another file or folder with the flats, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file "
          "of the scan.");
  n.param("darks", &ScanParams::darks)
      .title("Darks in the file")
      .advanced()
      .help(
          "HDF5 path of the darks [n, row, column], or of their average [row, column], in the file of the darks or "
          "else in that of the scan. Empty: where the format keeps them.");
  n.param("darks_file", &ScanParams::darks_file)
      .title("File of the darks")
      .input_file()
      .advanced()
      .help(
          "Another file or folder with the darks, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file "
          "of the scan.");
}

void declare_angles(NodeBuilder<ScanParams>& n) {
  n.param("angles_dataset", &ScanParams::angles_dataset)
      .title("Angles in the file")
      .advanced()
      .help(
          "HDF5 path of the gantry angles, one per view or per frame, for example /entry/sample/gts_theta_value. "
          "Empty: where the format keeps them.");
  n.param("angles_file", &ScanParams::angles_file)
      .title("Angles as text")
      .input_file()
      .advanced()
      .help("A text file with one gantry angle per view, in degrees.");
  n.param("first_angle", &ScanParams::first_angle)
      .title("First angle")
      .unit(Unit::deg)
      .range(-1e6, 1e6)
      .automatic("0 deg where a step is given")
      .advanced()
      .help("Gantry angle of the file's first view; needs the step between views.");
  n.param("angle_step", &ScanParams::angle_step)
      .title("Step between views")
      .unit(Unit::deg)
      .range(-360, 360)
      .automatic("angles as the file says")
      .advanced()
      .help("Gantry angle between successive views of the file, instead of the file's angles.");
  n.param("angle_unit", &ScanParams::angle_unit,
          {{io::AngleUnit::as_the_file_says, "as_the_file_says", "As the file says"},
           {io::AngleUnit::radians, "radians", "Radians"}})
      .title("Unit of the angles")
      .advanced()
      .help(
          "Radians: numbers that were taken for degrees are radians, because the file states no unit, or a wrong one. "
          "That goes for angles as text and for a step between views, too.");
}

void declare_values(NodeBuilder<ScanParams>& n) {
  n.param("odd_references", &ScanParams::odd_references,
          {{io::OddReferences::leave_out, "leave_out", "Leave out"}, {io::OddReferences::keep, "keep", "Keep"}})
      .title("Odd flats and darks")
      .advanced()
      .help(
          "Flats and darks whose level is clearly not that of those taken with them (a closed shutter, a lost beam) "
          "are named and left out, or all are used.");
  n.param("use_darks", &ScanParams::use_darks,
          {{io::UseOfDarks::all, "all", "Use"}, {io::UseOfDarks::none, "none", "Leave out"}})
      .title("Darks of the scan")
      .advanced()
      .help("Left out, the dark signal is 0: for darks that were taken with an open shutter.");
  n.param("pixels", &ScanParams::pixels,
          {{io::ScanPixels::as_the_file_says, "as_the_file_says", "As the file says"},
           {io::ScanPixels::counts, "counts", "Counts"},
           {io::ScanPixels::transmission, "transmission", "Transmission"},
           {io::ScanPixels::percent, "percent", "Transmission in percent"},
           {io::ScanPixels::absorption, "absorption", "Absorption"}})
      .title("Pixels are")
      .help(
          "Counts need flats; transmission is counts over flats, 1 or 100 percent in air; absorption is its negative "
          "logarithm and goes into the reconstruction as it is.");
}

void declare_beam(NodeBuilder<ScanParams>& n) {
  n.param("beam", &ScanParams::beam,
          {{std::nullopt, "as_the_file_says", "As the file says"},
           {Beam::parallel, "parallel", "Parallel"},
           {Beam::cone, "cone", "Cone"}})
      .title("Beam")
      .advanced()
      .help("Parallel, or a cone from a point source, whose distances must be known.");
  n.param("source_to_axis", &ScanParams::source_to_axis)
      .title("Source to axis")
      .unit(Unit::mm)
      .range(1e-6, 1e9)
      .automatic("as the file says")
      .advanced()
      .help("Distance from the source to the rotation axis.");
  n.param("axis_to_detector", &ScanParams::axis_to_detector)
      .title("Axis to detector")
      .unit(Unit::mm)
      .range(0, 1e9)
      .automatic("as the file says")
      .advanced()
      .help("Distance from the rotation axis to the detector.");
  n.param("energy", &ScanParams::energy)
      .title("Energy")
      .unit(Unit::keV)
      .range(1e-3, 1e5)
      .automatic("as the file says")
      .advanced()
      .help("Energy of the X-rays, for phase retrieval.");
}

void declare_raw_files(NodeBuilder<ScanParams>& n) {
  n.param("order", &ScanParams::order,
          {{io::FrameOrder::as_the_file_says, "as_the_file_says", "As the file says"},
           {io::FrameOrder::views, "views", "Views"},
           {io::FrameOrder::sinograms, "sinograms", "Sinograms"}})
      .title("Frames are")
      .advanced()
      .help("Views, or sinograms: one frame per detector row, with one line per view.");
  n.param("raw_size", [](auto& p) -> auto& { return p.raw.size; })
      .title("Raw: size")
      .advanced()
      .help(
          "For files without a header: columns x rows x frames, for example 2048x2048x1500, or columns x rows if a "
          "file holds as many frames as fit. A folder has files called .raw, .bin, .img or .dat.");
  n.param(
       "raw_type", [](auto& p) -> auto& { return p.raw.type; }, raw_type_choices())
      .title("Raw: numbers")
      .advanced()
      .help("Type of the numbers in files without a header.");
  n.param("raw_offset", [](auto& p) -> auto& { return p.raw.offset; })
      .title("Raw: offset")
      .at_least(0)
      .advanced()
      .help("Bytes before the first pixel in files without a header.");
  n.param("raw_byte_order", [](auto& p) -> auto& { return p.raw.order; },
          {{io::ByteOrder::little, "little", "Little-endian"}, {io::ByteOrder::big, "big", "Big-endian"}})
      .title("Raw: byte order")
      .advanced()
      .help("Which byte of a number comes first in files without a header: the smallest (little), or the largest.");
}

}  // namespace

void declare_scan_params(NodeBuilder<ScanParams>& n) {
  n.param("format", &ScanParams::format, format_choices())
      .title("Format")
      .advanced()
      .help("File format; usually detected from the file.");
  declare_orientation(n);
  declare_views(n);
  declare_frames(n);
  declare_references(n);
  declare_angles(n);
  declare_values(n);
  declare_beam(n);
  declare_raw_files(n);
}

}  // namespace tl
