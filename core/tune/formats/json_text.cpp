// Parses the JSON of spaces: checks limits and duplicate keys; lines are found by a second pass when an error needs
// one.
#include "core/tune/formats/json_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tl::tune {
namespace {

constexpr std::size_t max_depth = 32;
constexpr std::size_t max_bytes = std::size_t{256} << 20;

// Feeds the text to the parser and counts what it has read, since the library's events carry no position.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++*count_;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

struct Position {
  std::size_t line = 1, column = 1;
};
Position position_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t last = before.rfind('\n');
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          1 + before.size() - (last == std::string_view::npos ? 0 : last + 1)};
}

// NOLINTBEGIN(readability-identifier-naming): the names that the library calls
class Builder {
 public:
  explicit Builder(Json& root) : root_(root) {}

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
    if (!stack_.back().keys.insert(name).second)
      return refuse("the key \"" + name.substr(0, 60) + "\" occurs twice in one object", "Remove one");
    stack_.back().key = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) {
    is_syntax_ = true;
    return refuse("not valid JSON" + (token.empty() ? "" : " near \"" + token.substr(0, 40) + "\""),
                  "Correct the text there; NaN and infinity are not JSON");
  }

  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }
  [[nodiscard]] bool is_syntax() const { return is_syntax_; }

 private:
  struct Frame {
    Json* container;
    std::string key;
    std::unordered_set<std::string> keys;
  };
  bool refuse(std::string what, std::string hint) {
    what_ = std::move(what);
    hint_ = std::move(hint);
    return false;
  }
  Json* value(Json v) {
    if (stack_.empty()) {
      root_ = std::move(v);
      return &root_;
    }
    Frame& frame = stack_.back();
    if (frame.container->is_object()) {
      // Into the underlying vector: the map's own insertion would search all keys each time.
      Json::object_t::Container& members = frame.container->get_ref<Json::object_t&>();
      return &members.emplace_back(std::move(frame.key), std::move(v)).second;
    }
    return &frame.container->get_ref<Json::array_t&>().emplace_back(std::move(v));
  }
  bool open(Json empty) {
    if (stack_.size() >= max_depth)
      return refuse("nested deeper than " + std::to_string(max_depth) + " levels", "No space is nested so deeply");
    Json* const container = value(std::move(empty));
    stack_.push_back({container, {}, {}});
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Frame> stack_;
  std::string what_, hint_;
  bool is_syntax_ = false;
};

// Stops where a pointer's value, or the last part of it that there is, has been read.
class Finder {
 public:
  Finder(std::string pointer, const std::size_t& read) : wanted_(std::move(pointer)), read_(read) {}
  bool null() { return leaf(); }
  bool boolean(bool) { return leaf(); }
  bool number_integer(Json::number_integer_t) { return leaf(); }
  bool number_unsigned(Json::number_unsigned_t) { return leaf(); }
  bool number_float(Json::number_float_t, const std::string&) { return leaf(); }
  bool string(std::string&) { return leaf(); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(false); }
  bool start_array(std::size_t) { return open(true); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    path_.resize(stack_.back().length);
    path_ = json::child(path_, name);
    return note();
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }
  [[nodiscard]] std::size_t byte() const { return byte_; }

 private:
  struct Frame {
    std::size_t length;
    bool is_array;
    std::size_t next = 0;
  };
  // False once the value itself is reached.
  bool note() {
    const bool above = wanted_.compare(0, path_.size(), path_) == 0 &&
                       (wanted_.size() == path_.size() || wanted_[path_.size()] == '/');
    if (above && path_.size() >= best_) {
      best_ = path_.size();
      byte_ = read_;
    }
    return !(above && wanted_.size() == path_.size() && !wanted_.empty());
  }
  bool element() {
    if (stack_.empty() || !stack_.back().is_array) return true;
    path_.resize(stack_.back().length);
    path_ = json::child(path_, stack_.back().next++);
    return note();
  }
  bool leaf() { return element(); }
  bool open(bool is_array) {
    if (!element()) return false;
    stack_.push_back({path_.size(), is_array});
    return true;
  }
  bool close() {
    path_.resize(stack_.back().length);
    stack_.pop_back();
    return true;
  }
  std::string wanted_, path_;
  const std::size_t& read_;
  std::vector<Frame> stack_;
  std::size_t best_ = 0, byte_ = 0;
};
// NOLINTEND(readability-identifier-naming)

