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
  n.param("flip_u", "Columns", &ScanParams::flip_u, {{Flip::keep, "keep", "Keep"}, {Flip::mirror, "mirror", "Mirror"}})
      .help("Mirror the views left to right.");
  n.param("flip_v", "Rows", &ScanParams::flip_v, {{Flip::keep, "keep", "Keep"}, {Flip::mirror, "mirror", "Mirror"}})
      .help("Mirror the views top to bottom.");
  n.param("axes", "Rows and columns", &ScanParams::axes,
          {{Axes::keep, "keep", "Keep"}, {Axes::transpose, "transpose", "Transpose"}})
      .help("Exchange rows and columns, before mirroring: for a horizontal rotation axis.");
  n.param("rotation", "Sense of rotation", &ScanParams::rotation,
          {{Rotation::as_recorded, "as_recorded", "As recorded"}, {Rotation::reversed, "reversed", "Reversed"}})
      .help("Reversed negates all angles: for a stage that rotates in the opposite direction.");
  n.advanced_param("view_shifts", "Shifts of views", &ScanParams::view_shifts,
                   {{ViewShifts::as_the_file_says, "as_the_file_says", "As the file says"},
                    {ViewShifts::ignore, "ignore", "Ignore"}})
      .help(
          "Some scanners move the sample or the detector between views and store by how many pixels (Zeiss .txrm). The "
          "geometry takes these shifts into account; no pixel is resampled.");
}

void declare_views(NodeBuilder<ScanParams>& n) {
  n.advanced_param("first_view", "First view", &ScanParams::first_view)
      .at_least(0)
      .help("Index of the first view used.");
  n.advanced_param("last_view", "Last view", &ScanParams::last_view)
      .at_least(0)
      .automatic("the last of the scan")
      .help("Index of the last view used.");
  n.advanced_param("view_step", "Every n-th view", &ScanParams::view_step)
      .at_least(1)
      .help("Step between the views used: 2 uses every other view.");
  n.advanced_param("exclude", "Exclude views", &ScanParams::exclude)
      .at_least(0)
      .help("Indices of views to leave out, for example views spoilt by a beam loss.");
}

void declare_frames(NodeBuilder<ScanParams>& n) {
  n.param("pixel_size", "Pixel size", &ScanParams::pixel_size)
      .range(1e-6, 1e9, Unit::um)
      .automatic("as the file says, else 1 mm")
      .help("Distance between detector columns; the distance between rows is scaled by the same factor.");
  n.advanced_param("outside_links", "Files elsewhere", &ScanParams::outside_links,
                   {{io::OutsideLinks::refuse, "refuse", "Refuse"}, {io::OutsideLinks::follow, "follow", "Follow"}})
      .help("Whether pixels may be read through links to files outside the scan's folder.");
  n.advanced_param("data", "Frames in the file", &ScanParams::data)
      .help(
          "HDF5 path of the frames [frame, row, column], for example /scan/images: opens a file of any layout. A group "
          "chooses one of the scans in an NXtomo or BLISS file: /entry0001, /5.1. Empty: the standard path of the "
          "format.");
  n.advanced_param("image_key", "Kinds of the frames", &ScanParams::image_key)
      .help("HDF5 path of one number per frame: 0 projection, 1 flat, 2 dark, 3 invalid. Empty: all are projections.");
}

void declare_references(NodeBuilder<ScanParams>& n) {
  n.advanced_param("flats", "Flats in the file", &ScanParams::flats)
      .help(
          "HDF5 path of the flats [n, row, column], or of their average [row, column], in the file of the flats, or in "
          "that of the scan if there is none. Empty: the standard path of the format.");
  n.advanced_param("flats_file", "File of the flats", &ScanParams::flats_file)
      .input_file()
      .help(
          "Another file or folder with the flats, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file "
          "of the scan.");
  n.advanced_param("darks", "Darks in the file", &ScanParams::darks)
      .help(
          "HDF5 path of the darks [n, row, column], or of their average [row, column], in the file of the darks, or in "
          "that of the scan if there is none. Empty: the standard path of the format.");
  n.advanced_param("darks_file", "File of the darks", &ScanParams::darks_file)
      .input_file()
      .help(
          "Another file or folder with the darks, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file "
          "of the scan.");
}

