// RunOutputs: the outputs of a run until all of them are complete, and the input files from which they were made.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/bytes/input_files.h"
#include "core/io/output/output_file.h"
#include "core/io/output/output_rules.h"
#include "core/run/common/run_options.h"
#include "core/run/session/session_context.h"

namespace tl {

class RunOutputs {
 public:
  explicit RunOutputs(SessionContext& session) : session_(session), written_(session.graph()) {}

  // The pipeline as drawn, bypassed and muted nodes included, which records contain (the session's graph if not set),
  // and which files outputs may replace.
  void set_pipeline(const Graph& drawn, io::OutputRules rules);
  [[nodiscard]] const io::OutputRules& rules() const { return rules_; }

  // See NodeHost for the three texts and for add_input() (reads()) and deliver().
  [[nodiscard]] std::string pipeline_text(const std::filesystem::path& folder) const;
  [[nodiscard]] std::string provenance_text() const;
  [[nodiscard]] std::string parameters_text(const std::filesystem::path& folder) const;
  Result<void> add_input(const std::shared_ptr<io::InputFiles>& files);
  void deliver(io::OutputFile&& whole);

  // An error if a file has changed since a node first read it. Checked before an output is finished.
  [[nodiscard]] Result<void> inputs_unchanged() const;
  // Writes a record for each delivered output, then gives all of them their final names, or none.
  Result<void> commit();

 private:
  SessionContext& session_;
  Graph written_;
  io::OutputRules rules_;
  std::vector<io::OutputFile> delivered_;
  std::vector<std::shared_ptr<const io::InputFiles>> inputs_;
};

// Which files the outputs of a graph may replace: never inputs of the graph, and existing files only if the options
// allow it.
io::OutputRules output_rules_for(const Graph& graph, const Registry& registry, const RunOptions& options);

}  // namespace tl
