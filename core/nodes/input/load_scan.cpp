// core/nodes/input/load_scan.cpp: open a scan on disk; only the pixels that are needed are read.
#include <ATen/ATen.h>

#include "core/base/wording.h"
#include "core/io/open_scan.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/scan_params.h"
#include "core/nodes/input/scan_pixels.h"
#include "core/values/flat_positions.h"

namespace tl::input_load_scan_node {

using Params = ScanParams;

Result<std::unique_ptr<io::ScanReader>> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no scan is chosen", "file",
                   two_wordings("Give the scan's file name, for example with --input SCAN",
                                "Choose the scan's file in the form of this node, or drop it on the window"));
  return io::open_scan(p.file, p.format, {cancel, p});
}

std::string reader_of(const Params& p) { return reader_name({p.file, p.flats_file, p.darks_file}); }

// The flats and darks of some rows and columns, which all blocks of views share.
struct ReferenceFrames {
  at::Tensor flats, darks;
};

// Identifies rows, columns and type of the frames of a region, and the state of the file.
std::string frames_name(const Params& p, const ScanRegion& region, at::ScalarType dtype) {
  std::string name = reader_of(p) + " as " + at::toString(dtype);
  for (const Range& range : {region.rows, region.cols})
    name += ", " + std::to_string(range.begin) + " to " + std::to_string(range.end);
  return name;
}

Result<Infos> infos_of_reader(const Params& p, const io::ScanInfo& scan) {
  TL_TRY(std::vector<int64_t> chosen, chosen_views(p, scan.views));
  ProjectionsInfo info;
  TL_TRY(info.geometry, scan_geometry(p, scan, chosen));
  info.kind = scan.kind;
  info.flats = static_cast<int64_t>(flats_among(chosen, scan.flat_positions).flats.size());
  info.darks = p.use_darks == io::UseOfDarks::all ? scan.darks : 0;
  info.energy = scan.energy ? scan.energy->value : 0;
  info.pixel_size = p.pixel_size ? Origin::user : scan.has_pixel_size() ? Origin::file : Origin::guessed;
  return Infos{{"projections", info}};
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  TL_TRY(const std::unique_ptr<io::ScanReader> reader, open(p));
  return infos_of_reader(p, reader->info());
}

