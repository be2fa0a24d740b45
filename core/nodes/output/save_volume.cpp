// core/nodes/output/save_volume.cpp: write a volume to a file of any volume format, or to a folder of slices.
#include <ATen/ATen.h>

#include <filesystem>

#include "core/io/output/slab.h"
#include "core/io/output/volume_writer.h"
#include "core/io/volumes/clipped_voxels.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_volume_node {

const io::VolumeFormat* exact_format() { return io::find_volume_format("imagej_tiff"); }

struct Params {
  std::string file = "volume.tif";
  const io::VolumeFormat* format = exact_format();
  io::SampleType type = io::SampleType::float32;
  std::optional<double> low, high;
  io::Compression compression = io::Compression::none;
  int64_t part = 1, parts = 1;
};

// Parts are written exactly, as ImageJ TIFF; joining them produces the final format and number type.
bool is_part(const Params& p) { return p.parts > 1; }
const io::VolumeFormat& format_of(const Params& p) { return is_part(p) ? *exact_format() : *p.format; }
std::filesystem::path file_of(const Params& p) {
  return is_part(p) ? io::slab_file(p.file, {p.part, p.parts}) : std::filesystem::path(p.file);
}

Result<void> check(const Params& p, const Infos& in) {
  // Also for parts: joining them produces the final format.
  TL_TRY(check_file_name("output.save_volume", p.format->id, p.file));
  const bool integers = p.type != io::SampleType::float32;
  if (integers && (!p.low || !p.high))
    return invalid("integers need the values that become the smallest and the largest integer", "low",
                   "Give low and high, or write float32");
  if (integers && !(*p.low < *p.high)) return invalid("low must be smaller than high", "low");
  const io::VolumeFormat& format = format_of(p);
  if (!format.stores(is_part(p) ? io::SampleType::float32 : p.type))
    return invalid(std::string(format.title) + " holds integers", "type",
                   "Choose 16-bit integers, with low and high, or another format");
  TL_TRY(format.check_compression(p.compression));
  const VolumeInfo& volume = volume_of(in);
  if (p.part > p.parts) return invalid("there are only " + std::to_string(p.parts) + " parts", "part");
  if (!volume.pending && p.parts > volume.grid.nz)
    return invalid("the volume has " + std::to_string(volume.grid.nz) + " slices, fewer than " +
                       std::to_string(p.parts) + " parts",
                   "parts", "Cut it into fewer parts");
  return volume.grid.validate();
}

Result<Region> reads(const Params& p, const Infos& in) {
  const VolumeGrid& grid = volume_of(in).grid;
  return Region{is_part(p) ? grid.slab(io::slab_range({p.part, p.parts}, grid.nz)) : grid};
}

struct State {
  int64_t next = 0;           // slice
  io::ClippedVoxels clipped;  // of integers
  BlocksToFile<io::VolumeWriter> blocks;
};

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  const io::VolumeFormat& format = format_of(p);
  const std::filesystem::path file = file_of(p);
  if (is_part(p)) {
    std::error_code failed;
    std::filesystem::create_directory(file.parent_path(), failed);
    if (failed)
      return io_error("the folder of the parts cannot be made: " + failed.message(), file.parent_path().string());
  }
  TL_TRY(check_output(file, format.output_kind, r));
  if (!format.lacks.empty() && !is_part(p)) r.message(LogLevel::info, std::string(format.lacks));
  io::VolumeTarget target = volume_target(file, format, is_part(p) ? io::Compression::none : p.compression, r);
  target.unit = r.info<VolumeInfo>("volume").unit;
  target.type = is_part(p) ? io::SampleType::float32 : p.type;
  target.low = p.low.value_or(0);
  target.high = p.high.value_or(1);
  if (const std::string note = format.note_on_scale(target); !note.empty()) r.message(LogLevel::info, note);
  auto state = std::make_shared<State>();
  TL_TRY(state->blocks.writer, format.write(target));
  return state;
}

bool has_integers(const Params& p) { return !is_part(p) && p.type != io::SampleType::float32; }

