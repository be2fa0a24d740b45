// The commands and options of the program as plain text, from which manual pages and shell completions are made: both
// then list exactly what the program accepts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tl::cli {

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; a positional argument has one name
  std::string value;               // "TEXT"; empty for a flag
  std::vector<std::string> choices;
  std::string default_value;
  std::string description;
  bool positional = false;
  bool required = false;
  bool many = false;  // takes more than one value
};

struct CommandText {
  std::string name;  // empty for the program itself
  std::string description;
  std::vector<OptionText> options;
  std::vector<CommandText> commands;  // subcommands, such as `replay` of `tune`
};

// The program first, then its commands in the order of their declaration.
std::vector<CommandText> option_tree(const CLI::App& app);

struct ManualText {
  std::string version;
  std::string date;  // day of the release, 2026-11-29
};

// Pages of section 1 in roff, for man(1): "tomoloom" or "tomoloom-run".
std::string page_name(const CommandText& command);
std::string manual_page(const std::vector<CommandText>& commands, const CommandText& command, const ManualText& text);
std::string bash_completion(const std::vector<CommandText>& commands);
std::string zsh_completion(const std::vector<CommandText>& commands);

}  // namespace tl::cli
