// The options of a CLI11 program as plain text.
#include "app/cli/manual/option_tree.h"

namespace tl::cli {
namespace {

// CLI11 writes a type with its limits: "TEXT", "INT:INT in [1 - 1024]", "TEXT:{lean,norm}".
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t from = type.find(":{");
  if (from == std::string::npos || type.back() != '}') return {};
  std::vector<std::string> choices(1);
  for (const char c : type.substr(from + 2, type.size() - from - 3)) {
    if (c == ',')
      choices.emplace_back();
    else
      choices.back() += c;
  }
  return choices;
}

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  text.positional = option.get_positional();
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (text.positional) text.names = {option.get_name()};
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    text.value = type.substr(0, type.find(':'));
    text.choices = choices_of(type);
    text.default_value = option.get_default_str();
  }
  text.description = option.get_description();
  text.required = option.get_required();
  text.many = option.get_items_expected_max() > 1;
  return text;
}

CommandText text_of(const CLI::App& command) {
  CommandText text{command.get_name(), command.get_description(), {}, {}};
  for (const CLI::Option* option : command.get_options()) text.options.push_back(text_of(*option));
  for (const CLI::App* within : command.get_subcommands([](const CLI::App*) { return true; }))
    text.commands.push_back(text_of(*within));
  return text;
}

}  // namespace

std::vector<CommandText> option_tree(const CLI::App& app) {
  std::vector<CommandText> all = {text_of(app)};
  all.front().name.clear();
  all.front().commands.clear();  // they follow
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    all.push_back(text_of(*command));
  return all;
}

}  // namespace tl::cli
