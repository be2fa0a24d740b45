// The text of nabu.conf: sections of keys.
#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/graph/foreign/nabu.h"

namespace tl::foreign {
namespace {

using json::Json;

// Without a comment, which begins at a # behind a space.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  return line;
}

// Reads one line after the other.
class NabuTextReader {
 public:
  explicit NabuTextReader(const std::string& file)
      : document_{Json::object(), json::JsonLineNumbers(file)}, file_(file) {}

  Result<void> add(std::string_view line) {
    if (++number_ > static_cast<int64_t>(json::max_values)) return wrong("the file has too many lines");
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const bool indented = !line.empty() && (line.front() == ' ' || line.front() == '\t');
    const std::string text = std::string(trimmed(std::string(without_comment(line))));
    if (text.empty() || text.front() == ';') return ok();
    if (text.front() == '[') return begin(text);
    if (sections_.empty()) return wrong("a line comes before the first [section]");
    // Searching members of ordered objects is linear: only the newest section is accessed.
    auto& keys = document_.root.get_ref<Json::object_t&>().back().second.get_ref<Json::object_t&>();
    const auto sign = text.find_first_of("=:");
    if (indented && !keys.empty()) {  // continues the value before
      keys.back().second.get_ref<std::string&>() += "\n" + text;
      return ok();
    }
    if (sign == std::string::npos || sign == 0) return wrong("this is not a line \"key = value\"");
    const std::string key = lower_case(std::string(trimmed(text.substr(0, sign))));
    if (key.size() > json::max_key) return wrong("a key is too long");
    if (!keys_.insert(key).second) return wrong("the key \"" + key + "\" occurs twice");
    keys.emplace_back(key, std::string(trimmed(text.substr(sign + 1))));
    document_.lines.add(json::child(json::child("", section_), key), number_);
    return ok();
  }
  json::Document take() { return std::move(document_); }

 private:
  Result<void> begin(const std::string& text) {
    if (text.back() != ']' || text.size() < 3) return wrong("this is not a [section]");
    section_ = text.substr(1, text.size() - 2);
    keys_.clear();
    if (section_.size() > json::max_key) return wrong("the name of a section is too long");
    if (!sections_.insert(section_).second) return wrong("the section [" + section_ + "] occurs twice");
    document_.root.get_ref<Json::object_t&>().emplace_back(section_, Json::object());
    document_.lines.add(json::child("", section_), number_);
    return ok();
  }
  [[nodiscard]] Error wrong(const std::string& what) const {
    return invalid(what, file_ + ":" + std::to_string(number_));
  }

  json::Document document_;
  std::string file_, section_;
  std::set<std::string> sections_, keys_;  // names already used in the file, and in the current section
  int64_t number_ = 0;
};

}  // namespace

Result<json::Document> read_nabu_text(std::string_view text, const std::string& file) {
  NabuTextReader reader(file);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    TL_TRY(reader.add(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  json::Document document = reader.take();
  try {
    (void)document.root.dump();
  } catch (const Json::exception&) {
    return invalid("the text is not UTF-8", file);
  }
  return document;
}

std::string nabu_text(const Json& sections) {
  std::string text;
  for (const auto& [section, keys] : sections.items()) {
    text += (text.empty() ? "[" : "\n[") + section + "]\n";
    for (const auto& [key, value] : keys.items()) text += key + " = " + value.get<std::string>() + "\n";
  }
  return text;
}

}  // namespace tl::foreign
