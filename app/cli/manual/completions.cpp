// Completion scripts: commands after the program, options after a command, choices after an option that has some, and
// files elsewhere.
#include "app/cli/manual/option_tree.h"

namespace tl::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::vector<std::string> option_names(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options)
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> command_names(const std::vector<CommandText>& commands) {
  std::vector<std::string> names;
  for (const CommandText& command : commands)
    if (!command.name.empty()) names.push_back(command.name);
  return names;
}

// Quoted for a shell by single quotes; `special` are characters with a meaning in zsh's _arguments and _describe.
std::string quoted(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const OptionText& option) {
  if (option.value.empty()) return {};
  const std::string what = option.choices.empty() ? "_files" : "(" + joined(option.choices, " ") + ")";
  return ":" + quoted(option.value, ":") + ":" + what;
}

std::string zsh_option(const OptionText& option) {
  if (option.positional)
    return "'" + std::string(option.many ? "*" : "") + ":" + quoted(option.names.front(), ":") +
           (option.choices.empty() ? ":_files'" : ":(" + joined(option.choices, " ") + ")'");
  std::string specs;
  for (const std::string& name : option.names)
    specs += std::string(specs.empty() ? "" : " ") + "'" + (option.many ? "*" : "") + name + "[" +
             quoted(option.description, "[]\\") + "]" + zsh_value(option) + "'";
  return specs;
}

}  // namespace

std::string bash_completion(const std::vector<CommandText>& commands) {
  std::string choices, options, pairs, within;
  const auto add = [&](const CommandText& command, const std::string& name) {
    options += "        '" + name + "') words='" + joined(option_names(command), " ") + "' ;;\n";
    for (const OptionText& option : command.options) {
      if (option.choices.empty() || option.positional) continue;
      std::vector<std::string> cases;
      for (const std::string& one : option.names) cases.push_back("'" + name + " " + one + "'");
      choices += "        " + joined(cases, " | ") + ") words='" + joined(option.choices, " ") + "' ;;\n";
    }
  };
  for (const CommandText& command : commands) {
    if (command.name.empty()) continue;
    add(command, command.name);
    if (command.commands.empty()) continue;
    within += "        '" + command.name + "') words='" + joined(command_names(command.commands), " ") + "' ;;\n";
    for (const CommandText& one : command.commands) {
      const std::string name = command.name + " " + one.name;
      pairs += (pairs.empty() ? "        '" : " | '") + name + "'";
      add(one, name);
    }
  }
  return "# Completion of tomoloom for bash, made from the options of the program.\n"
         "_tomoloom() {\n"
         "    local word=\"${COMP_WORDS[COMP_CWORD]}\" words=''\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "        words='" +
         joined(command_names(commands), " ") + " " + joined(option_names(commands.front()), " ") +
         "'\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "        return\n"
         "    fi\n"
         "    local command=\"${COMP_WORDS[1]}\"\n"
         "    if [ \"$COMP_CWORD\" -eq 2 ] && [ \"${word:0:1}\" != - ]; then\n"
         "        case \"$command\" in\n" +
         within +
         "        esac\n"
         "    fi\n"
         "    [ \"$COMP_CWORD\" -lt 3 ] || case \"$command ${COMP_WORDS[2]}\" in\n" +
         pairs +
         ") command=\"$command ${COMP_WORDS[2]}\" ;;\n"
         "    esac\n"
         "    case \"$command ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
         choices +
         "    esac\n"
         "    if [ -z \"$words\" ] && [ \"${word:0:1}\" = - ]; then\n"
         "        case \"$command\" in\n" +
         options +
         "        esac\n"
         "    fi\n"
         "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _tomoloom tomoloom\n";
}

std::string zsh_completion(const std::vector<CommandText>& commands) {
  std::string described, cases;
  for (const CommandText& command : commands) {
    if (command.name.empty()) continue;
    described += "      '" + command.name + ":" + quoted(command.description, "") + "'\n";
    const auto arguments = [](const CommandText& one) {
      std::string text = "_arguments";
      for (const OptionText& option : one.options) text += " \\\n        " + zsh_option(option);
      return text;
    };
    cases += "    " + command.name + ")\n      ";
    if (command.commands.empty()) {
      cases += arguments(command) + "\n      ;;\n";
      continue;
    }
    cases += "if (( CURRENT == 2 )); then\n      " + arguments(command) + " \\\n        '1:command:(" +
             joined(command_names(command.commands), " ") +
             ")'\n      else\n      shift words\n      (( CURRENT-- ))\n" + "      case $words[1] in\n";
    for (const CommandText& one : command.commands)
      cases += "      (" + one.name + ")\n      " + arguments(one) + "\n      ;;\n";
    cases += "      esac\n      fi\n      ;;\n";
  }
  std::string own;
  for (const OptionText& option : commands.front().options) own += " \\\n    " + zsh_option(option);
  return "#compdef tomoloom\n# Made from the options of the program.\n_tomoloom() {\n  local -a commands line\n"
         "  local state\n  _arguments -C" +
         own +
         " \\\n    '1:command:->command' '*::argument:->argument'\n"
         "  case $state in\n  command)\n    commands=(\n" +
         described + "    )\n    _describe command commands\n    ;;\n  argument)\n    case $line[1] in\n" + cases +
         "    esac\n    ;;\n  esac\n}\n_tomoloom \"$@\"\n";
}

}  // namespace tl::cli
