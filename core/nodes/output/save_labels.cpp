// core/nodes/output/save_labels.cpp: write labels to a file of any volume format, as integers that are not scaled.
#include <ATen/ATen.h>

#include <optional>

#include "core/base/wording.h"
#include "core/io/output/label_spool.h"
#include "core/io/output/samples.h"
#include "core/io/output/volume_writer.h"
#include "core/io/volumes/label_table.h"
#include "core/io/voxels/raw_voxels.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_labels_node {

enum class Numbers { automatic, b16, b32 };

struct Params {
  std::string file = "labels.tif";
  const io::VolumeFormat* format = io::find_volume_format("imagej_tiff");
  Numbers numbers = Numbers::automatic;
  std::string classes;
  io::Compression compression = io::Compression::none;
};

constexpr int64_t largest_of_16_bits = 65535;

// The table in the file that the user named, else the table of the labels.
Result<LabelTable> table_of(const Params& p, const Infos& in) {
  constexpr std::size_t longest = std::size_t{16} << 20;
  if (p.classes.empty()) return std::get<LabelsInfo>(in.at("labels")).table;
  TL_TRY(const std::string text, io::first_bytes(p.classes, longest, io::Packing::none));
  return io::label_table_from_json(text, p.classes);
}

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(check_file_name("output.save_labels", p.format->id, p.file));
  TL_TRY(p.format->check_compression(p.compression));
  TL_TRY(const LabelTable table, table_of(p, in));
  if (p.numbers == Numbers::b32 && !p.format->stores(io::SampleType::int32))
    return invalid(std::string(p.format->title) + " has no labels of 32 bits", "numbers",
                   "Choose another format, or 16 bits");
  return std::get<LabelsInfo>(in.at("labels")).grid.validate();
}

// Readers prefer a table next to the file: a table left by an earlier file would name the wrong classes.
bool has_label_table(const Params& p, const LabelTable& table) {
  return table != LabelTable{} && (!p.format->lacks.empty() || io::label_table_next_to(p.file));
}

// Objects have no table, and their number is known only after the last slab: slabs written with 16 bits are kept until
// then, in case they must be written again with 32 bits.
struct State {
  io::VolumeTarget target;
  std::optional<io::LabelSpool> written;
  int64_t next = 0;  // slice
  BlocksToFile<io::VolumeWriter> blocks;
};

io::SampleType first_type(const Params& p, const LabelTable& table) {
  const bool has_large = !table.classes.empty() && table.classes.back().number > largest_of_16_bits;
  const bool wide = p.numbers == Numbers::b32 || (p.numbers == Numbers::automatic && has_large);
  return wide && p.format->stores(io::SampleType::int32) ? io::SampleType::int32 : io::SampleType::uint16;
}

Result<void> open_writer(const Params& p, State& s, io::SampleType type) {
  s.blocks.writer.reset();  // its unfinished output is deleted first
  s.target.type = type;
  s.target.high = io::largest_sample(type);
  TL_TRY(s.blocks.writer, p.format->write(s.target));
  return ok();
}

// Begins again with 32 bits.
Result<void> widen(const Params& p, State& s, NodeRun& r) {
  TL_TRY(s.blocks.writing.wait());
  const bool may = p.numbers == Numbers::automatic && p.format->stores(io::SampleType::int32);
  if (!may || (s.next > 0 && !s.written))
    return invalid("a label is larger than 65535, the largest of 16 bits", p.file,
                   p.format->stores(io::SampleType::int32)
                       ? two_wordings("Choose 32 bits: --set NODE.numbers=b32", "Choose 32 bits in Numbers")
                       : "Choose a format that has 32 bits, such as NRRD or TIFF");
  TL_TRY(open_writer(p, s, io::SampleType::int32));
  int64_t z = 0;
  if (s.written)
    TL_TRY(s.written->replay([&](const at::Tensor& slab) -> Result<void> {
      r.cancel().check();
      const Range slices{z, z + slab.size(0)};
      z = slices.end;
      return s.blocks.writer->write(slices, slab);
    }));
  s.written.reset();
  return ok();
}

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  const io::VolumeFormat& format = *p.format;
  TL_TRY(check_output(p.file, format.output_kind, r));
  TL_TRY(const LabelTable table, table_of(p, r.infos));
  if (has_label_table(p, table)) TL_TRY(check_output(io::label_table_file(p.file), io::OutputKind::file, r));
  auto state = std::make_shared<State>();
  io::VolumeTarget& target = state->target;
  target = volume_target(p.file, format, p.compression, r);
  target.unit = Unit::none;
  target.description = io::with_label_table(target.description, table);
  const io::SampleType type = first_type(p, table);
  TL_TRY(open_writer(p, *state, type));
  if (p.numbers == Numbers::automatic && type == io::SampleType::uint16 && table.classes.empty() &&
      format.stores(io::SampleType::int32)) {
    TL_TRY(state->written, io::LabelSpool::create(target.path.parent_path()));
  }
  return state;
}

