// core/nodes/input/load_movie.cpp: opens frames taken one after the other, as views of one direction or of a tilt
// series, and applies gain and dark reference.
#include <ATen/ATen.h>

#include <cmath>
#include <numeric>

#include "core/base/wording.h"
#include "core/io/open_scan.h"
#include "core/io/open_volume.h"
#include "core/io/text/angles_file.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/scan_geometry.h"

namespace tl::input_load_movie_node {

namespace fs = std::filesystem;

enum class Pixels { transmission, absorption };
enum class Quarters { none, once, twice, three_times };
enum class Mirror { none, columns, rows };

struct Params {
  std::string file, gain, dark, angles_file;
  Quarters gain_rotation = Quarters::none;
  Mirror gain_mirror = Mirror::none;
  std::optional<Angle> first_angle, angle_step;
  std::optional<int64_t> group;  // frames per view
  std::optional<Length> pixel_size;
  Pixels pixels = Pixels::transmission;
};

// The open files of a movie.
class Movie {
 public:
  std::unique_ptr<io::ScanReader> frames;
  std::unique_ptr<io::VolumeReader> gain, dark;  // null: none

  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> all = frames->files();
    for (const auto* image : {&gain, &dark})
      if (*image) {
        const std::vector<fs::path> more = (*image)->files();
        all.insert(all.end(), more.begin(), more.end());
      }
    return all;
  }
};

bool exchanges_axes(const Params& p) {
  return p.gain_rotation == Quarters::once || p.gain_rotation == Quarters::three_times;
}

// A reference image with as many rows and columns as the frames, once the gain is rotated; several pages are averaged.
Result<std::unique_ptr<io::VolumeReader>> open_reference(const std::string& file, const char* parameter,
                                                         const Movie& movie, bool exchanged,
                                                         const CancelToken& cancel) {
  std::unique_ptr<io::VolumeReader> reader;
  if (file.empty()) return reader;
  TL_TRY(reader, io::open_volume(file, {}, cancel));
  std::error_code failed;
  for (const fs::path& frames : movie.frames->files())
    if (fs::equivalent(frames, file, failed))
      return invalid(fs::path(file).filename().string() + " is one of the frames, too", parameter,
                     "Move it out of the folder of the frames");
  const io::ScanInfo& info = movie.frames->info();
  const VolumeGrid& g = reader->info().grid;
  const int64_t rows = exchanged ? g.nx : g.ny, cols = exchanged ? g.ny : g.nx;
  if (rows != info.rows || cols != info.cols)
    return invalid("the image has " + std::to_string(rows) + " x " + std::to_string(cols) + " pixels" +
                       (exchanged ? " once it is rotated" : "") + ", the frames have " + std::to_string(info.rows) +
                       " x " + std::to_string(info.cols),
                   file, "Give the reference of this camera and binning, rotated as the frames are");
  return reader;
}

Result<Movie> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no movie is chosen", "file",
                   two_wordings("Give the movie's file name: --set NODE.file=MOVIE",
                                "Choose the movie's file in the form of this node"));
  io::ScanChoices choices;
  choices.angle_step = 1;  // any step marks the file as a series of images; the angles come from this node
  Movie movie;
  TL_TRY(movie.frames, io::open_scan(p.file, {}, {cancel, choices}));
  TL_TRY(movie.gain, open_reference(p.gain, "gain", movie, exchanges_axes(p), cancel));
  TL_TRY(movie.dark, open_reference(p.dark, "dark", movie, false, cancel));
  return movie;
}

Result<void> check(const Params& p, const Infos&) {
  if (p.angle_step && !p.angles_file.empty())
    return invalid("the angles are given twice", "angle_step", "Give a file or a step");
  if (p.first_angle && !p.angle_step)
    return invalid("a first angle alone does not give the others", "first_angle", "Give the step between views too");
  if (p.angle_step && !p.group)
    return invalid("a step between views needs to know where a view ends", "group", "Give the frames per view");
  if (p.group && !p.angle_step && p.angles_file.empty())
    return invalid("all frames have the same direction: there is one view", "group",
                   "Give the angles of the views, or leave this to 'Align frames'");
  if (p.gain.empty() && (p.gain_rotation != Quarters::none || p.gain_mirror != Mirror::none))
    return invalid("a gain reference that is not there cannot be rotated or mirrored", "gain", "Give the reference");
  return ok();
}

