// Finds and fills placeholders.
#include "core/tune/program/command_words.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/printable.h"
#include "core/node/nearest.h"

namespace tl::tune {
namespace {

// A placeholder in `word` at or after `from`: where it begins, its name, and the length of the whole.
struct Placeholder {
  std::size_t at = std::string::npos, length = 0;
  std::string name;
  bool is_literal = false;  // {{name}}
};

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Placeholder next_placeholder(const std::string& word, std::size_t from) {
  for (std::size_t at = word.find('{', from); at != std::string::npos; at = word.find('{', at + 1)) {
    const bool doubled = at + 1 < word.size() && word[at + 1] == '{';
    const std::size_t begin = at + (doubled ? 2 : 1);
    std::size_t end = begin;
    while (end < word.size() && is_name_character(word[end])) ++end;
    const bool is_name = end > begin && std::isdigit(static_cast<unsigned char>(word[begin])) == 0;
    if (!is_name || word.compare(end, doubled ? 2 : 1, doubled ? "}}" : "}") != 0) continue;
    return {at, end - at + (doubled ? 2 : 1), word.substr(begin, end - begin), doubled};
  }
  return {};
}

}  // namespace

Result<CommandWords> CommandWords::parse(std::vector<std::string> words, const std::vector<SearchAxis>& axes) {
  if (words.empty() || words.front().empty())
    return invalid("there is no program to run", "", "Give it after two dashes: -- ./program {x}");
  std::vector<std::string> names;
  for (const SearchAxis& axis : axes) names.push_back(axis.name);
  std::set<std::string> used;
  for (const std::string& word : words)
    for (Placeholder p = next_placeholder(word, 0); p.at != std::string::npos;
         p = next_placeholder(word, p.at + p.length)) {
      if (p.is_literal) continue;
      if (std::find(names.begin(), names.end(), p.name) == names.end())
        return invalid("{" + p.name + "} stands for no value that is varied", printable(word.substr(0, 100)),
                       suggest(p.name, names) + " {{" + p.name + "}} stands for the text itself");
      used.insert(p.name);
    }
  for (const std::string& name : names)
    if (used.count(name) == 0)
      return invalid("the command does not use " + name, name, "Write {" + name + "} where its value goes");
  return CommandWords(std::move(words));
}

std::vector<std::string> CommandWords::filled(const std::vector<SearchAxis>& axes, const AxisPoint& point) const {
  std::vector<std::string> all;
  for (const std::string& word : words_) {
    std::string out;
    std::size_t from = 0;
    for (Placeholder p = next_placeholder(word, 0); p.at != std::string::npos; p = next_placeholder(word, from)) {
      out += word.substr(from, p.at - from);
      from = p.at + p.length;
      if (p.is_literal) {
        out += "{" + p.name + "}";
        continue;
      }
      for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].name == p.name) out += axes[i].text_of(point[i]);
    }
    all.push_back(out + word.substr(from));
  }
  return all;
}

}  // namespace tl::tune
