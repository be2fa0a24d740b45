// core/nodes/geometry/directions.cpp: the direction of each view from a table of particles or projections (STAR).
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/text/star_file.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/view_directions.h"

namespace tl::geometry_directions_node {

constexpr double angstrom = 1e-7;  // [mm]
constexpr double gap = -9999;      // marker that programs write for a missing number

struct Params {
  std::string file;
};

// A row of the table: the index of its view, and the direction of that view.
struct Direction {
  int64_t view = 0;
  ViewDirection direction;
};
struct Directions {
  std::vector<Direction> known;
  std::vector<int64_t> gaps;  // views without a known direction
};

Result<io::StarTable> table_of(const std::string& file) {
  if (file.empty())
    return invalid("no file of directions is chosen", "file", "Choose a STAR file with a row for each view");
  TL_TRY(std::vector<io::StarTable> tables, io::read_star_file(file));
  for (io::StarTable& t : tables)
    if (t.column("rlnAngleRot") >= 0 || t.column("rlnAngleTilt") >= 0) {
      for (const char* label : {"rlnAngleRot", "rlnAngleTilt", "rlnAnglePsi"})
        if (t.column(label) < 0)
          return invalid(std::string("the column ") + label + " is missing", file,
                         "All three angles are needed: write the file again with them");
      return std::move(t);
    }
  return invalid("no table has the columns rlnAngleRot, rlnAngleTilt and rlnAnglePsi", file,
                 "Give a STAR file of particles with directions");
}

// NaN for a marker of a missing number.
Result<double> number_of(const io::StarTable& t, std::size_t row, const char* label, const std::string& file) {
  const std::string& text = t.rows[row][static_cast<std::size_t>(t.column(label))];
  const std::string word = lower_case(text);
  if (word == "none" || word == "nan" || word == "<na>" || word == "." || word == "?") return std::nan("");
  const auto found = numbers_of(text, 1);
  if (!found)
    return invalid(
        "row " + std::to_string(row + 1) + " of " + label + " is not a number: " + printable(text.substr(0, 20)), file,
        "Correct the row, or leave it out");
  return found->front() == gap ? std::nan("") : found->front();
}

// "000007@stack.mrcs" is view 6; without a stack's name in the table, rows and views have one order.
Result<int64_t> view_of_row(const io::StarTable& t, std::size_t row, const std::string& file) {
  const int64_t column = t.column("rlnImageName");
  if (column < 0) return static_cast<int64_t>(row);
  // The text from the @ on; all earlier rows have one.
  const auto stack_of = [&](std::size_t i) {
    const std::string& name = t.rows[i][static_cast<std::size_t>(column)];
    return name.substr(name.find('@'));
  };
  const std::string& name = t.rows[row][static_cast<std::size_t>(column)];
  const auto number = integers_of(name.substr(0, name.find('@')), 1);
  if (name.find('@') == std::string::npos || !number || number->front() < 1)
    return invalid("row " + std::to_string(row + 1) + " names no image of a stack: " + printable(name.substr(0, 40)),
                   file, "rlnImageName is NUMBER@STACK, counted from 1");
  if (stack_of(row) != stack_of(0))
    return invalid("the images lie in several stacks, " + printable(stack_of(0).substr(1, 40)) + " and " +
                       printable(stack_of(row).substr(1, 40)),
                   file, "Join them: relion_stack_create makes one stack and its STAR file");
  return number->front() - 1;
}

// Shifts in angstrom, or in pixels in older files; 0 if the table has neither.
Result<double> shift_of(const io::StarTable& t, std::size_t row, const char* in_angstrom, const char* in_pixels,
                        double pitch, const std::string& file) {
  if (t.column(in_angstrom) >= 0) {
    TL_TRY(const double shift, number_of(t, row, in_angstrom, file));
    return shift * angstrom / pitch;
  }
  return t.column(in_pixels) >= 0 ? number_of(t, row, in_pixels, file) : Result<double>(0.0);
}

Result<Directions> directions_of(const Params& p, const ScanGeometry& scan) {
  TL_TRY(const io::StarTable t, table_of(p.file));
  const DetectorShape& d = scan.detector();
  Directions all;
  std::vector<bool> taken(static_cast<std::size_t>(scan.views()), false);
  for (std::size_t row = 0; row < t.rows.size(); ++row) {
    Direction one;
    TL_TRY(one.view, view_of_row(t, row, p.file));
    if (one.view >= scan.views())
      return invalid("row " + std::to_string(row + 1) + " is of view " + std::to_string(one.view) + ", the scan has " +
                         std::to_string(scan.views()),
                     p.file, "Give the file of this stack");
    if (taken[static_cast<std::size_t>(one.view)])
      return invalid("view " + std::to_string(one.view) + " has two rows", p.file, "Leave one of them out");
    taken[static_cast<std::size_t>(one.view)] = true;
    ViewDirection& v = one.direction;
    for (const auto& [label, angle] :
         {std::pair("rlnAngleRot", &v.rot), std::pair("rlnAngleTilt", &v.tilt), std::pair("rlnAnglePsi", &v.psi)}) {
      TL_TRY(const double degrees, number_of(t, row, label, p.file));
      *angle = to_stored(degrees, Unit::deg);
    }
    TL_TRY(v.x, shift_of(t, row, "rlnOriginXAngst", "rlnOriginX", d.pitch_u, p.file));
    TL_TRY(v.y, shift_of(t, row, "rlnOriginYAngst", "rlnOriginY", d.pitch_v, p.file));
    const bool is_known = std::isfinite(v.rot + v.tilt + v.psi + v.x + v.y);
    if (is_known)
      all.known.push_back(one);
    else
      all.gaps.push_back(one.view);
  }
  if (all.known.empty()) return invalid("no row has a direction", p.file, "-9999 means an unknown angle");
  // Sorted by view, so that views are read in their order.
  std::sort(all.known.begin(), all.known.end(), [](const Direction& a, const Direction& b) { return a.view < b.view; });
  return all;
}

Result<ScanGeometry> geometry_of(const Directions& all, const DetectorShape& detector) {
  std::vector<View> views;
  views.reserve(all.known.size());
  for (const Direction& d : all.known) views.push_back(view_of(d.direction, detector));
  return ScanGeometry::from_views(Beam::parallel, detector, std::move(views));
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind == PixelKind::counts)
    return invalid("views cannot be selected from counts, whose flats were taken between them", "projections",
                   "Put this node after the flat-field node");
  if (!scan.geometry.is_parallel())
    return invalid("directions alone say all about a parallel beam, not about a cone", "projections",
                   "Connect a scan with a parallel beam");
  TL_TRY(directions_of(p, scan.geometry));
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  TL_TRY(const Directions all, directions_of(p, scan.geometry));
  TL_TRY(scan.geometry, geometry_of(all, scan.geometry.detector()));
  return Infos{{"projections", scan}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  ScanRegion region = std::get<ScanRegion>(wanted);
  TL_TRY(const Directions all, directions_of(p, scan_of(in).geometry));
  region.views = {all.known[static_cast<std::size_t>(region.views.begin)].view,
                  all.known[static_cast<std::size_t>(region.views.end - 1)].view + 1};
  return Regions{{"projections", region}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  if (in.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Remove this node while learning");
  const ScanGeometry& scan = r.info<ProjectionsInfo>("projections").geometry;
  const auto all = r.memo<Directions>("directions " + reader_name({p.file}), 1024, [&] {
    auto found = std::make_shared<Directions>(directions_of(p, scan).or_throw());
    if (!found->gaps.empty())
      r.message(LogLevel::warning, std::to_string(found->gaps.size()) + " of " +
                                       std::to_string(found->gaps.size() + found->known.size()) +
                                       " rows have no direction (-9999): their views, the first of which is " +
                                       std::to_string(found->gaps.front()) + ", are left out");
    return found;
  });
  const auto& region = std::get<ScanRegion>(r.region);
  const int64_t begin = all->known[static_cast<std::size_t>(region.views.begin)].view;
  std::vector<int64_t> views;
  for (int64_t v = region.views.begin; v < region.views.end; ++v)
    views.push_back(all->known[static_cast<std::size_t>(v)].view - begin);
  Projections out;
  out.kind = in.kind;
  TL_TRY(const ScanGeometry whole, geometry_of(*all, scan.detector()));
  out.geometry = whole.crop(region);
  out.data = in.data.index_select(0, at::tensor(views, at::kLong).to(in.data.device()));
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("geometry.directions", 1).title("Directions from a file").category("Alignment").partition(Partition::custom);
  n.not_differentiable("it reads directions");
  n.summary("Gives each view of a parallel beam the direction and shift that a STAR file states, as of particles.");
  n.description(
      "A row for each view: rlnAngleRot, rlnAngleTilt and rlnAnglePsi in degrees, and, if they are there, "
      "rlnOriginXAngst and rlnOriginYAngst (or rlnOriginX and rlnOriginY in pixels), by which the image is moved so "
      "that the object's origin lies at pixel n / 2. rlnImageName (NUMBER@STACK) is the view of a row; without it rows "
      "and views have the same order. Views without a row, and rows with -9999, are left out. Fourier reconstruction "
      "takes views of any direction.");
  n.cite(
      "J. B. Heymann, M. Chagoyen, D. M. Belnap, Common conventions for interchange and archiving of three-dimensional "
      "electron microscopy information in structural biology, J. Struct. Biol. 151, 196 (2005)");
  n.synonyms({"STAR", "RELION", "particles", "Euler angles", "rlnAngleRot", "single particle", "orientation", "cryo-EM",
              "geometry"});
  n.input<Projections>("projections", "Images of a parallel beam, such as a stack of particles.");
  n.output<Projections>("projections", "The views with known directions, with the new geometry.");
  n.param("file", "File", &Params::file).input_file().help("The STAR file with the directions.");
  n.where_input_is();
  n.fingerprint([](const Params& p) { return fingerprint_of_named(p.file); });
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::geometry_directions_node

TL_NODE(geometry_directions)
