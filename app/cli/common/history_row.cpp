// Writes the rows that commands add to the history.
#include "app/cli/common/history_row.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/wording.h"
#include "core/history/entry_texts.h"
#include "core/node/registry.h"

namespace tl::cli {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::optional<history::Kind> kind_of_command(const std::string& name) {
  static const std::map<std::string, history::Kind> kinds = {
      {"convert", history::Kind::exported}, {"join", history::Kind::exported},  {"learn", history::Kind::learning},
      {"prune", history::Kind::training},   {"train", history::Kind::training}, {"sweep", history::Kind::run}};
  const auto found = kinds.find(name);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

struct NamedFiles {
  std::vector<fs::path> inputs, outputs;
};

// A bundled pipeline or network is named like a file, but is none.
NamedFiles files_of(const Cli& cli, const CLI::App& command) {
  NamedFiles files;
  std::error_code failed;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->results()) {
      const CommandFiles::Use use = cli.files.use_of(option);
      if (use == CommandFiles::Use::input && fs::exists(name, failed)) files.inputs.emplace_back(name);
      if (use == CommandFiles::Use::output) files.outputs.emplace_back(name);
    }
  return files;
}

// "foam" of --input foam.json: the name of a pipeline without a title.
std::string pipeline_name(const CLI::App& command) {
  const CLI::Option* const option = command.get_option_no_throw("PIPELINE");
  return option == nullptr || option->results().empty() ? std::string()
                                                        : fs::path(option->results().front()).stem().string();
}

}  // namespace

HistoryRow::HistoryRow(const Cli& cli, history::Entry entry) : recorder_(cli.history.get()), entry_(std::move(entry)) {
  if (entry_.title.empty()) entry_.title = cli.pipeline;
  if (recorder_ != nullptr) recorder_->begin(entry_);
}

HistoryRow::~HistoryRow() {
  if (recorder_ != nullptr) failed({ErrorKind::internal, "it ended without a result", {}, {}});
}

void HistoryRow::end(history::Outcome outcome) {
  if (recorder_ == nullptr) return;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  std::exchange(recorder_, nullptr)->end(entry_, outcome);
}

void HistoryRow::done(std::vector<fs::path> files) { end({std::move(files), 0, {}}); }
void HistoryRow::failed(const Error& error) { end({{}, 0, error}); }

void HistoryRow::drop() {
  if (recorder_ != nullptr) std::exchange(recorder_, nullptr)->drop(entry_);
}

std::shared_ptr<const history::Recorder> command_line_recorder(const Cli& cli) {
  return std::make_shared<const history::Recorder>(
      history::Store(history::default_file()), "command line", Registry::all(), [&cli](const Error& error) {
        const std::string text = "this is not in the history: " + wording_for(FrontEnd::command_line, error.message());
        if (cli.output_mode == OutputMode::text) say(stderr, "warning: " + text);
        if (cli.output_mode == OutputMode::json)
          say(stdout, Json{{"event", "message"}, {"level", "warning"}, {"node", ""}, {"text", text}}.dump(
                          -1, ' ', false, Json::error_handler_t::replace));
      });
}

Result<void> run_with_history(Cli& cli, const CLI::App& app) {
  if (cli.no_history) cli.history = nullptr;
  if (cli.history == nullptr || app.get_subcommands().empty()) return cli.command(cli);
  const CLI::App& command = *app.get_subcommands().front();
  cli.pipeline = pipeline_name(command);
  const auto kind = kind_of_command(command.get_name());
  if (!kind) return cli.command(cli);
  NamedFiles files = files_of(cli, command);
  history::Entry entry;
  entry.kind = *kind;
  entry.title = cli.pipeline.empty() ? command.get_name() : cli.pipeline;
  for (const fs::path& input : files.inputs) entry.inputs.push_back(history::file_at(input));
  HistoryRow row(cli, std::move(entry));
  Result<void> result = cli.command(cli);
  std::error_code failed;
  std::erase_if(files.outputs, [&](const fs::path& file) { return !fs::exists(file, failed); });
  result.ok() ? row.done(std::move(files.outputs)) : row.failed(result.error());
  return result;
}

}  // namespace tl::cli