// Angles of all frames: 0, or the angles of the views, each repeated for its frames.
Result<std::vector<double>> angles_of_frames(const Params& p, int64_t frames) {
  if (p.angles_file.empty() && !p.angle_step) return std::vector<double>(static_cast<std::size_t>(frames), 0.0);
  std::vector<double> of_views;
  if (!p.angles_file.empty()) {
    TL_TRY(of_views, io::read_angles_file(p.angles_file));
  } else {
    for (int64_t i = 0; i < frames / *p.group; ++i)
      of_views.push_back((p.first_angle ? p.first_angle->value : 0) + p.angle_step->value * static_cast<double>(i));
  }
  const auto views = static_cast<int64_t>(of_views.size());
  const int64_t group = p.group.value_or(views > 0 ? frames / views : 0);
  if (group < 1 || views * group != frames) {
    const std::string counts = p.angles_file.empty()
                                   ? "views of " + std::to_string(*p.group) + " frames do not make "
                                   : std::to_string(views) + " angles" +
                                         (p.group ? " of " + std::to_string(group) + " frames each" : "") + " for ";
    return invalid(counts + std::to_string(frames) + " frames", p.angles_file.empty() ? "group" : "angles_file",
                   "Every view has the same number of frames: give one angle per view, and leave out movies that are "
                   "incomplete");
  }
  std::vector<double> angles;
  for (const double angle : of_views) angles.insert(angles.end(), static_cast<std::size_t>(group), angle);
  return angles;
}

Result<ScanGeometry> geometry_of(const Params& p, const io::ScanInfo& file) {
  io::ScanInfo scan;
  scan.rows = file.rows;
  scan.cols = file.cols;
  scan.pixel_size_u = file.pixel_size_u;
  scan.pixel_size_v = file.pixel_size_v;
  TL_TRY(scan.angles.value, angles_of_frames(p, file.views));
  std::vector<int64_t> all(static_cast<std::size_t>(file.views));
  std::iota(all.begin(), all.end(), int64_t{0});
  ScanOverrides overrides;
  overrides.pixel_size = p.pixel_size;
  return scan_geometry(overrides, scan, all);
}

PixelKind kind_of(const Params& p) {
  return p.pixels == Pixels::transmission ? PixelKind::transmission : PixelKind::absorption;
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  TL_TRY(check(p, in));
  TL_TRY(const Movie movie, open(p));
  const io::ScanInfo& file = movie.frames->info();
  ProjectionsInfo info;
  TL_TRY(info.geometry, geometry_of(p, file));
  info.kind = kind_of(p);
  info.pixel_size = p.pixel_size ? Origin::user : file.has_pixel_size() ? Origin::file : Origin::guessed;
  return Infos{{"projections", info}};
}

// The mean of all pages [row, col], the top row first.
Result<at::Tensor> reference_image(io::VolumeReader& reader, const CancelToken& cancel) {
  const VolumeGrid& g = reader.info().grid;
  at::Tensor sum = at::zeros({g.ny, g.nx}, at::kDouble);
  for (int64_t k = 0; k < g.nz; ++k) {
    TL_TRY(const at::Tensor page, reader.read({{k, k + 1}, {0, g.ny}, {0, g.nx}}, cancel));
    sum += page[0];
  }
  return (sum / static_cast<double>(g.nz)).to(at::kFloat).flip(0).contiguous();
}

// Rotated counter-clockwise as displayed, then mirrored.
at::Tensor oriented(const Params& p, const at::Tensor& image) {
  at::Tensor gain = at::rot90(image, static_cast<int64_t>(p.gain_rotation), {0, 1});
  if (p.gain_mirror == Mirror::columns) gain = gain.flip(1);
  if (p.gain_mirror == Mirror::rows) gain = gain.flip(0);
  return gain.contiguous();
}

// A gain that is 0, negative or not finite is not valid: the pixel gets no value. Invalid if that holds for all pixels.
Result<void> exclude_bad_pixels(const Params& p, at::Tensor& gain, NodeRun& r) {
  const at::Tensor bad = gain.isfinite().logical_and(gain > 0).logical_not();
  const int64_t count = bad.sum().item<int64_t>();
  if (count == 0) return ok();
  if (count == gain.numel())
    return invalid("no pixel of the gain reference is above 0", p.gain,
                   "Give a gain reference by which frames are multiplied");
  constexpr int64_t most_named = 5;
  const at::Tensor places = bad.nonzero();
  std::string names;
  for (int64_t i = 0; i < std::min(count, most_named); ++i)
    names += (i > 0 ? ", " : "") + std::to_string(places[i][1].item<int64_t>()) + "/" +
             std::to_string(places[i][0].item<int64_t>());
  r.message(LogLevel::warning, std::to_string(count) +
                                   " pixels of the gain reference are 0, negative or not finite and get no value: "
                                   "column/row " +
                                   names + (count > most_named ? " ..." : ""));
  gain = gain.masked_fill(bad, std::nanf(""));
  return ok();
}

// Gain and dark of all pixels; undefined: none.
struct Correction {
  at::Tensor gain, dark;
};

Result<Correction> correction_of(const Params& p, const Movie& movie, NodeRun& r) {
  Correction c;
  if (movie.gain) {
    TL_TRY(const at::Tensor image, reference_image(*movie.gain, r.cancel()));
    c.gain = oriented(p, image);
    TL_TRY(exclude_bad_pixels(p, c.gain, r));
  }
  if (movie.dark) {
    TL_TRY(c.dark, reference_image(*movie.dark, r.cancel()));
  }
  return c;
}

