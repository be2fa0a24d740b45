// core/nodes/input/load_labels.cpp: open a volume of labels on disk; only the voxels that are needed are read.
#include <ATen/ATen.h>

#include "core/base/wording.h"
#include "core/io/volumes/format.h"
#include "core/io/volumes/label_table.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/volume_file.h"

namespace tl {
namespace input_load_labels_node {

enum class Format : int { automatic };  // or one of io::volume_formats(), counted from 1

struct Params {
  std::string file;
  Format format = Format::automatic;
};

Result<std::unique_ptr<io::VolumeReader>> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no labels are chosen", "file",
                   two_wordings("Give the file name of the labels: --set NODE.file=VOLUME",
                                "Choose the file of the labels in the form of this node"));
  TL_TRY(std::unique_ptr<io::VolumeReader> reader, open_labels_file(p.file, static_cast<int>(p.format), cancel));
  if (const auto& scale = reader->info().scale; scale && *scale != io::ValueScale{})
    return invalid("the integers of the volume are scaled: they are measured values, not labels", p.file,
                   "Load it as a volume");
  return reader;
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  TL_TRY(LabelTable table, io::label_table_of(reader->info()));
  return Infos{{"labels", LabelsInfo{reader->info().grid, std::move(table)}}};
}

std::string table_text(const LabelTable& table) {
  std::string text;
  for (const LabelClass& c : table.classes)
    text += (text.empty() ? "Classes: " : ", ") + std::to_string(c.number) + (c.name.empty() ? "" : " " + c.name);
  if (table.not_labelled) text += (text.empty() ? "" : "; ") + ("not labelled: " + std::to_string(*table.not_labelled));
  return text.empty() ? "The labels have no table of classes." : text + ".";
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto reader = r.memo<io::VolumeReader>(reader_name({p.file}), 1024, [&]() -> std::shared_ptr<io::VolumeReader> {
    std::shared_ptr<io::VolumeReader> opened = open(p, r.cancel()).or_throw();
    for (const std::string& note : opened->info().notes) r.message(LogLevel::info, note);
    r.message(LogLevel::info, table_text(io::label_table_of(opened->info()).or_throw()));
    return opened;
  });
  TL_TRY(r.host().reads(reader->inputs()));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  TL_TRY(at::Tensor data, values_on_grid(*reader, reader->info().grid, wanted, nearest_labels, r.cancel()));
  r.out("labels", Labels{data, wanted});
  return ok();
}

int64_t workspace(const Params&, const Infos&, const Region&, int64_t) { return bytes_of_sampling; }

Result<std::string> fingerprint(const Params& p) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  return fingerprints_of(reader->files());
}

Result<ScanFiles> files(const Params& p) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  return ScanFiles{p.file, reader->files()};
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_labels", 1).title("Load labels").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.summary("Opens a segmented volume on disk, whose voxels are numbers of classes: any format of volumes.");
  n.description(
      "Reads only the voxels that later nodes need. Labels are integers from 0 to 2147483646, numbers of classes or of "
      "objects; they are never scaled or interpolated: between the voxels the nearest one counts, and outside of the "
      "volume they are 0. The table of classes, with their names and colours, is read from NAME.labels.json next to "
      "the file, or from the file itself.");
  n.synonyms({"segmentation", "classes", "mask", "annotation", "ground truth"});
  n.output<Labels>("labels", "The labels, at the position that the file states.");
  n.param("file", &Params::file)
      .title("File")
      .input_file()
      .help("The labels: a file or folder of any format of volumes, with integers that are not scaled.");
  n.param("format", &Params::format, volume_format_choices())
      .title("Format")
      .advanced()
      .help("File format; usually detected from the file.");
  n.infos(infos).workspace(workspace).run(run).fingerprint(fingerprint).files(files);
}

}  // namespace input_load_labels_node

TL_NODE(input_load_labels)

}  // namespace tl