Result<void> accumulate(const Params& p, State& s, NodeRun& r) {
  const at::Tensor slab = r.in<Volume>("volume").data.detach();
  if (has_integers(p)) s.clipped.add(io::clipped_voxels(slab, {p.type, *p.low, *p.high}));
  const Range z{s.next, s.next + slab.size(0)};
  s.next = z.end;
  return s.blocks.add(z, slab, r);
}

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  TL_TRY(Findings f, deliver(s.blocks.finish("voxels", r), r));
  if (!has_integers(p)) return f;
  if (s.clipped.clipped() > 0) r.message(LogLevel::warning, s.clipped.text({p.type, *p.low, *p.high}));
  f.values["clipped_share"] = Scalar{at::scalar_tensor(s.clipped.share(), at::kDouble), Unit::percent};
  return f;
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_volume", "Save volume");
  n.role(NodeRole::save_volume);
  n.summary(
      "Writes a volume as TIFF, HDF5, NRRD, MetaImage, NIfTI, MRC, OME-Zarr or DICOM, with voxel size and pipeline.");
  n.description(
      "Writes slab by slab, so the volume never has to fit in memory, and the file appears under its name only when it "
      "is complete. Pages run along +z; row 0 of a page is the largest y, in MRC the smallest. The file embeds the "
      "pipeline "
      "(MetaImage and MRC do not), and the record NAME.json next to it lists every parameter. Integers are scaled: low "
      "becomes 0 and high "
      "the largest integer; the scale is kept in the file. The share of voxels outside of that range, which are "
      "clipped, is reported and kept in the record as clipped_share.");
  n.synonyms({"export", "TIFF", "write", "ImageJ", "BigTIFF", "stack", "HDF5", "NeXus", "NRRD", "MHD", "raw", "NIfTI",
              "MRC", "Zarr", "OME", "napari", "DICOM", "compression"});
  n.input<Volume>("volume", "The volume to write.");
  declare_file(n, "Name of the file, or of the folder of slices");
  n.param("format", "Format", &Params::format, written_format_choices())
      .help(
          "One multi-page TIFF, BigTIFF where it exceeds 4 GiB; one TIFF per slice; HDF5 for NeXus programs; NRRD, "
          "MetaImage (.mhd with .raw, or .mha) or NIfTI for 3D Slicer and ITK; MRC for IMOD and RELION; OME-Zarr, a "
          "folder of chunks with "
          "coarser "
          "levels, for napari and Neuroglancer; DICOM, a folder of 16-bit slices, for medical imaging.");
  n.param("type", "Number type", &Params::type,
          {{io::SampleType::float32, "float32", "float32"},
           {io::SampleType::uint16, "uint16", "16-bit integers"},
           {io::SampleType::uint8, "uint8", "8-bit integers"}})
      .help("Number type in the file; float32 stores values unchanged.");
  n.advanced_param("low", "Low", &Params::low)
      .range(-1e30, 1e30)
      .automatic("required for integers")
      .help("Value that becomes the integer 0.");
  n.advanced_param("high", "High", &Params::high)
      .range(-1e30, 1e30)
      .automatic("required for integers")
      .help("Value that becomes the largest integer.");
  n.advanced_param("compression", "Compression", &Params::compression,
                   {{io::Compression::none, "none", "None"}, {io::Compression::gzip, "gzip", "gzip"}})
      .help("Lossless, by the deflate of the format; slower to write, and to read in parts.");
  n.advanced_param("part", "Part", &Params::part)
      .range(1, io::max_slabs)
      .help(
          "Which of the parts is written, counted from 1 along z; goes to FILE.slabs as float32 until all are joined.");
  n.advanced_param("parts", "Parts", &Params::parts)
      .range(1, io::max_slabs)
      .help("Number of parts into which the volume is divided, each for a separate run; 1 writes the whole volume.");
  n.check(check).reads(reads).reduce<State>(begin, accumulate, finish);
}

}  // namespace tl::output_save_volume_node

TL_NODE(output_save_volume)
