// Reads XML as far as scanners use it: elements, attributes and text.
#include "core/io/text/xml_file.h"

#include <array>
#include <utility>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

constexpr int64_t most_xml_bytes = int64_t{1} << 26;
constexpr std::size_t most_xml_elements = std::size_t{1} << 18, most_xml_levels = 64;
constexpr std::string_view xml_blanks = " \t\r\n";

std::string without_prefix(std::string_view name) { return std::string(name.substr(name.find(':') + 1)); }

// The five characters that have names; others stay as they are written.
std::string without_entities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> names = {
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
  std::string plain;
  while (!text.empty()) {
    std::size_t length = 1;
    char c = text.front();
    for (const auto& [name, character] : names)
      if (text.starts_with(name)) {
        length = name.size();
        c = character;
        break;
      }
    plain += c;
    text.remove_prefix(length);
  }
  return plain;
}

// Reads a text from its beginning to its end. One element of `open_` for each level.
class XmlParser {
 public:
  XmlParser(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  Result<XmlElement> parse() {
    while (at_ < text_.size()) {
      const std::size_t tag = std::min(text_.find('<', at_), text_.size());
      add_text(without_entities(text_.substr(at_, tag - at_)));
      advance(tag);
      if (at_ == text_.size()) break;
      TL_TRY(read_markup());
    }
    if (!open_.empty()) return wrong("the element " + printable(open_.back().name) + " is not closed");
    if (!root_) return wrong("the file holds no element");
    return std::move(*root_);
  }

 private:
  [[nodiscard]] Error wrong(const std::string& what) const {
    return invalid(what, where_ + ":" + std::to_string(line_), "Copy the file from the scanner again");
  }
  void advance(std::size_t to) {
    for (; at_ < to; ++at_)
      if (text_[at_] == '\n') ++line_;
  }
  void add_text(std::string_view text) {
    if (!open_.empty()) open_.back().text += text;
  }
  // Moves behind an end, and returns what stands before it.
  Result<std::string_view> up_to(std::string_view end, std::size_t skipped) {
    const std::size_t from = at_ + skipped, found = text_.find(end, from);
    if (found == std::string_view::npos) return wrong("a tag or comment is not closed");
    advance(found + end.size());
    return text_.substr(from, found - from);
  }

  Result<void> read_markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      TL_TRY(up_to("-->", 4));
      return ok();
    }
    if (rest.starts_with("<![CDATA[")) {
      TL_TRY(const std::string_view data, up_to("]]>", 9));
      add_text(data);
      return ok();
    }
    if (rest.starts_with("<?")) {
      TL_TRY(up_to("?>", 2));
      return ok();
    }
    if (rest.starts_with("<!")) {
      TL_TRY(const std::string_view type, up_to(">", 2));
      if (type.find('[') != std::string_view::npos) return wrong("the file defines entities, which are not read");
      return ok();
    }
    if (rest.starts_with("</")) {
      TL_TRY(const std::string_view name, up_to(">", 2));
      return close(without_prefix(trimmed(name)));
    }
    return read_element();
  }

  // A ">" may stand in the value of an attribute.
  Result<void> read_element() {
    XmlElement element;
    element.line = line_;
    std::size_t end = at_ + 1;
    for (char quote = 0; end < text_.size() && (quote != 0 || text_[end] != '>'); ++end) {
      const char c = text_[end];
      if (quote != 0)
        quote = c == quote ? 0 : quote;
      else if (c == '"' || c == '\'')
        quote = c;
    }
    if (end == text_.size()) return wrong("a tag is not closed");
    std::string_view tag = text_.substr(at_ + 1, end - at_ - 1);
    const bool is_empty = tag.ends_with('/');
    if (is_empty) tag.remove_suffix(1);
    const std::size_t name_end = std::min(tag.find_first_of(xml_blanks), tag.size());
    element.name = without_prefix(tag.substr(0, name_end));
    if (element.name.empty()) return wrong("an element has no name");
    TL_TRY(read_attributes(tag.substr(name_end), element));
    if (++elements_ > most_xml_elements || open_.size() >= most_xml_levels)
      return wrong("the file has more elements than any description of a scan");
    if (root_ && open_.empty()) return wrong("the file holds more than one element at its top");
    advance(end + 1);
    const std::string name = element.name;
    open_.push_back(std::move(element));
    return is_empty ? close(name) : ok();
  }

  Result<void> read_attributes(std::string_view text, XmlElement& element) const {
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
      const std::size_t equals = text.find('=');
      const std::string_view value = trimmed(text.substr(equals == std::string_view::npos ? text.size() : equals + 1));
      const std::size_t end = value.empty() ? std::string_view::npos : value.find(value.front(), 1);
      if (value.empty() || (value.front() != '"' && value.front() != '\'') || end == std::string_view::npos)
        return wrong("an attribute of " + printable(element.name) + " has no value in quotes");
      element.attributes[lower_case(without_prefix(trimmed(text.substr(0, equals))))] =
          without_entities(value.substr(1, end - 1));
      text = value.substr(end + 1);
    }
    return ok();
  }

  Result<void> close(const std::string& name) {
    if (open_.empty() || open_.back().name != name)
      return wrong("the element " + printable(name) + " is closed, but was not opened last");
    XmlElement done = std::move(open_.back());
    open_.pop_back();
    done.text = std::string(trimmed(done.text));
    if (open_.empty())
      root_ = std::move(done);
    else
      open_.back().children.push_back(std::move(done));
    return ok();
  }

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0, elements_ = 0;
  int64_t line_ = 1;
  std::vector<XmlElement> open_;
  std::optional<XmlElement> root_;
};