void declare_angles(NodeBuilder<ScanParams>& n) {
  n.advanced_param("angles_dataset", "Angles in the file", &ScanParams::angles_dataset)
      .help(
          "HDF5 path of the gantry angles, one per view or per frame, for example /entry/sample/gts_theta_value. "
          "Empty: the standard path of the format.");
  n.advanced_param("angles_file", "Angles as text", &ScanParams::angles_file)
      .input_file()
      .help("A text file with one gantry angle per view, in degrees.");
  n.advanced_param("first_angle", "First angle", &ScanParams::first_angle)
      .range(-1e6, 1e6, Unit::deg)
      .automatic("0 deg where a step is given")
      .help("Gantry angle of the file's first view; needs the step between views.");
  n.advanced_param("angle_step", "Step between views", &ScanParams::angle_step)
      .range(-360, 360, Unit::deg)
      .automatic("angles as the file says")
      .help("Gantry angle between successive views of the file, instead of the file's angles.");
  n.advanced_param("angle_unit", "Unit of the angles", &ScanParams::angle_unit,
                   {{io::AngleUnit::as_the_file_says, "as_the_file_says", "As the file says"},
                    {io::AngleUnit::radians, "radians", "Radians"}})
      .help(
          "Radians: numbers read as degrees are radians, because the file states no unit, or a wrong one. This applies "
          "also to angles as text and to a step between views.");
}

void declare_values(NodeBuilder<ScanParams>& n) {
  n.advanced_param(
       "odd_references", "Odd flats and darks", &ScanParams::odd_references,
       {{io::OddReferences::leave_out, "leave_out", "Leave out"}, {io::OddReferences::keep, "keep", "Keep"}})
      .help(
          "Flats and darks whose level clearly differs from others of their series (a closed shutter, a lost beam) are "
          "reported and left out, or all are used.");
  n.advanced_param("use_darks", "Darks of the scan", &ScanParams::use_darks,
                   {{io::UseOfDarks::all, "all", "Use"}, {io::UseOfDarks::none, "none", "Leave out"}})
      .help("Left out, the dark signal is 0: for darks that were taken with an open shutter.");
  n.param("pixels", "Pixels are", &ScanParams::pixels,
          {{io::ScanPixels::as_the_file_says, "as_the_file_says", "As the file says"},
           {io::ScanPixels::counts, "counts", "Counts"},
           {io::ScanPixels::transmission, "transmission", "Transmission"},
           {io::ScanPixels::percent, "percent", "Transmission in percent"},
           {io::ScanPixels::absorption, "absorption", "Absorption"}})
      .help(
          "Counts need flats; transmission is counts over flats, 1 or 100 percent in air; absorption is its negative "
          "logarithm and is reconstructed without further correction.");
}

void declare_beam(NodeBuilder<ScanParams>& n) {
  n.advanced_param("beam", "Beam", &ScanParams::beam,
                   {{std::nullopt, "as_the_file_says", "As the file says"},
                    {Beam::parallel, "parallel", "Parallel"},
                    {Beam::cone, "cone", "Cone"}})
      .help("Parallel, or a cone from a point source, whose distances must be known.");
  n.advanced_param("source_to_axis", "Source to axis", &ScanParams::source_to_axis)
      .range(1e-6, 1e9, Unit::mm)
      .automatic("as the file says")
      .help("Distance from the source to the rotation axis.");
  n.advanced_param("axis_to_detector", "Axis to detector", &ScanParams::axis_to_detector)
      .range(0, 1e9, Unit::mm)
      .automatic("as the file says")
      .help("Distance from the rotation axis to the detector.");
  n.advanced_param("energy", "Energy", &ScanParams::energy)
      .range(1e-3, 1e5, Unit::keV)
      .automatic("as the file says")
      .help("Energy of the X-rays, for phase retrieval.");
}

void declare_raw_files(NodeBuilder<ScanParams>& n) {
  n.advanced_param("order", "Frames are", &ScanParams::order,
                   {{io::FrameOrder::as_the_file_says, "as_the_file_says", "As the file says"},
                    {io::FrameOrder::views, "views", "Views"},
                    {io::FrameOrder::sinograms, "sinograms", "Sinograms"}})
      .help("Views, or sinograms: one frame per detector row, with one line per view.");
  n.advanced_param("raw_size", "Raw: size", [](auto& p) -> auto& { return p.raw.size; })
      .help(
          "For files without a header: columns x rows x frames, for example 2048x2048x1500, or columns x rows if a "
          "file holds as many frames as fit. A folder has files called .raw, .bin, .img or .dat.");
  n.advanced_param(
       "raw_type", "Raw: numbers", [](auto& p) -> auto& { return p.raw.type; }, raw_type_choices())
      .help("Type of the numbers in files without a header.");
  n.advanced_param("raw_offset", "Raw: offset", [](auto& p) -> auto& { return p.raw.offset; })
      .at_least(0)
      .help("Bytes before the first pixel in files without a header.");
  n.advanced_param("raw_byte_order", "Raw: byte order", [](auto& p) -> auto& { return p.raw.order; },
                   {{io::ByteOrder::little, "little", "Little-endian"}, {io::ByteOrder::big, "big", "Big-endian"}})
      .help("Which byte of a number comes first in files without a header: the smallest (little), or the largest.");
}

}  // namespace

void declare_scan_params(NodeBuilder<ScanParams>& n) {
  n.advanced_param("format", "Format", &ScanParams::format, format_choices())
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