Result<void> from_reader(const Params& p, io::ScanReader& reader, NodeRun& r) {
  const io::ScanInfo& scan = reader.info();
  const auto& region = std::get<ScanRegion>(r.region);
  // An image of a single view reads nothing else from the disk.
  std::shared_ptr<io::ReferenceCheck> check;
  if (region.references == WithReferences::wanted)
    check = r.memo<io::ReferenceCheck>("references of " + reader_of(p), 1024, [&] {
      auto made = std::make_shared<io::ReferenceCheck>(checked_scan(reader, p, r.cancel()).or_throw());
      for (const io::Doubt& doubt : made->doubts) r.message(LogLevel::warning, doubt.text());
      return made;
    });
  TL_TRY(std::vector<int64_t> chosen, chosen_views(p, scan.views));
  TL_TRY(ScanGeometry whole, scan_geometry(p, scan, chosen));
  const MirroredFrames mirrored{p.flip_u, p.flip_v, p.axes, whole.detector().rows, whole.detector().cols};
  const auto [rows, cols] = mirrored.in_file(region.rows, region.cols);

  Projections out;
  const Samples samples = p.pixel_unit() != 1 ? Samples::floats : r.samples;
  TL_TRY(at::Tensor views, reader.read_views(part_of(chosen, region.views), rows, cols, samples, r.cancel()));
  if (p.pixel_unit() != 1) views = views * p.pixel_unit();
  out.data = mirrored.apply(std::move(views), r.dtype);
  out.geometry = whole.crop(region);
  out.kind = scan.kind;
  const int64_t frames = scan.flats + scan.darks;
  if (frames > 0 && check != nullptr) {
    FlatsAmong used = flats_among(chosen, scan.flat_positions);
    drop_odd_flats(check->flats, used);
    const bool are_all = static_cast<int64_t>(used.flats.size()) == scan.flats;
    const bool are_all_darks = static_cast<int64_t>(check->darks.size()) == scan.darks;
    const auto read = r.memo<ReferenceFrames>(
        "flats and darks of " + frames_name(p, region, r.dtype),
        frames * rows.size() * cols.size() * static_cast<int64_t>(at::elementSize(r.dtype)), [&] {
          auto made = std::make_shared<ReferenceFrames>();
          if (scan.flats > 0)
            made->flats = mirrored.apply(reader.read_flats(rows, cols, r.cancel()).or_throw(), r.dtype);
          if (!are_all) made->flats = made->flats.index_select(0, at::tensor(used.flats));
          if (!check->darks.empty())
            made->darks = mirrored.apply(reader.read_darks(rows, cols, r.cancel()).or_throw(), r.dtype);
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
    reader.read_ahead(part_of(chosen, next.views), next_rows, next_cols, samples, r.cancel());
  }
  return r.done("projections", std::move(out));
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto reader = r.memo<io::ScanReader>(reader_of(p), 1024, [&]() -> std::shared_ptr<io::ScanReader> {
    std::shared_ptr<io::ScanReader> opened = open(p, r.cancel()).or_throw();
    for (const std::string& note : opened->info().outside) r.message(LogLevel::warning, note);
    return opened;
  });
  TL_TRY(r.host().reads(reader->inputs()));
  return from_reader(p, *reader, r);
}

Result<io::ScanInfo> scan_info(const Params& p, const CancelToken& cancel) {
  TL_TRY(std::unique_ptr<io::ScanReader> reader, open(p, cancel));
  TL_TRY(const io::ReferenceCheck check, checked_scan(*reader, p, cancel));
  io::ScanInfo info = reader->info();
  info.doubts = check.doubts;
  // Positions of the flats that are used; the others are listed in the doubts.
  if (std::ssize(info.flat_positions) == info.flats && !check.flats.empty()) {
    std::vector<double> positions;
    for (const int64_t flat : check.flats) positions.push_back(info.flat_positions[static_cast<std::size_t>(flat)]);
    info.flat_positions = std::move(positions);
    info.flats = std::ssize(check.flats);
  }
  info.darks = std::ssize(check.darks);
  return info;
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_scan", 1).title("Load scan").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.role(NodeRole::load_scan);
  n.summary(
      "Opens a scan on disk: NXtomo, APS Data Exchange, ESRF BLISS and EDF, laboratory scanners (Nikon, Bruker "
      "SkyScan, "
      "Zeiss, phoenix, YXLON, RX Solutions, Diondo, Tescan, North Star Imaging), RTK, MRC, TIFF or raw frames.");
  n.description(
      "Reads only the views, rows and columns that later nodes need. Angles are gantry angles; if a reconstruction "
      "comes out mirrored, reverse the rotation or flip the columns. Values that the file does not state are guessed "
      "and marked "
      "as guessed; 'tomoloom info SCAN' shows every value with its origin.");
  n.synonyms({"open",
              "HDF5",
              "NeXus",
              "TIFF",
              "projections",
              "NXtomo",
              "Data Exchange",
              "EDF",
              "ESRF",
              "Nikon",
              "X-Tek",
              "xtekct",
              "Bruker",
              "SkyScan",
              "phoenix",
              "GE",
              "Waygate",
              "Xradia",
              "BLISS",
              "MRC",
              "IMOD",
              "raw",
              "MetaImage",
              "import",
              "sinograms",
              "tomography",
              "YXLON",
              "RX Solutions",
              "Diondo",
              "Tescan",
              "UniTOM",
              "NSI",
              "North Star Imaging",
              "RTK"});
  n.output<Projections>("projections", "Views with their flats, darks and geometry.");
  n.param("file", "File", &Params::file)
      .input_file()
      .help(
          "The scan: an HDF5, .txrm or MRC file, the file that a laboratory scanner wrote next to its frames, or a "
          "folder "
          "of TIFF or EDF frames (or one of them).");
  declare_scan_params(n);
  n.infos(infos).run(run).scan_info(scan_info).from_reader(infos_of_reader, from_reader);
  describe_files<open>(n);
}

}  // namespace tl::input_load_scan_node

TL_NODE(input_load_scan)