// An element, and the name of one of its attributes, or "".
struct XmlPlace {
  const XmlElement* element = nullptr;
  std::string attribute;
};

XmlPlace place_below(const XmlElement& from, std::string_view path) {
  const std::size_t at = path.find('@');
  XmlPlace place{&from, at == std::string_view::npos ? "" : lower_case(path.substr(at + 1))};
  std::string_view names = path.substr(0, at);
  while (!names.empty() && place.element != nullptr) {
    const std::size_t end = std::min(names.find('/'), names.size());
    place.element = place.element->child(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return place;
}

}  // namespace

const XmlElement* XmlElement::child(std::string_view child_name) const {
  const std::string wanted = lower_case(child_name);
  for (const XmlElement& one : children)
    if (lower_case(one.name) == wanted) return &one;
  return nullptr;
}

Result<XmlFile> XmlFile::open(const std::filesystem::path& path) {
  XmlFile file({path, stamp_of(path)});
  TL_TRY(const std::string text, read_text(path, "the file", most_xml_bytes));
  TL_TRY(file.root_, XmlParser(text, path.string()).parse());
  return file;
}

std::optional<std::string> XmlFile::text(const XmlElement& from, std::string_view path) {
  const XmlPlace place = place_below(from, path);
  if (place.element == nullptr) return std::nullopt;
  if (place.attribute.empty()) return place.element->text.empty() ? std::nullopt : std::optional(place.element->text);
  const auto found = place.element->attributes.find(place.attribute);
  return found == place.element->attributes.end() || found->second.empty() ? std::nullopt
                                                                           : std::optional(found->second);
}

std::string XmlFile::location(const XmlElement& element) const {
  return file_.path.string() + ":" + std::to_string(element.line);
}

Result<std::optional<double>> XmlFile::number(const XmlElement& from, const std::string& path, Bounds bounds) const {
  const auto found = text(from, path);
  if (!found) return std::optional<double>();
  TL_TRY(const double value,
         stated_number(*found, path, location(*place_below(from, path).element), bounds, DecimalSign::point_or_comma));
  return std::optional(value);
}

Result<double> XmlFile::required(const XmlElement& from, const std::string& path, Bounds bounds) const {
  TL_TRY(const std::optional<double> value, number(from, path, bounds));
  if (value) return *value;
  return invalid("the file does not state " + path, location(from), "Add it, or copy the file from the scanner again");
}

Result<int64_t> XmlFile::required_integer(const XmlElement& from, const std::string& path, int64_t low,
                                          int64_t high) const {
  TL_TRY(const double value, required(from, path, {static_cast<double>(low), static_cast<double>(high)}));
  return stated_integer(value, path, location(*place_below(from, path).element));
}

}  // namespace tl::io