Result<void> run(const Params& p, NodeRun& r) {
  const std::string name = reader_name({p.file, p.gain, p.dark});
  const auto movie = r.memo<Movie>(name, 1024, [&] {
    auto opened = std::make_shared<Movie>(open(p, r.cancel()).or_throw());
    for (const std::string& note : opened->frames->info().outside) r.message(LogLevel::warning, note);
    return opened;
  });
  TL_TRY(r.host().reads(movie->frames->inputs()));
  for (const auto* image : {&movie->gain, &movie->dark})
    if (*image) TL_TRY(r.host().reads((*image)->inputs()));
  const io::ScanInfo& file = movie->frames->info();
  const int64_t bytes = 2 * file.rows * file.cols * static_cast<int64_t>(sizeof(float));
  const auto correction = r.memo<Correction>("gain and dark of " + name, bytes, [&] {
    return std::make_shared<Correction>(correction_of(p, *movie, r).or_throw());
  });
  const auto& region = std::get<ScanRegion>(r.region);
  const auto part = [&](const at::Tensor& image) {
    return image.narrow(0, region.rows.begin, region.rows.size()).narrow(1, region.cols.begin, region.cols.size());
  };
  std::vector<int64_t> frames(static_cast<std::size_t>(region.views.size()));
  std::iota(frames.begin(), frames.end(), region.views.begin);
  Projections out;
  TL_TRY(out.data, movie->frames->read_views(frames, region.rows, region.cols, Samples::floats, r.cancel()));
  if (correction->dark.defined()) out.data = out.data - part(correction->dark);
  if (correction->gain.defined()) out.data = out.data * part(correction->gain);
  out.data = out.data.to(r.dtype);
  TL_TRY(const ScanGeometry whole, geometry_of(p, file));
  out.geometry = whole.crop(region);
  out.kind = kind_of(p);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_movie", 1).title("Load movie").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.summary("Opens frames taken one after the other (a movie): TIFF of many pages, MRC, or a folder of them.");
  n.description(
      "All frames have the same direction, at angle 0, unless the angles of the views of a tilt series are given: then "
      "each view has the same number of successive frames, from one movie per view or from one long movie. Movies of a "
      "folder follow each other in the order of their names. The dark reference is subtracted, the gain reference "
      "multiplied. The result is input for 'Align frames'.");
  n.synonyms({"open", "import", "movie", "burst", "frames", "dose fractionation", "tilt series", "MRC", "mrcs", "TIFF",
              "gain reference", "IMOD", "cryo-EM", "EER"});
  n.output<Projections>("projections", "The frames, in the order they were taken.");
  n.param("file", "File", &Params::file)
      .input_file()
      .help(
          "The movie: a TIFF of many pages, an .mrc, .mrcs or .st file, a scan of any format, or a folder of movies.");
  n.param("gain", "Gain reference", &Params::gain)
      .input_file()
      .help("An image (TIFF, MRC) that every frame is multiplied by. Empty: the frames are corrected already.");
  n.param("gain_rotation", "Rotate gain", &Params::gain_rotation,
          {{Quarters::none, "none", "Not"},
           {Quarters::once, "once", "90 degrees"},
           {Quarters::twice, "twice", "180 degrees"},
           {Quarters::three_times, "three_times", "270 degrees"}})
      .help("Counter-clockwise as seen on screen, before it is mirrored.");
  n.param("gain_mirror", "Mirror gain", &Params::gain_mirror,
          {{Mirror::none, "none", "Not"}, {Mirror::columns, "columns", "Columns"}, {Mirror::rows, "rows", "Rows"}})
      .help("Columns: left and right are exchanged. Rows: top and bottom.");
  n.param("dark", "Dark reference", &Params::dark)
      .input_file()
      .help("An image, or several that are averaged, which is subtracted before the gain correction. Empty: none.");
  n.param("angles_file", "Angles of the views", &Params::angles_file)
      .input_file()
      .help(
          "A text file with one angle per view in degrees: .tlt or .rawtlt of IMOD. Empty: all frames have the same "
          "direction.");
  n.advanced_param("first_angle", "First angle", &Params::first_angle)
      .range(-36000, 36000, Unit::deg)
      .automatic("0 deg where a step is given")
      .help("Angle of the first view; needs the step between views.");
  n.advanced_param("angle_step", "Step between views", &Params::angle_step)
      .range(-360, 360, Unit::deg)
      .automatic("from the file of the angles, else all frames look one way")
      .help("Angle between successive views, if no file contains the angles.");
  n.param("group", "Frames per view", &Params::group)
      .range(1, 1e6)
      .automatic("frames divided by angles")
      .help("Number of successive frames that were taken of each view of a tilt series.");
  n.param("pixels", "Pixels are", &Params::pixels,
          {{Pixels::transmission, "transmission", "Transmission"}, {Pixels::absorption, "absorption", "Absorption"}})
      .help("Intensities, in any unit, or line integrals.");
  n.param("pixel_size", "Pixel size", &Params::pixel_size)
      .range(1e-6, 1e9, Unit::um)
      .automatic("as the file says, else 1 mm")
      .help("Distance between detector columns; the distance between rows is scaled by the same factor.");
  n.check(check).infos(infos).run(run);
  describe_files<open>(n);
}

}  // namespace tl::input_load_movie_node

TL_NODE(input_load_movie)
