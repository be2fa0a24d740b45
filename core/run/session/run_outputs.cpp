// Holds the outputs of a run until all are complete: which files they may replace, their records, and renaming all of
// them to their final names.
#include "core/run/session/run_outputs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/bytes/fingerprint.h"
#include "core/run/record/protected_inputs.h"
#include "core/run/record/provenance.h"

namespace tl {

io::OutputRules output_rules_for(const Graph& graph, const Registry& registry, const RunOptions& options) {
  auto inputs = std::make_shared<io::ProtectedFiles>(inputs_of(graph, registry, options.input_dir));
  inputs->add(options.inputs);
  return {options.overwrite, std::move(inputs)};
}

void RunOutputs::set_pipeline(const Graph& drawn, io::OutputRules rules) {
  written_ = drawn;
  resolve_inputs(written_, session_.resources().registry(), session_.options().input_dir);
  rules_ = std::move(rules);
}

std::string RunOutputs::pipeline_text(const std::filesystem::path& folder) const {
  return to_json(with_relative_inputs(written_, session_.resources().registry(), folder));
}

std::string RunOutputs::provenance_text() const { return provenance_json(session_.options(), session_.report()); }

std::string RunOutputs::parameters_text(const std::filesystem::path& folder) const {
  return run_parameters_json(session_.report(), folder);
}

// A scan may be opened again by a new reader, whose files must agree with those read before.
Result<void> RunOutputs::add_input(const std::shared_ptr<io::InputFiles>& files) {
  if (std::find(inputs_.begin(), inputs_.end(), files) != inputs_.end()) return ok();
  for (const auto& known : inputs_)
    if (known->scan() == files->scan()) TL_TRY(known->agrees_with(*files));
  inputs_.push_back(files);
  session_.resources().stamps().add(*files);
  return ok();
}

Result<void> RunOutputs::inputs_unchanged() const {
  for (const auto& files : inputs_) TL_TRY(files->unchanged());
  return ok();
}

void RunOutputs::deliver(io::OutputFile&& whole) {
  session_.report().files.push_back(whole.name());
  delivered_.push_back(std::move(whole));
}

Result<void> RunOutputs::commit() {
  TL_TRY(inputs_unchanged());
  std::map<std::filesystem::path, std::string> prints;
  for (const io::OutputFile& output : delivered_) {
    std::error_code failed;
    if (std::filesystem::is_character_file(output.name(), failed)) continue;
    TL_TRY(prints[output.name()], io::fingerprint(output.part_path()));
  }
  // Records first, so that every visible output has its record next to it.
  std::vector<io::OutputFile> all;
  for (const io::OutputFile& output : delivered_) {
    std::error_code failed;
    if (std::filesystem::is_character_file(output.name(), failed)) continue;  // /dev/null has no record
    const auto folder = output.name().parent_path();
    const Graph portable = with_relative_inputs(written_, session_.resources().registry(), folder);
    const std::string text = record_json(portable, session_.options(), session_.report(), folder, prints);
    TL_TRY(io::OutputFile record, io::uncommitted_text(output.name().string() + ".json", text, rules_));
    all.push_back(std::move(record));
  }
  std::move(delivered_.begin(), delivered_.end(), std::back_inserter(all));
  delivered_.clear();
  return io::commit_together(std::move(all));
}

}  // namespace tl
