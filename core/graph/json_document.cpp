// Parses JSON text safely with a SAX parser: checks limits, builds the document and notes lines.
#include "core/graph/json_document.h"

#include <cmath>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tl::json {
namespace {

// Limits of the line index for error messages: beyond them, a message gives the line of the enclosing value.
constexpr std::size_t max_lines = 100'000;
constexpr std::size_t max_pointer = 1000;

// The position of the parser: line and column of the last character read.
struct Cursor {
  int64_t line = 1, column = 0;
  bool line_ended = false;

  void take(char c) {
    if (line_ended) {
      ++line;
      column = 0;
    }
    ++column;
    line_ended = c == '\n';
  }
};

// Feeds the text to the parser character by character and moves the cursor, because the library reports no lines.
class CharIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CharIterator(const char* at, Cursor* cursor) : at_(at), cursor_(cursor) {}
  reference operator*() const { return *at_; }
  CharIterator& operator++() {
    cursor_->take(*at_);
    ++at_;
    return *this;
  }
  CharIterator operator++(int) {
    CharIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CharIterator& a, const CharIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  Cursor* cursor_;
};

// The library's message without its prefix, shortened and made printable.
std::string reason(std::string_view text) {
  for (const std::string_view mark : {": syntax error ", "] "})
    if (const auto at = text.find(mark); at != std::string_view::npos) {
      text.remove_prefix(at + 2);
      break;
    }
  std::string out(text.substr(0, 200));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return out;
}

class Builder {
 public:
  Builder(Document& document, const Cursor& cursor) : document_(document), cursor_(cursor) {}

  // NOLINTBEGIN(readability-identifier-naming): the names that the library calls
  bool null() { return value(Json(nullptr)) != nullptr; }
  bool boolean(bool v) { return value(Json(v)) != nullptr; }
  bool number_integer(Json::number_integer_t v) { return value(Json(v)) != nullptr; }
  bool number_unsigned(Json::number_unsigned_t v) { return value(Json(v)) != nullptr; }
  bool number_float(Json::number_float_t v, const std::string&) { return value(Json(v)) != nullptr; }
  bool string(std::string& v) { return value(Json(std::move(v))) != nullptr; }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (name.size() > max_key)
      return refuse("a key of " + std::to_string(name.size()) + " bytes, more than " + std::to_string(max_key),
                    "This is not a pipeline that Tomoloom can read");
    Frame& frame = stack_.back();
    frame.key = name;
    pointer_.resize(frame.pointer);
    if (pointer_.size() <= max_pointer) pointer_ = child(pointer_, name);
    note();
    if (!frame.keys.insert(name).second)
      return refuse("the key " + in_quotes(name) + " occurs twice in one object", "Remove one");
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    document_.lines =
        JsonLineNumbers(document_.lines.file());  // without lines: inside a token, the last key could be the wrong one
    error_ = invalid("not valid JSON: " + reason(error.what()), at_cursor(), "Correct the text there");
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

  [[nodiscard]] const Error& error() const { return error_; }

 private:
  struct Frame {
    Json* container;
    std::size_t pointer;  // length of the JSON pointer of the container
    std::string key;      // of the next member
    std::unordered_set<std::string> keys;
  };

  [[nodiscard]] std::string at_cursor() const {
    return document_.lines.file() + ":" + std::to_string(cursor_.line) + ":" + std::to_string(cursor_.column);
  }
  bool refuse(std::string what, std::string hint) {
    error_ = invalid(std::move(what), at_cursor(), std::move(hint));
    return false;
  }
  void note() {
    if (pointer_.size() <= max_pointer && document_.lines.size() < max_lines)
      document_.lines.add(pointer_, cursor_.line);
  }

  // Adds a value to the open container; nullptr if there are too many values.
  Json* value(Json v) {
    if (++count_ > max_values) {
      refuse("more than " + std::to_string(max_values) + " values", "This is not a pipeline that Tomoloom can read");
      return nullptr;
    }
    if (stack_.empty()) {
      note();
      document_.root = std::move(v);
      return &document_.root;
    }
    Frame& frame = stack_.back();
    if (frame.container->is_object()) {
      // Appended to the underlying vector directly: the map's own insertion searches all keys each time.
      Json::object_t::Container& members = frame.container->get_ref<Json::object_t&>();
      return &members.emplace_back(std::move(frame.key), std::move(v)).second;
    }
    auto& elements = frame.container->get_ref<Json::array_t&>();
    pointer_.resize(frame.pointer);
    if (v.is_structured() && pointer_.size() <= max_pointer) {
      pointer_ = child(pointer_, elements.size());
      note();
    }
    return &elements.emplace_back(std::move(v));
  }
  bool open(Json empty) {
    if (stack_.size() >= max_depth)
      return refuse("nested deeper than " + std::to_string(max_depth) + " levels",
                    "No pipeline of Tomoloom is nested so deeply");
    Json* container = value(std::move(empty));
    if (container == nullptr) return false;
    stack_.push_back({container, pointer_.size(), {}, {}});
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  Document& document_;
  const Cursor& cursor_;
  std::vector<Frame> stack_;
  std::string pointer_;
  std::size_t count_ = 0;
  Error error_;
};

}  // namespace

int64_t JsonLineNumbers::line(const std::string& pointer) const {
  for (std::string p = pointer;; p.resize(p.rfind('/'))) {
    const auto found = lines_.find(p);
    if (found != lines_.end()) return found->second;
    if (p.empty() || p.rfind('/') == std::string::npos) return 1;
  }
}

std::string JsonLineNumbers::where(const std::string& pointer) const {
  std::string path;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      if (i > 0) path += '.';
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      path += pointer[++i] == '1' ? '/' : '~';
    } else {
      path += pointer[i];
    }
  }
  if (path.size() > 200) path = path.substr(0, 200) + "...";
  return file_ + ":" + std::to_string(line(pointer)) + (path.empty() ? "" : ", " + path);
}

Result<Document> read_document(std::string_view text, const std::string& file) {
  if (text.size() > max_bytes)
    return invalid("the text has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(max_bytes),
                   file, "This is not a pipeline that Tomoloom can read");
  // The library treats NUL as the end of the text and would ignore the rest.
  if (text.find('\0') != std::string_view::npos)
    return invalid("not valid JSON: the text contains a NUL character", file + ":1", "Give a text file");
  Document document{{}, JsonLineNumbers(file)};
  Cursor cursor;
  Builder builder(document, cursor);
  const bool good =
      Json::sax_parse(CharIterator(text.data(), &cursor), CharIterator(text.data() + text.size(), &cursor), &builder);
  if (!good) return builder.error();
  return document;
}

std::string child(const std::string& pointer, std::string_view key) {
  std::string out = pointer + "/";
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string child(const std::string& pointer, std::size_t index) { return pointer + "/" + std::to_string(index); }

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string type_words(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "a list";
    case Json::value_t::string: return "a string";
    case Json::value_t::boolean: return "true or false";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return "an integer";
    case Json::value_t::number_float: return "a number";
    case Json::value_t::binary:
    case Json::value_t::discarded: break;
  }
  return "unknown";
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t longest = 60;
  if (name.size() <= longest) return "\"" + std::string(name) + "\"";
  std::size_t cut = longest;  // never inside a UTF-8 sequence
  while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;
  return "\"" + std::string(name.substr(0, cut)) + "...\"";
}

}  // namespace tl::json