Result<void> accumulate(const Params& p, State& s, NodeRun& r) {
  TL_TRY(const at::Tensor slab, io::label_numbers(r.in<Labels>("labels").data.to(at::kCPU, at::kInt), p.file));
  const Range z{s.next, s.next + slab.size(0)};
  if (s.target.type == io::SampleType::uint16 && slab.numel() > 0 && slab.max().item<int64_t>() > largest_of_16_bits) {
    TL_TRY(widen(p, s, r));
  }
  s.next = z.end;
  const auto write = [&s, z, slab]() -> Result<void> {
    TL_TRY(s.blocks.writer->write(z, slab));
    return s.written ? s.written->add(slab) : ok();
  };
  return s.blocks.call(write, r);
}

// The voxels as integers, masks for the check, and the packed copy.
int64_t workspace(const Params&, const Infos&, const Region& block, int64_t) { return region_bytes(block, 12); }

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  TL_TRY(io::OutputFile whole, s.blocks.finish("voxels", r));
  TL_TRY(const LabelTable table, table_of(p, r.infos));
  const auto stands_there = io::label_table_next_to(p.file);
  if (stands_there && table == LabelTable{})
    r.message(LogLevel::warning, "the labels have no table of classes, and " + stands_there->string() +
                                     " stays as it is: remove it if it belongs to other labels");
  if (has_label_table(p, table)) TL_TRY(io::add_label_table(whole, p.file, table, r.host().output_rules()));
  return deliver(std::move(whole), r);
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_labels", "Save labels");
  n.role(NodeRole::save_labels);
  n.summary("Writes labels as integers in any format of volumes, with position, pipeline and table of classes.");
  n.description(
      "The numbers of classes or objects are written as they are, slab by slab: with 16 bits if all are at most 65535, "
      "else as 32-bit integers, which all formats except DICOM support. The table of classes is stored in the file; "
      "for MetaImage, which cannot contain text, in NAME.labels.json next to it. Coarser levels of OME-Zarr contain "
      "one voxel of each 2 x 2 x 2, never a mean.");
  n.synonyms({"export", "segmentation", "classes", "mask", "write"});
  n.input<Labels>("labels", "The labels to write.");
  declare_file(n, "Name of the file, or of the folder");
  n.param("format", "Format", &Params::format, written_format_choices())
      .help("The format of the file, as of Save volume.");
  n.advanced_param("numbers", "Numbers", &Params::numbers,
                   {{Numbers::automatic, "automatic", "Automatic"},
                    {Numbers::b16, "b16", "16 bits"},
                    {Numbers::b32, "b32", "32 bits"}})
      .help(
          "Bits of a voxel. Automatic: 16 where all numbers fit; labels with a table of classes have 32 only if a "
          "number in it needs them.");
  n.advanced_param("classes", "Classes", &Params::classes)
      .input_file()
      .help(
          "A file of JSON with the table of classes: {\"classes\": [{\"number\": 1, \"name\": \"pore\", \"colour\": "
          "\"#3366cc\"}], \"not_labelled\": 0}; empty: the table of the labels, if they have one.");
  n.advanced_param("compression", "Compression", &Params::compression,
                   {{io::Compression::none, "none", "None"}, {io::Compression::gzip, "gzip", "gzip"}})
      .help("Lossless, by the deflate of the format; makes files of labels much smaller.");
  n.check(check).workspace(workspace).reduce<State>(begin, accumulate, finish);
}

}  // namespace tl::output_save_labels_node

TL_NODE(output_save_labels)
