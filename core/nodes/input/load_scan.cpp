// core/nodes/input/load_scan.cpp: open a scan on disk; only the pixels that are needed are read.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/base/wording.h"
#include "core/io/bytes/fingerprint.h"
#include "core/io/open_scan.h"
#include "core/io/scans/scan_formats.h"
#include "core/node/node_builder.h"
#include "core/nodes/beam_choice.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/scan_geometry.h"
#include "core/nodes/input/scan_params.h"
#include "core/nodes/input/scan_pixels.h"
#include "core/nodes/input/scan_views.h"
#include "core/values/flat_positions.h"

namespace tl {
namespace input_load_scan_node {

using Params = ScanParams;
using Pixels = ScanPixels;

Result<std::unique_ptr<io::ScanReader>> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no scan is chosen", "file",
                   two_wordings("Give the scan's file name, for example with --input SCAN",
                                "Choose the scan's file in the form of this node, or drop it on the window"));
  return io::open_scan(p.file, format_id(p.format), {p.outside_links, cancel, choices_of(p)});
}

std::string reader_of(const Params& p) { return reader_name({p.file, p.flats_file, p.darks_file}); }

// The flats and darks of some rows and columns, which all blocks of views share.
struct ReferenceFrames {
  at::Tensor flats, darks;
};

// Names rows, columns and type of the frames of a region, and the state of the file.
std::string frames_name(const Params& p, const ScanRegion& region, at::ScalarType dtype) {
  std::string name = reader_of(p) + " as " + at::toString(dtype);
  for (const Range& range : {region.rows, region.cols})
    name += ", " + std::to_string(range.begin) + " to " + std::to_string(range.end);
  return name;
}

// Indices of the file's views that are used, in order.
Result<std::vector<int64_t>> views_of(const Params& p, const io::ScanInfo& scan) {
  return chosen_views({p.first_view, p.last_view, p.view_step, p.exclude}, scan.views);
}

