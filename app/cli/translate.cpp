// tomoloom translate: converts a pipeline of another program to Tomoloom, or vice versa, and lists settings that are
// lost.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/base/wording.h"
#include "core/graph/foreign/foreign.h"
#include "core/graph/graph_json.h"
#include "core/io/output/output_file.h"
#include "core/io/reader/scan_info.h"
#include "core/node/nearest.h"
#include "core/run/automatic/batch.h"
#include "core/run/record/protected_inputs.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;
using foreign::PipelineFormat;

struct TranslateArguments {
  std::string input, output, from, to, scan;
};

constexpr const char* ours = "tomoloom";

std::vector<std::string> format_ids() {
  std::vector<std::string> ids = {ours};
  for (const PipelineFormat& f : foreign::pipeline_formats()) ids.emplace_back(f.id);
  return ids;
}

// nullptr for our own format.
Result<const PipelineFormat*> format_named(const std::string& id, const char* option) {
  if (id == ours) return nullptr;
  if (const PipelineFormat* format = foreign::find_pipeline_format(id)) return format;
  return invalid("there is no format \"" + id + "\"", option, suggest(id, format_ids()));
}

// A result that embeds its pipeline is not a text file: load_pipeline() examines its first bytes.
Result<const PipelineFormat*> format_of_input(const TranslateArguments& o) {
  if (!o.from.empty()) return format_named(o.from, "--from");
  std::error_code failed;
  if (!fs::exists(o.input, failed)) return io_error("there is no such file", o.input, "Check the name");
  if (!fs::is_regular_file(o.input, failed) || fs::file_size(o.input, failed) > foreign::largest_pipeline)
    return nullptr;
  TL_TRY(const std::string text, foreign::pipeline_text(o.input));
  if (const PipelineFormat* format = foreign::pipeline_format_of(text)) return format;
  return foreign::pipeline_format_by_name(o.input);
}

Result<const PipelineFormat*> format_of_output(const TranslateArguments& o, bool input_is_ours) {
  if (!o.to.empty()) return format_named(o.to, "--to");
  if (const PipelineFormat* format = foreign::pipeline_format_by_name(o.output)) return format;
  if (!input_is_ours) return nullptr;
  // Both are .json.
  return invalid("the ending of the new file does not say which program it is for", o.output,
                 "Give it: --to httomo, --to nabu or --to ewoks");
}

// The facts that the named scan states. Errors: the scan cannot be opened.
Result<std::optional<foreign::ScanFacts>> given_facts(const TranslateArguments& o) {
  if (o.scan.empty()) return std::optional<foreign::ScanFacts>();
  TL_TRY(const io::ScanInfo scan, io::read_scan_info(o.scan));
  return std::optional(foreign::facts_of(scan));
}

void report_losses(const Cli& cli, const std::vector<foreign::Loss>& lost, const std::string& output) {
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json list = Json::array();
    for (const foreign::Loss& loss : lost)
      list.push_back(
          {{"where", loss.where}, {"value", loss.value}, {"reason", wording_for(FrontEnd::command_line, loss.reason)}});
    const Json line{{"event", "done"}, {"files", {output}}, {"lost", std::move(list)}};
    print_json(line);
    return;
  }
  for (const foreign::Loss& loss : lost) say(stderr, "lost: " + wording_for(FrontEnd::command_line, to_text(loss)));
  say(stdout,
      "wrote " + output + ", " +
          (lost.empty() ? "nothing was lost" : std::to_string(lost.size()) + (lost.size() == 1 ? " loss" : " losses")));
}

Result<void> read_foreign(const TranslateArguments& o, const PipelineFormat& from, const Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(const auto facts, given_facts(o));
  TL_TRY(foreign::ReadPipeline pipeline, foreign::open_pipeline(from, o.input, registry, facts));
  if (!o.scan.empty()) TL_TRY(set_input(pipeline.graph, registry, o.scan));
  const io::OutputRules rules = cli.files.rules(inputs_of(pipeline.graph, registry));
  TL_TRY(save_pipeline(pipeline.graph, registry, o.output, rules));
  report_losses(cli, pipeline.lost, o.output);
  return ok();
}

Result<void> write_foreign(const TranslateArguments& o, const PipelineFormat& to, const Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, load_pipeline(o.input, registry, Completeness::draft));
  TL_TRY(const auto facts, given_facts(o));
  if (!o.scan.empty()) TL_TRY(set_input(graph, registry, o.scan));
  TL_TRY(const foreign::WrittenPipeline written, to.write(graph, registry, facts ? *facts : foreign::facts_of(graph)));
  const io::OutputRules rules = cli.files.rules(inputs_of(graph, registry));
  TL_TRY(io::write_text(o.output, written.text, rules));
  report_losses(cli, written.lost, o.output);
  return ok();
}

Result<void> run(const TranslateArguments& o, const Cli& cli) {
  TL_TRY(const PipelineFormat* from, format_of_input(o));
  TL_TRY(const PipelineFormat* to, format_of_output(o, from == nullptr));
  if (from != nullptr && to == nullptr) return read_foreign(o, *from, cli);
  if (from == nullptr && to != nullptr) return write_foreign(o, *to, cli);
  return invalid("one of the two files is a pipeline of Tomoloom, the other of another program", o.output,
                 "Give their kinds with --from and --to: httomo, nabu, ewoks or tomoloom");
}

}  // namespace

void add_translate(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("translate", "Convert a pipeline from or to HTTomo, nabu or ewoks");
  const auto o = std::make_shared<TranslateArguments>();
  cli.files
      .reads(sub->add_option("IN", o->input, "A pipeline of this or another program, or a result that embeds one"))
      ->required();
  cli.files
      .writes(sub->add_option("OUT", o->output,
                              "The new file: .yaml is HTTomo, .conf nabu; from another program, a pipeline"))
      ->required();
  sub->add_option("--from", o->from, "Kind of IN: tomoloom, httomo, nabu or ewoks (default: by its content)");
  sub->add_option("--to", o->to, "Format of OUT: tomoloom, httomo, nabu or ewoks (default: by its ending)");
  cli.files.reads(sub->add_option(
      "--input", o->scan,
      "The scan to read: its width converts columns of rotation axes to pixels from the detector centre"));
  sub->add_flag("--overwrite")->description("Replace an output that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
