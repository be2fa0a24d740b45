// Shared by the output nodes: checks of names, targets, and embedded texts.
#include "core/nodes/output/output_node.h"

#include <nlohmann/json.hpp>

#include "core/base/wording.h"
#include "core/graph/output_names.h"

namespace tl {

Choices<const io::VolumeFormat*> written_format_choices() {
  Choices<const io::VolumeFormat*> all;
  for (const io::VolumeFormat& f : io::volume_formats()) all.push_back({&f, std::string(f.id), std::string(f.title)});
  return all;
}

Result<void> check_file_name(const std::string& node_type, std::string_view format, const std::string& file) {
  if (file.empty()) return invalid("no file name is given", "file", "Give a file name");
  return check_output_name(node_type, format, file);
}

Result<void> check_output(const std::filesystem::path& file, io::OutputKind kind, NodeRun& r) {
  if (file.empty()) return invalid("no file name is given", "file", "Give a file name");
  const io::OutputRules rules = r.host().output_rules();
  TL_TRY(rules.check(file, kind));
  TL_TRY(rules.check(file.string() + ".json", io::OutputKind::file));
  if (rules.overwrite == io::Overwrite::replace) return ok();
  for (const std::filesystem::path& f : {file, std::filesystem::path(file.string() + ".json")}) {
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(f, ignored)))
      return invalid("the output exists already", f.string(),
                     two_wordings("Choose another name, or allow overwriting (--overwrite)",
                                  "Choose another name, or run all (F5) and answer Replace"));
  }
  return ok();
}

std::string embedded_description(NodeRun& r, const std::filesystem::path& folder) {
  using json = nlohmann::ordered_json;
  return json{{"pipeline", json::parse(r.host().pipeline_text(folder))},
              {"provenance", json::parse(r.host().provenance_text())}}
      .dump();
}

io::VolumeTarget volume_target(const std::filesystem::path& file, const io::VolumeFormat& format,
                               io::Compression compression, NodeRun& r) {
  io::VolumeTarget target;
  target.path = file;
  target.grid = std::get<VolumeGrid>(r.full);
  target.compression = compression;
  target.rules = r.host().output_rules();
  target.description =
      embedded_description(r, format.output_kind == io::OutputKind::folder ? file : file.parent_path());
  return target;
}

Result<Findings> deliver(Result<io::OutputFile> whole, NodeRun& r) {
  if (!whole.ok()) return whole.error();
  r.host().deliver(std::move(whole).value());
  return Findings{};
}

}  // namespace tl