Result<ScanGeometry> geometry_of(const Params& p, const io::ScanInfo& scan, const std::vector<int64_t>& chosen) {
  return scan_geometry({p.flip_u, p.flip_v, p.axes, p.rotation, p.view_shifts, p.pixel_size}, scan, chosen);
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  TL_TRY(std::unique_ptr<io::ScanReader> reader, open(p));
  const io::ScanInfo& scan = reader->info();
  TL_TRY(std::vector<int64_t> chosen, views_of(p, scan));
  ProjectionsInfo info;
  TL_TRY(info.geometry, geometry_of(p, scan, chosen));
  info.kind = scan.kind;
  info.flats = static_cast<int64_t>(flats_among(chosen, scan.flat_positions).flats.size());
  info.darks = p.use_darks == io::UseOfDarks::all ? scan.darks : 0;
  info.energy = scan.energy ? scan.energy->value : 0;
  info.pixel_size = p.pixel_size ? Origin::user : scan.has_pixel_size() ? Origin::file : Origin::guessed;
  return Infos{{"projections", info}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto reader = r.memo<io::ScanReader>(reader_of(p), 1024, [&]() -> std::shared_ptr<io::ScanReader> {
    std::shared_ptr<io::ScanReader> opened = open(p, r.cancel()).or_throw();
    for (const std::string& note : opened->info().outside) r.message(LogLevel::warning, note);
    return opened;
  });
  TL_TRY(r.host().reads(reader->inputs()));
  const io::ScanInfo& scan = reader->info();
  const auto& region = std::get<ScanRegion>(r.region);
  // An image of a view alone waits for nothing else that lies on the disk.
  std::shared_ptr<io::ReferenceCheck> check;
  if (region.references == WithReferences::wanted)
    check = r.memo<io::ReferenceCheck>("references of " + reader_of(p), 1024, [&] {
      auto made = std::make_shared<io::ReferenceCheck>(checked_scan(*reader, use_of(p), r.cancel()).or_throw());
      for (const io::Doubt& doubt : made->doubts) r.message(LogLevel::warning, doubt.text());
      return made;
    });
  TL_TRY(std::vector<int64_t> chosen, views_of(p, scan));
  TL_TRY(ScanGeometry whole, geometry_of(p, scan, chosen));
  const MirroredFrames mirrored{p.flip_u, p.flip_v, p.axes, whole.detector().rows, whole.detector().cols};
  const auto [rows, cols] = mirrored.in_file(region.rows, region.cols);

  Projections out;
  const Samples samples = p.pixels == Pixels::percent ? Samples::floats : r.samples;
  TL_TRY(at::Tensor views, reader->read_views(part_of(chosen, region.views), rows, cols, samples, r.cancel()));
  if (p.pixels == Pixels::percent) views = views * use_of(p).pixel_unit;
  out.data = mirrored.apply(std::move(views), r.dtype);
  out.geometry = whole.crop(region);
  out.kind = scan.kind;
  const int64_t frames = scan.flats + scan.darks;
  if (frames > 0 && check != nullptr) {
    FlatsAmong used = flats_among(chosen, scan.flat_positions);
    keep_usual(check->flats, used);
    const bool are_all = static_cast<int64_t>(used.flats.size()) == scan.flats;
    const bool are_all_darks = static_cast<int64_t>(check->darks.size()) == scan.darks;
    const auto read = r.memo<ReferenceFrames>(
        "flats and darks of " + frames_name(p, region, r.dtype),
        frames * rows.size() * cols.size() * static_cast<int64_t>(at::elementSize(r.dtype)), [&] {
          auto made = std::make_shared<ReferenceFrames>();
          if (scan.flats > 0)
            made->flats = mirrored.apply(reader->read_flats(rows, cols, r.cancel()).or_throw(), r.dtype);
          if (!are_all) made->flats = made->flats.index_select(0, at::tensor(used.flats));
          if (!check->darks.empty())
            made->darks = mirrored.apply(reader->read_darks(rows, cols, r.cancel()).or_throw(), r.dtype);
          if (!are_all_darks && made->darks.defined())
            made->darks = made->darks.index_select(0, at::tensor(check->darks));
          return made;
        });
    out.references.flats = read->flats;
    out.references.darks = read->darks;
    out.references.flat_positions = std::move(used.positions);
  }
  if (r.next) {
    const auto& next = std::get<ScanRegion>(*r.next);
    const auto [next_rows, next_cols] = mirrored.in_file(next.rows, next.cols);
    reader->read_ahead(part_of(chosen, next.views), next_rows, next_cols, samples, r.cancel());
  }
  r.out("projections", std::move(out));
  return ok();
}

Result<io::ScanInfo> scan_info(const Params& p, const CancelToken& cancel) {
  TL_TRY(std::unique_ptr<io::ScanReader> reader, open(p, cancel));
  TL_TRY(const io::ReferenceCheck check, checked_scan(*reader, use_of(p), cancel));
  io::ScanInfo info = reader->info();
  info.doubts = check.doubts;
  // Those that are used; the doubts name the others.
  if (std::ssize(info.flat_positions) == info.flats && !check.flats.empty()) {
    std::vector<double> positions;
    for (const int64_t flat : check.flats) positions.push_back(info.flat_positions[static_cast<std::size_t>(flat)]);
    info.flat_positions = std::move(positions);
    info.flats = std::ssize(check.flats);
  }
  info.darks = std::ssize(check.darks);
  return info;
}

Result<std::string> fingerprint(const Params& p) {
  TL_TRY(std::unique_ptr<io::ScanReader> reader, open(p));
  std::string all;
  if (!p.angles_file.empty()) {
    TL_TRY(all, io::fingerprint(p.angles_file));
  }
  return fingerprints_of(reader->files(), std::move(all));
}

Result<ScanFiles> files(const Params& p) {
  TL_TRY(std::unique_ptr<io::ScanReader> reader, open(p));
  return ScanFiles{p.file, reader->files()};
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_scan", 1).title("Load scan").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.summary(
      "Opens a scan on disk: NXtomo, APS Data Exchange, ESRF BLISS and EDF, Nikon .xtekct, Zeiss .txrm, TIFF or "
      "raw frames.");
  n.description(
      "Reads only the views, rows and columns that later nodes need. Angles are gantry angles; if a reconstruction "
      "comes out mirrored, reverse the rotation or flip the columns. What the file does not say is guessed and marked "
      "as guessed; 'tomoloom info SCAN' shows every value with its origin.");
  n.synonyms({"open", "HDF5", "NeXus", "TIFF", "projections", "NXtomo", "Data Exchange", "EDF", "ESRF", "Nikon",
              "X-Tek", "xtekct", "Xradia", "BLISS", "raw", "MetaImage", "import", "sinograms", "tomography"});
  n.output<Projections>("projections", "Views with their flats, darks and geometry.");
  n.param("file", &Params::file)
      .title("File")
      .input_file()
      .help("The scan: an HDF5, .xtekct or .txrm file, or a folder of TIFF or EDF frames (or one of them).");
  n.param("format", &Params::format, format_choices())
      .title("Format")
      .advanced()
      .help("File format; usually detected from the file.");
  n.param("flip_u", &Params::flip_u, {{"keep", "Keep"}, {"mirror", "Mirror"}})
      .title("Columns")
      .help("Mirror the views left to right.");
  n.param("flip_v", &Params::flip_v, {{"keep", "Keep"}, {"mirror", "Mirror"}})
      .title("Rows")
      .help("Mirror the views top to bottom.");
  n.param("axes", &Params::axes, {{"keep", "Keep"}, {"transpose", "Transpose"}})
      .title("Rows and columns")
      .help("Exchange rows and columns, before mirroring: for a horizontal rotation axis.");
  n.param("rotation", &Params::rotation, {{"as_recorded", "As recorded"}, {"reversed", "Reversed"}})
      .title("Sense of rotation")
      .help("Reversed negates all angles: for a stage that rotates in the opposite direction.");
  n.param("view_shifts", &Params::view_shifts, {{"as_the_file_says", "As the file says"}, {"ignore", "Ignore"}})
      .title("Shifts of views")
      .advanced()
      .help(
          "Some scanners move the sample or the detector between views and store by how many pixels (Zeiss .txrm). The "
          "geometry takes these shifts into account; no pixel is resampled.");
  n.param("first_view", &Params::first_view)
      .title("First view")
      .at_least(0)
      .advanced()
      .help("Index of the first view used.");
  n.param("last_view", &Params::last_view)
      .title("Last view")
      .at_least(0)
      .advanced()
      .automatic("the last of the scan")
      .help("Index of the last view used.");
  n.param("view_step", &Params::view_step)
      .title("Every n-th view")
      .at_least(1)
      .advanced()
      .help("Step between the views used: 2 uses every other view.");
  n.param("exclude", &Params::exclude)
      .title("Exclude views")
      .at_least(0)
      .advanced()
      .help("Indices of views to leave out, for example those spoilt by a beam loss.");
  n.param("pixel_size", &Params::pixel_size)
      .title("Pixel size")
      .unit(Unit::um)
      .range(1e-6, 1e9)
      .automatic("as the file says, else 1 mm")
      .help("Distance between detector columns; rows keep their ratio to it.");
  n.param("outside_links", &Params::outside_links, {{"refuse", "Refuse"}, {"follow", "Follow"}})
      .title("Files elsewhere")
      .advanced()
      .help("Whether pixels may be read through links to files outside the scan's folder.");
  n.param("data", &Params::data)
      .title("Frames in the file")
      .advanced()
      .help(
          "HDF5 path of the frames [frame, row, column], for example /scan/images: opens a file of any layout. A group "
          "chooses one of the scans in an NXtomo or BLISS file: /entry0001, /5.1. Empty: where the format keeps them.");
  n.param("image_key", &Params::image_key)
      .title("Kinds of the frames")
      .advanced()
      .help("HDF5 path of one number per frame: 0 projection, 1 flat, 2 dark, 3 invalid. Empty: all are projections.");
  n.param("flats", &Params::flats)
      .title("Flats in the file")
      .advanced()
      .help(
          "HDF5 path of the flats [n, row, column], or of their average [row, column], in the file of the flats or "
          "else in that of the scan. Empty: where the format keeps them.");
  n.param("flats_file", &Params::flats_file)
      .title("File of the flats")
      .input_file()
      .advanced()
      .help(
          "Another file or folder with the flats, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file "
          "of the scan.");
  n.param("darks", &Params::darks)
      .title("Darks in the file")
      .advanced()
      .help(
          "HDF5 path of the darks [n, row, column], or of their average [row, column], in the file of the darks or "
          "else in that of the scan. Empty: where the format keeps them.");
  n.param("darks_file", &Params::darks_file)
      .title("File of the darks")
      .input_file()
      .advanced()
      .help(
          "Another file or folder with the darks, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file "
          "of the scan.");
  n.param("angles_dataset", &Params::angles_dataset)
      .title("Angles in the file")
      .advanced()
      .help(
          "HDF5 path of the gantry angles, one per view or per frame, for example /entry/sample/gts_theta_value. "
          "Empty: where the format keeps them.");
  n.param("angles_file", &Params::angles_file)
      .title("Angles as text")
      .input_file()
      .advanced()
      .help("A text file with one gantry angle per view, in degrees.");
  n.param("first_angle", &Params::first_angle)
      .title("First angle")
      .unit(Unit::deg)
      .range(-1e6, 1e6)
      .automatic("0 deg where a step is given")
      .advanced()
      .help("Gantry angle of the file's first view; needs the step between views.");
  n.param("angle_step", &Params::angle_step)
      .title("Step between views")
      .unit(Unit::deg)
      .range(-360, 360)
      .automatic("angles as the file says")
      .advanced()
      .help("Gantry angle between successive views of the file, instead of the file's angles.");
  n.param("angle_unit", &Params::angle_unit, {{"as_the_file_says", "As the file says"}, {"radians", "Radians"}})
      .title("Unit of the angles")
      .advanced()
      .help(
          "Radians: numbers that were taken for degrees are radians, because the file states no unit, or a wrong one. "
          "That goes for angles as text and for a step between views, too.");
  n.param("odd_references", &Params::odd_references, {{"leave_out", "Leave out"}, {"keep", "Keep"}})
      .title("Odd flats and darks")
      .advanced()
      .help(
          "Flats and darks whose level is clearly not that of those taken with them (a closed shutter, a lost beam) "
          "are named and left out, or all are used.");
  n.param("use_darks", &Params::use_darks, {{"all", "Use"}, {"none", "Leave out"}})
      .title("Darks of the scan")
      .advanced()
      .help("Left out, the dark signal is 0: for darks that were taken with an open shutter.");
  n.param("pixels", &Params::pixels,
          {{"as_the_file_says", "As the file says"},
           {"counts", "Counts"},
           {"transmission", "Transmission"},
           {"percent", "Transmission in percent"},
           {"absorption", "Absorption"}})
      .title("Pixels are")
      .help(
          "Counts need flats; transmission is counts over flats, 1 or 100 percent in air; absorption is its negative "
          "logarithm and goes into the reconstruction as it is.");
  n.param("beam", &Params::beam, beam_choices({{"as_the_file_says", "As the file says"}}))
      .title("Beam")
      .advanced()
      .help("Parallel, or a cone from a point source, whose distances must be known.");
  n.param("source_to_axis", &Params::source_to_axis)
      .title("Source to axis")
      .unit(Unit::mm)
      .range(1e-6, 1e9)
      .automatic("as the file says")
      .advanced()
      .help("Distance from the source to the rotation axis.");
  n.param("axis_to_detector", &Params::axis_to_detector)
      .title("Axis to detector")
      .unit(Unit::mm)
      .range(0, 1e9)
      .automatic("as the file says")
      .advanced()
      .help("Distance from the rotation axis to the detector.");
  n.param("energy", &Params::energy)
      .title("Energy")
      .unit(Unit::keV)
      .range(1e-3, 1e5)
      .automatic("as the file says")
      .advanced()
      .help("Energy of the X-rays, for phase retrieval.");
  n.param("order", &Params::order,
          {{"as_the_file_says", "As the file says"}, {"views", "Views"}, {"sinograms", "Sinograms"}})
      .title("Frames are")
      .advanced()
      .help("Views, or sinograms: one frame per detector row, with one line per view.");
  n.param("raw_size", &Params::raw_size)
      .title("Raw: size")
      .advanced()
      .help(
          "For files without a header: columns x rows x frames, for example 2048x2048x1500, or columns x rows if a "
          "file holds as many frames as fit. A folder has files called .raw, .bin, .img or .dat.");
  n.param("raw_type", &Params::raw_type, raw_type_choices())
      .title("Raw: numbers")
      .advanced()
      .help("Type of the numbers in files without a header.");
  n.param("raw_offset", &Params::raw_offset)
      .title("Raw: offset")
      .at_least(0)
      .advanced()
      .help("Bytes before the first pixel in files without a header.");
  n.param("raw_byte_order", &Params::raw_byte_order, {{"little", "Little-endian"}, {"big", "Big-endian"}})
      .title("Raw: byte order")
      .advanced()
      .help("Which byte of a number comes first in files without a header: the smallest (little), or the largest.");
  n.infos(infos).run(run).fingerprint(fingerprint).files(files).scan_info(scan_info);
}

}  // namespace input_load_scan_node

TL_NODE(input_load_scan)

}  // namespace tl
