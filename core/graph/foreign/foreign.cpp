// The formats of pipelines of other programs, and how one is recognised.
#include "core/graph/foreign/foreign.h"

#include <algorithm>
#include <fstream>

#include "core/base/text.h"
#include "core/graph/pipeline_paths.h"

namespace tl::foreign {
std::string to_text(const Loss& loss) {
  return loss.where + (loss.value.empty() ? "" : " = " + loss.value) + ": " + loss.reason;
}

ScanFacts facts_of(const io::ScanInfo& scan) {
  ScanFacts facts{scan.views, scan.cols, {}, {}, {}};
  if (scan.has_pixel_size()) facts.pixel_um = convert(scan.pixel_size_u.value, Unit::mm, Unit::um);
  if (scan.energy) facts.energy_kev = scan.energy->value;
  if (scan.axis_to_detector) facts.distance_mm = scan.axis_to_detector->value;
  return facts;
}

ScanFacts facts_of(const Graph& graph) {
  for (const auto& [id, node] : graph.nodes) {
    const auto file = node.params.find("file");
    if (!Registry::all().has_role(node.type, NodeRole::load_scan) || file == node.params.end()) continue;
    const auto scan = io::read_scan_info(std::get<std::string>(file->second));
    if (scan.ok()) return facts_of(scan.value());
  }
  return {};
}

Result<ReadPipeline> open_pipeline(const PipelineFormat& format, const std::filesystem::path& file,
                                   const Registry& registry, const std::optional<ScanFacts>& facts) {
  TL_TRY(const std::string text, pipeline_text(file));
  const auto read = [&](const ScanFacts& known) -> Result<ReadPipeline> {
    TL_TRY(ReadPipeline pipeline, format.read(text, file.string(), registry, known));
    TL_TRY(check_size(pipeline.graph));  // a larger pipeline could be written, but not read back
    resolve_inputs(pipeline.graph, registry, std::filesystem::absolute(file).parent_path());
    if (pipeline.graph.title.empty()) pipeline.graph.title = file.stem().string();
    return pipeline;
  };
  TL_TRY(ReadPipeline pipeline, read(facts.value_or(ScanFacts{})));
  // If the width of its scan is known, more of the pipeline can be converted.
  if (facts || pipeline.lost.empty()) return pipeline;
  return read(facts_of(pipeline.graph));
}

const std::vector<PipelineFormat>& pipeline_formats() {
  static const std::vector<PipelineFormat> all = {httomo_format(), nabu_format(), ewoks_format()};
  return all;
}

const PipelineFormat* find_pipeline_format(std::string_view id) {
  const auto& all = pipeline_formats();
  const auto found = std::find_if(all.begin(), all.end(), [id](const PipelineFormat& f) { return f.id == id; });
  return found == all.end() ? nullptr : &*found;
}

const PipelineFormat* pipeline_format_by_name(const std::filesystem::path& name) {
  const std::string ending = lower_case(name.extension().string());
  for (const PipelineFormat& f : pipeline_formats())
    if (std::find(f.endings.begin(), f.endings.end(), ending) != f.endings.end()) return &f;
  return nullptr;
}

const PipelineFormat* pipeline_format_of(std::string_view text) {
  for (const PipelineFormat& f : pipeline_formats())
    if (f.is_text_of(text)) return &f;
  return nullptr;
}

Result<std::string> pipeline_text(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed))
    return io_error(std::filesystem::exists(file, failed) ? "this is not a file" : "there is no such file",
                    file.string(), "Give a pipeline file");
  const auto size = std::filesystem::file_size(file, failed);
  if (failed) return io_error("cannot be read: " + failed.message(), file.string(), "Check its permissions");
  if (size > largest_pipeline)
    return invalid("the file has " + std::to_string(size) + " bytes, more than any pipeline of another program",
                   file.string(), "Give a pipeline file");
  std::string text(static_cast<std::size_t>(size), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) return io_error("cannot be read", file.string(), "Check its permissions");
  return text;
}

}  // namespace tl::foreign
