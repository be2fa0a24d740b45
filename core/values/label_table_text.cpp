// Reads and writes tables of classes as one line of text.
#include "core/values/label_table_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace tl {
namespace {

constexpr const char *blanks = " \t\r\n", *form_of_classes =
                                              "Write number, name and colour of each class, with ';' between them: "
                                              "1 enamel #e69f00; 2 dentine #56b4e9";
constexpr int64_t last_number = 65535;

bool is_class_colour(std::string_view word) {
  return word.size() == 7 && word[0] == '#' &&
         word.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
}

Result<LabelClass> class_of_text(std::string_view part) {
  const auto end = std::min(part.find_first_of(blanks), part.size());
  int64_t number = 0;
  const auto [stop, failed] = std::from_chars(part.data(), part.data() + end, number);
  if (failed != std::errc() || stop != part.data() + end || number < 1 || number > last_number)
    return invalid("\"" + std::string(part) + "\" does not begin with the number of a class, 1 to 65535", "classes",
                   form_of_classes);
  LabelClass c{number, {}, {}};
  std::string_view rest = trimmed(part.substr(end));
  const auto last_blank = rest.find_last_of(blanks);
  const std::string_view last = last_blank == std::string_view::npos ? rest : rest.substr(last_blank + 1);
  if (is_class_colour(last)) {
    c.colour = last;
    rest = trimmed(rest.substr(0, rest.size() - last.size()));
  }
  c.name = rest;
  return c;
}

// The name on one line, without characters at its ends that reading would remove.
std::string written_name(const std::string& name) {
  std::string one(trimmed(name));
  std::replace(one.begin(), one.end(), ';', ',');
  std::replace_if(
      one.begin(), one.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return one;
}

}  // namespace

Result<LabelTable> label_table_from_text(std::string_view text) {
  LabelTable table;
  table.not_labelled = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (const std::string_view part = trimmed(text.substr(at, end - at)); !part.empty()) {
      TL_TRY(LabelClass c, class_of_text(part));
      table.classes.push_back(std::move(c));
    }
    at = end + 1;
  }
  std::sort(table.classes.begin(), table.classes.end(),
            [](const LabelClass& a, const LabelClass& b) { return a.number < b.number; });
  const auto twice = std::adjacent_find(table.classes.begin(), table.classes.end(),
                                        [](const LabelClass& a, const LabelClass& b) { return a.number == b.number; });
  if (twice != table.classes.end())
    return invalid("the class " + std::to_string(twice->number) + " stands twice", "classes", "Remove one of the two");
  return table;
}

std::string to_text(const LabelTable& table) {
  std::string text;
  for (const LabelClass& c : table.classes) {
    if (c.number == 0) continue;
    text += (text.empty() ? "" : "; ") + std::to_string(c.number);
    if (const std::string name = written_name(c.name); !name.empty()) text += " " + name;
    if (!c.colour.empty()) text += " " + c.colour;
  }
  return text;
}

}  // namespace tl
