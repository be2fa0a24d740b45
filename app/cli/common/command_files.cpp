// Collects the inputs and outputs that options of a command name, and checks all of them before the command runs.
#include "app/cli/common/command_files.h"

#include <algorithm>
#include <memory>

#include "core/io/open_volume.h"
#include "core/run/automatic/batch.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

// In FILE:/DATASET, FILE is the name of the file.
fs::path file_of(const std::string& given) {
  std::error_code failed;
  const std::size_t colon = given.find(":/");
  return fs::exists(given, failed) || colon == std::string::npos ? fs::path(given) : fs::path(given.substr(0, colon));
}

Result<void> check_no_folder(const fs::path& output) {
  std::error_code failed;
  if (!fs::is_directory(output, failed)) return ok();
  return invalid("the output is a folder", output.string(), "Give the name of a file");
}

// An empty folder may always be filled.
bool is_free_folder(const fs::path& output, OutputForm form) {
  std::error_code failed;
  return form == OutputForm::file_or_folder && fs::is_directory(output, failed) && fs::is_empty(output, failed);
}

// Whether --overwrite was given to the command or to one of its subcommands.
bool is_to_replace(const CLI::App& command) {
  const CLI::Option* const flag = command.get_option_no_throw("--overwrite");
  if (flag != nullptr && flag->count() > 0) return true;
  const std::vector<const CLI::App*> within = command.get_subcommands([](const CLI::App* c) { return c->parsed(); });
  return std::any_of(within.begin(), within.end(), [](const CLI::App* c) { return is_to_replace(*c); });
}

}  // namespace

OutputNames with_endings(std::vector<std::string> endings) {
  return [endings = std::move(endings)](const fs::path& given) {
    const fs::path name = given.has_filename() ? given : given.parent_path();
    std::vector<fs::path> names;
    for (const std::string& ending : endings) names.push_back(fs::path(name) += ending);
    return names;
  };
}

CLI::Option* CommandFiles::reads(CLI::Option* option, InputKind kind) {
  declared_.push_back({option, Use::input, kind});
  return option;
}

CLI::Option* CommandFiles::writes(CLI::Option* option, OutputUse use) {
  declared_.push_back({option, Use::output, InputKind::file, std::move(use)});
  return option;
}

CLI::Option* CommandFiles::writes_into(CLI::Option* option) {
  declared_.push_back({option, Use::output_folder});
  return option;
}

CommandFiles::Use CommandFiles::use_of(const CLI::Option* option) const {
  for (const Declared& declared : declared_)
    if (declared.option == option) return declared.use;
  return Use::none;
}

bool CommandFiles::reads_volume(const CLI::Option* option) const {
  return std::any_of(declared_.begin(), declared_.end(), [&](const Declared& declared) {
    return declared.option == option && declared.use == Use::input && declared.kind == InputKind::volume;
  });
}

std::vector<fs::path> CommandFiles::outputs_of(const CLI::Option* option, const fs::path& name) const {
  std::vector<fs::path> all;
  for (const Declared& declared : declared_) {
    if (declared.option != option || declared.use != Use::output) continue;
    const std::vector<fs::path> names = declared.output.names(name);
    all.insert(all.end(), names.begin(), names.end());
  }
  return all;
}

void CommandFiles::add_inputs(const Declared& declared) {
  for (const std::string& given : declared.option->results()) {
    const fs::path path = file_of(given);
    std::error_code failed;
    if (path.empty() || !fs::exists(path, failed)) continue;
    inputs_.add(path, (path.has_filename() ? path : path.parent_path()).filename().string());
    if (declared.kind != InputKind::volume) continue;
    std::vector<fs::path> files;
    // Everything in an input folder is protected; a header names the files of its voxels. Unreadable files: the command
    // reports them.
    if (fs::is_regular_file(path, failed))
      if (const auto volume = io::open_volume(path, {}); volume.ok()) files = volume.value()->files();
    inputs_.add_volume(path, files);
  }
}

Result<void> CommandFiles::check(const CLI::App& app) {
  inputs_ = {};
  overwrite_ = io::Overwrite::refuse;
  if (is_to_replace(app)) overwrite_ = io::Overwrite::replace;
  for (const Declared& declared : declared_)
    if (declared.use == Use::input) add_inputs(declared);
  std::vector<fs::path> all, files, to_be_new;
  for (const Declared& declared : declared_) {
    if (declared.use != Use::output) continue;
    const OutputUse& use = declared.output;
    for (const std::string& given : declared.option->results())
      for (const fs::path& name : use.names(given)) {
        all.push_back(name);
        if (use.form == OutputForm::file) files.push_back(name);
        if (use.existing == Existing::refused && !is_free_folder(name, use.form)) to_be_new.push_back(name);
      }
  }
  const io::OutputRules rules = this->rules();
  TL_TRY(check_writable(all, {io::Overwrite::replace, rules.inputs}));
  for (const fs::path& file : files) TL_TRY(check_no_folder(file));
  return check_writable(to_be_new, rules);
}

io::OutputRules CommandFiles::rules(io::ProtectedFiles more) const {
  more.add(inputs_);
  return {overwrite_, std::make_shared<const io::ProtectedFiles>(std::move(more))};
}

}  // namespace tl::cli
