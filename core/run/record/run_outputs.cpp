// The outputs of a run: which files they may replace, their records, and renaming all of them to their final names.
#include <iterator>
#include <map>
#include <utility>

#include "core/graph/pipeline_paths.h"
#include "core/io/format.h"
#include "core/run/record/protected_inputs.h"
#include "core/run/record/provenance.h"
#include "core/run/session.h"

namespace tl {

io::OutputRules Executor::rules_for(const Graph& graph) const {
  auto inputs = std::make_shared<io::ProtectedFiles>(inputs_of(graph, impl_->registry, impl_->options.input_dir));
  inputs->add(impl_->options.inputs);
  return {impl_->options.overwrite, std::move(inputs)};
}

io::OutputRules Session::output_rules() const { return output_rules_; }

void Session::deliver(io::OutputFile&& whole) {
  report_.files.push_back(whole.name());
  delivered_.push_back(std::move(whole));
}

Result<void> Session::commit_outputs() {
  TL_TRY(inputs_unchanged());
  std::map<std::filesystem::path, std::string> prints;
  for (const io::OutputFile& output : delivered_) {
    std::error_code failed;
    if (std::filesystem::is_character_file(output.name(), failed)) continue;
    TL_TRY(prints[output.name()], io::fingerprint(output.part_path()));
  }
  // Records first, so that every visible output has its record beside it.
  std::vector<io::OutputFile> all;
  for (const io::OutputFile& output : delivered_) {
    std::error_code failed;
    if (std::filesystem::is_character_file(output.name(), failed)) continue;  // /dev/null: no place for a record
    const auto folder = output.name().parent_path();
    const Graph portable = with_relative_inputs(written_, executor_.impl_->registry, folder);
    const std::string text = record_json(portable, executor_.impl_->options, report_, folder, prints);
    TL_TRY(io::OutputFile record, io::unnamed_text(output.name().string() + ".json", text, output_rules_));
    all.push_back(std::move(record));
  }
  std::move(delivered_.begin(), delivered_.end(), std::back_inserter(all));
  delivered_.clear();
  return io::commit_together(std::move(all));
}

}  // namespace tl