template <class Handler>
bool walk(std::string_view text, Handler& handler, std::size_t& read) {
  return Json::sax_parse(CountingIterator(text.data(), &read), CountingIterator(text.data() + text.size(), &read),
                         &handler);
}

// The text with what an open cache lacks: no comma at its end, both objects closed.
std::string closed(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  std::string out(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
  if (!out.empty() && out.back() == ',') out.pop_back();
  return out + "\n}}";
}

}  // namespace

Result<JsonText> JsonText::parse(std::string text, std::string file, Ending ending) {
  if (text.size() > max_bytes)
    return invalid("the text has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(max_bytes),
                   file, "Give a smaller space");
  if (text.find('\0') != std::string::npos) return invalid("not a text: it has a byte 0", file, "Give a text file");
  JsonText parsed;
  parsed.file_ = std::move(file);
  std::size_t read = 0;
  Builder builder(parsed.root_);
  if (!walk(text, builder, read)) {
    // Only what ends too early can be an open cache.
    if (ending == Ending::may_be_open && builder.is_syntax() && read >= text.find_last_not_of(" \t\r\n")) {
      if (auto reopened = parse(closed(text), parsed.file_, Ending::closed); reopened.ok()) return reopened;
    }
    const Position at = position_of(text, read > 0 ? read - 1 : 0);
    return invalid(builder.what(), parsed.file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column),
                   builder.hint());
  }
  parsed.text_ = std::move(text);
  return parsed;
}

std::string JsonText::where(const std::string& pointer) const {
  std::size_t read = 0;
  Finder finder(pointer, read);
  walk(text_, finder, read);
  std::string path;
  for (std::size_t i = 1; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      path += '.';
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      path += pointer[++i] == '1' ? '/' : '~';
    } else {
      path += pointer[i];
    }
  }
  const std::size_t byte = finder.byte();
  return file_ + ":" + std::to_string(position_of(text_, byte > 0 ? byte - 1 : 0).line) +
         (path.empty() ? "" : ", " + path.substr(0, 200));
}

Error JsonText::bad(std::string what, const std::string& pointer, std::string hint) const {
  return invalid(std::move(what), where(pointer), std::move(hint));
}

Result<const Json*> member(const JsonText& text, const Json& holder, const std::string& pointer, const char* key) {
  if (!holder.is_object()) return text.bad("not an object", pointer, "Give one");
  const auto found = holder.find(key);
  if (found == holder.end())
    return text.bad("the key \"" + std::string(key) + "\" is missing", pointer, "Add it, or give another file");
  return &*found;
}

Result<std::string> text_member(const JsonText& text, const Json& holder, const std::string& pointer, const char* key) {
  TL_TRY(const Json* const found, member(text, holder, pointer, key));
  if (!found->is_string()) return text.bad("not a text", json::child(pointer, key), "Give one in quotes");
  return found->get<std::string>();
}

Result<double> number_at(const JsonText& text, const Json& value, const std::string& pointer) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    return text.bad("not a number", pointer, "Give a finite number");
  return value.get<double>();
}

Result<std::vector<double>> numbers_at(const JsonText& text, const Json& value, const std::string& pointer) {
  if (!value.is_array()) return text.bad("not a list", pointer, "Give a list of numbers");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < value.size(); ++i) {
    TL_TRY(const double number, number_at(text, value[i], json::child(pointer, i)));
    numbers.push_back(number);
  }
  return numbers;
}

Result<ParameterValue> value_at(const JsonText& text, const Json& value, const std::string& pointer) {
  if (value.is_boolean()) return ParameterValue(value.get<bool>());
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    return text.bad("the number is too large", pointer, "Give one below 2^63");
  if (value.is_number_integer()) return ParameterValue(value.get<int64_t>());
  if (value.is_number()) {
    TL_TRY(const double number, number_at(text, value, pointer));
    return ParameterValue(number);
  }
  if (value.is_string()) return ParameterValue(value.get<std::string>());
  return text.bad("not a number, a text, true or false", pointer, "A parameter's values are these");
}

Json json_of(const ParameterValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

}  // namespace tl::tune
