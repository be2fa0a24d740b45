// Manual pages in the man macros of roff (man-pages(7)).
#include <cctype>

#include "app/cli/common/cli.h"
#include "app/cli/manual/option_tree.h"

namespace tl::cli {
namespace {

// Text as roff prints it: a backslash, a hyphen and a dot at the start of a line have meanings of their own.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string heading(const OptionText& option) {
  std::string line = ".TP\n";
  for (std::size_t i = 0; i < option.names.size(); ++i)
    line += (i == 0 ? "" : ", ") + ("\\fB" + roff(option.names[i]) + "\\fR");
  if (!option.value.empty() && !option.positional) line += " \\fI" + roff(option.value) + "\\fR";
  if (option.many) line += " ...";
  return line + "\n";
}

std::string paragraph(const OptionText& option) {
  std::string text = heading(option) + roff(option.description);
  const std::string ends = ".:;?!";
  if (!option.description.empty() && ends.find(option.description.back()) == std::string::npos) text += ".";
  if (!option.choices.empty()) {
    text += "\nOne of";
    for (std::size_t i = 0; i < option.choices.size(); ++i)
      text += (i == 0 ? " \\fB" : ", \\fB") + roff(option.choices[i]) + "\\fR";
    text += ".";
  }
  if (!option.default_value.empty()) text += "\nDefault: \\fB" + roff(option.default_value) + "\\fR.";
  if (option.required && !option.positional) text += "\nRequired.";
  return text + "\n";
}

std::string synopsis(const CommandText& command) {
  std::string line = ".SH SYNOPSIS\n\\fBtomoloom";
  if (command.name.empty()) return line + "\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n";
  line += " " + roff(command.name) + "\\fR [\\fIOPTIONS\\fR]";
  for (const OptionText& option : command.options)
    if (option.positional)
      line += (option.required ? " \\fI" : " [\\fI") + roff(option.names.front()) +
              (option.required ? "\\fR" : "\\fR]") + (option.many ? " ..." : "");
  return line + "\n";
}

std::string section(const char* title, const CommandText& command, bool positional) {
  std::string text;
  for (const OptionText& option : command.options)
    if (option.positional == positional) text += paragraph(option);
  return text.empty() ? text : ".SH " + std::string(title) + "\n" + text;
}

// The commands within a command, each with its arguments and options.
std::string commands_within(const CommandText& command) {
  std::string text;
  for (const CommandText& within : command.commands) {
    text += ".SS " + roff(command.name + " " + within.name);
    for (const OptionText& option : within.options)
      if (option.positional) text += " " + roff(option.names.front());
    text += "\n" + roff(within.description) + ".\n";
    for (const OptionText& option : within.options) text += paragraph(option);
  }
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

std::string exit_status() {
  const std::pair<ExitCode, const char*> rows[] = {
      {exit_done, "Done."},
      {exit_invalid, "The input or the pipeline is invalid."},
      {exit_usage, "The command line is wrong."},
      {exit_file, "A file could not be read or written."},
      {exit_device, "A device, a feature or memory is missing."},
      {exit_cancelled, "Stopped by a signal."},
      {exit_unresolved, "A value was found, but its verdict is not \"resolved\"."},
      {exit_different, "Two results were compared and differ."},
      {exit_bug, "An error of the program itself."}};
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : rows) text += ".TP\n\\fB" + std::to_string(code) + "\\fR\n" + meaning + "\n";
  return text + ".PP\nThe chapter \\fIExit codes\\fR of the user guide says more about them.\n";
}

}  // namespace

std::string page_name(const CommandText& command) {
  return command.name.empty() ? "tomoloom" : "tomoloom-" + command.name;
}

std::string manual_page(const std::vector<CommandText>& commands, const CommandText& command, const ManualText& text) {
  const std::string name = page_name(command);
  std::string page = ".TH " + upper(roff(name)) + " 1 " + text.date + " \"Tomoloom " + text.version +
                     "\" \"User Commands\"\n.SH NAME\n" + roff(name) + " \\- " + roff(command.description) + "\n" +
                     synopsis(command) + section("ARGUMENTS", command, true) + section("OPTIONS", command, false);
  if (command.name.empty()) {
    page += ".SH COMMANDS\n";
    for (const CommandText& other : commands)
      if (!other.name.empty())
        page += ".TP\n\\fB" + roff(other.name) + "\\fR (\\fB" + roff(page_name(other)) + "\\fR(1))\n" +
                roff(other.description) + ".\n";
  }
  page += commands_within(command) + exit_status() + ".SH SEE ALSO\n";
  page += command.name.empty() ? "\\fBtomoloom\\-studio\\fR(1)" : "\\fBtomoloom\\fR(1)";
  return page + ", the user guide in \\fI/usr/share/doc/tomoloom\\fR\n";
}

}  // namespace tl::cli
