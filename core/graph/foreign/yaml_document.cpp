// Reads YAML by the events of yaml-cpp, and writes it by its emitter.
#include "core/graph/foreign/yaml_document.h"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "core/graph/foreign/parameter_map.h"

namespace tl::foreign {
namespace {

using json::Json;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// The value of a scalar without quotes.
Json plain_value(const std::string& text) {
  if (text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return false;
  if (const auto number = number_of(text)) {
    const bool whole = text.find_first_not_of("+-0123456789") == std::string::npos && text.size() < 19;
    if (whole) return static_cast<int64_t>(std::stoll(text));
    return *number;
  }
  return text;
}

// Collects the document. Its exceptions pass through yaml-cpp, which supports that.
class DocumentBuilder final : public YAML::EventHandler {
 public:
  explicit DocumentBuilder(std::string file) : lines_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, "", anchor, nullptr); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark, "aliases are not allowed"); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (!open_.empty() && open_.back().wants_key()) return take_key(mark, value);
    // "?" has no tag and no quotes, "!" has quotes.
    if (tag == "?" || tag.empty()) return add(mark, "", anchor, plain_value(value));
    add(mark, tag == "!" ? "" : tag, anchor, tag.starts_with("!") && tag.size() > 1 ? plain_value(value) : Json(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Json::array());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Json::object());
  }
  void OnMapEnd() override { close(); }

  json::Document take() { return {std::move(root_), std::move(lines_)}; }

 private:
  struct Open {
    Json value;
    std::string tag, pointer, key;
    bool has_key = false;
    std::set<std::string> keys = {};  // keys of an object so far, for a fast search
    [[nodiscard]] bool wants_key() const { return value.is_object() && !has_key; }
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, const std::string& what) {
    throw YAML::ParserException(mark, what);
  }
  static bool is_ours(const std::string& tag) { return tag.size() > 1 && tag.front() == '!'; }

  void take_key(const YAML::Mark& mark, const std::string& key) {
    if (key.size() > json::max_key) refuse(mark, "a key is too long");
    if (!open_.back().keys.insert(key).second) refuse(mark, "the key \"" + key + "\" occurs twice");
    open_.back().key = key;
    open_.back().has_key = true;
  }

  // Where the next value goes.
  [[nodiscard]] std::string next_pointer() const {
    if (open_.empty()) return {};
    const Open& o = open_.back();
    return o.value.is_object() ? json::child(o.pointer, o.key) : json::child(o.pointer, o.value.size());
  }
  void count(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse(mark, "anchors are not allowed");
    if (++values_ > json::max_values) refuse(mark, "there are too many values");
    lines_.add(next_pointer(), mark.line + 1);
  }
  void put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& o = open_.back();
    if (o.value.is_object())
      o.value.get_ref<Json::object_t&>().emplace_back(o.key, std::move(value));
    else
      o.value.push_back(std::move(value));
    o.has_key = false;
  }
  void add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json value) {
    if (!open_.empty() && open_.back().wants_key()) refuse(mark, "a key is not a string");
    count(mark, anchor);
    put(is_ours(tag) ? Json{{tag, std::move(value)}} : std::move(value));
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json value) {
    if (!open_.empty() && open_.back().wants_key()) refuse(mark, "a key is not a string");
    if (open_.size() >= json::max_depth) refuse(mark, "it is nested too deeply");
    count(mark, anchor);
    open_.push_back({std::move(value), is_ours(tag) ? tag : "", next_pointer(), "", false});
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    put(done.tag.empty() ? std::move(done.value) : Json{{done.tag, std::move(done.value)}});
  }

  std::vector<Open> open_;
  Json root_;
  json::JsonLineNumbers lines_;
  std::size_t values_ = 0;
};

// Whether an unquoted text would be read back as something else.
bool needs_quotes(const std::string& text) {
  return !plain_value(text).is_string() || text.starts_with("!") || text.find('\n') != std::string::npos;
}

void emit(YAML::Emitter& out, const Json& value) {
  if (value.is_object()) {
    if (value.empty()) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& [key, member] : value.items()) {
      out << YAML::Key << key << YAML::Value;
      emit(out, member);
    }
    out << YAML::EndMap;
  } else if (value.is_array()) {
    if (value.empty()) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (const Json& member : value) emit(out, member);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (needs_quotes(text)) out << YAML::DoubleQuoted;
    out << text;
  } else if (value.is_boolean()) {
    out << value.get<bool>();
  } else if (value.is_null()) {
    out << YAML::Null;
  } else if (value.is_number_integer()) {
    out << value.get<int64_t>();
  } else {
    // "1e-06" is a text where YAML 1.1 is read, "1.0e-06" is a number.
    std::string text = number_text(value.get<double>());
    const auto exponent = text.find('e');
    if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
    out << text;
  }
}

}  // namespace

Result<json::Document> read_yaml(std::string_view text, const std::string& file) {
  const auto wrong = [&](const std::string& what, int line, int column) {
    return invalid("this is not YAML that can be read: " + what,
                   file + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1));
  };
  if (text.size() > json::max_bytes) return invalid("the text is too long", file);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    DocumentBuilder builder(file);
    if (!parser.HandleNextDocument(builder)) return invalid("the file is empty", file);
    json::Document document = builder.take();
    DocumentBuilder more(file);
    if (parser.HandleNextDocument(more)) return invalid("there is more than one document in the file", file);
    // Detects texts that are not UTF-8 now, as they could not be written later.
    (void)document.root.dump();
    return document;
  } catch (const YAML::Exception& e) {
    return wrong(e.msg, e.mark.line, e.mark.column);
  } catch (const Json::exception&) {
    return invalid("the text is not UTF-8", file);
  }
}

std::string yaml_text(const json::Json& value) {
  YAML::Emitter out;
  out.SetNullFormat(YAML::LowerNull);
  emit(out, value);
  return std::string(out.c_str(), out.size()) + "\n";
}

}  // namespace tl::foreign
