// Bounds, JSON and text of histories.
#include "core/net/history.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace tl::net {
namespace {

using HistoryJson = nlohmann::ordered_json;
constexpr double largest_whole = 0x1p53;

// Not within a character of UTF-8.
std::string cut(std::string text) {
  if (text.size() <= longest_history_text) return text;
  std::size_t end = longest_history_text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text;
}

template <class Value>
void bound(std::map<std::string, Value>& values) {
  std::map<std::string, Value> bounded;
  for (auto& [name, value] : values)
    if (bounded.size() < max_of_each) bounded.emplace(cut(name), std::move(value));
  values = std::move(bounded);
}

void bound(std::vector<std::string>& names) {
  if (names.size() > max_of_each) names.resize(max_of_each);
  for (std::string& name : names) name = cut(std::move(name));
}

HistoryJson number_json(double value) {
  if (!std::isfinite(value)) return {};
  if (value == std::floor(value) && std::abs(value) < largest_whole) return static_cast<int64_t>(value);
  return value;
}

HistoryJson json_of(const HistoryEntry& e) {
  HistoryJson json{{"kind", e.kind}};
  if (!e.program.empty()) json["program"] = e.program;
  if (!e.settings.empty()) json["settings"] = e.settings;
  for (const auto& [name, value] : e.results) json["results"][name] = number_json(value);
  for (const auto& [name, value] : e.f1) json["f1"].push_back({name, number_json(value)});
  if (!e.training_data.empty()) json["training_data"] = e.training_data;
  if (!e.validation_data.empty()) json["validation_data"] = e.validation_data;
  return json;
}

struct HistoryReader {
  const std::string& where;

  [[nodiscard]] Error wrong(const std::string& what) const {
    return invalid("the network's history is damaged: " + what, where,
                   "Copy the file again, or train the network again");
  }
  [[nodiscard]] Result<std::string> text(const HistoryJson& json, const std::string& what) const {
    if (!json.is_string() || json.get_ref<const std::string&>().size() > longest_history_text)
      return wrong(what + " is not a string, or too long");
    return json.get<std::string>();
  }
  [[nodiscard]] Result<double> number(const HistoryJson& json, const std::string& what) const {
    if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!json.is_number() || !std::isfinite(json.get<double>())) return wrong(what + " is not a number");
    return json.get<double>();
  }
  [[nodiscard]] Result<void> check_size(const HistoryJson& json, bool right_kind, const std::string& what) const {
    if (!right_kind) return wrong(what + " is of another type");
    if (json.size() > max_of_each) return wrong(what + " has more than " + std::to_string(max_of_each) + " elements");
    return ok();
  }
  [[nodiscard]] Result<std::vector<std::string>> names(const HistoryJson& json, const std::string& what) const {
    TL_TRY(check_size(json, json.is_array(), what));
    std::vector<std::string> all;
    for (const HistoryJson& name : json) {
      TL_TRY(std::string one, text(name, what));
      all.push_back(std::move(one));
    }
    return all;
  }

  [[nodiscard]] Result<HistoryEntry> entry(const HistoryJson& json) const {
    if (!json.is_object() || !json.contains("kind")) return wrong("an entry has no kind");
    HistoryEntry e;
    for (const auto& [key, value] : json.items()) {
      if (key == "kind") {
        TL_TRY(e.kind, text(value, key));
      } else if (key == "program") {
        TL_TRY(e.program, text(value, key));
      } else if (key == "settings" || key == "results") {
        TL_TRY(check_size(value, value.is_object(), key));
        for (const auto& [name, one] : value.items()) {
          if (name.size() > longest_history_text) return wrong("a name in " + key + " is too long");
          if (key == "settings") {
            TL_TRY(e.settings[name], text(one, key));
          } else {
            TL_TRY(e.results[name], number(one, key));
          }
        }
      } else if (key == "f1") {
        TL_TRY(check_size(value, value.is_array(), key));
        for (const HistoryJson& one : value) {
          if (!one.is_array() || one.size() != 2) return wrong("f1 has no class and number");
          TL_TRY(std::string name, text(one[0], key));
          TL_TRY(const double f1, number(one[1], key));
          e.f1.emplace_back(std::move(name), f1);
        }
      } else if (key == "training_data") {
        TL_TRY(e.training_data, names(value, key));
      } else if (key == "validation_data") {
        TL_TRY(e.validation_data, names(value, key));
      }
    }
    return e;
  }
};

std::string short_text(double value) { return std::isfinite(value) ? formatted("%.6g", value) : "not known"; }

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t max_shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), max_shown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > max_shown) text += ", ...";
  return text;
}

}  // namespace

void add_to(History& history, HistoryEntry entry) {
  entry.kind = cut(std::move(entry.kind));
  entry.program = cut(std::move(entry.program));
  bound(entry.settings);
  for (auto& [name, value] : entry.settings) value = cut(std::move(value));
  bound(entry.results);
  if (entry.f1.size() > max_of_each) entry.f1.resize(max_of_each);
  for (auto& [name, value] : entry.f1) name = cut(std::move(name));
  bound(entry.training_data);
  bound(entry.validation_data);
  history.push_back(std::move(entry));
  if (history.size() > max_entries) history.erase(history.begin());
}

std::string without_folders(std::string_view name) {
  // Text after the name of the file: a node or dataset, or the part of the volume.
  const std::size_t end = std::min({name.find(": "), name.find(":/"), name.find(" ("), name.size()});
  std::filesystem::path file(name.substr(0, end));
  if (!file.has_filename()) file = file.parent_path();  // a folder name with a trailing slash
  return file.filename().string() + std::string(name.substr(end));
}

std::string to_json_text(const History& history) {
  HistoryJson json = HistoryJson::array();
  for (const HistoryEntry& e : history) json.push_back(json_of(e));
  return json.dump(-1, ' ', false, HistoryJson::error_handler_t::replace);
}

Result<History> history_from_json(std::string_view text, const std::string& where) {
  constexpr int deepest = 8;
  const HistoryReader reader{where};
  const HistoryJson json = HistoryJson::parse(
      text, [](int depth, HistoryJson::parse_event_t, HistoryJson&) { return depth <= deepest; }, false);
  if (!json.is_array()) return reader.wrong("it is not a list");
  if (json.size() > max_entries) return reader.wrong("it has more than " + std::to_string(max_entries) + " entries");
  History history;
  for (const HistoryJson& one : json) {
    TL_TRY(HistoryEntry e, reader.entry(one));
    history.push_back(std::move(e));
  }
  return history;
}

std::vector<std::string> lines_of(const HistoryEntry& e) {
  std::vector<std::string> lines{e.kind + (e.program.empty() ? "" : " (Tomoloom " + e.program + ")")};
  const auto add = [&](const std::string& title, const std::string& text) {
    if (!text.empty()) lines.push_back("  " + title + " " + text);
  };
  std::string text;
  for (const auto& [name, value] : e.results) text += (text.empty() ? "" : ", ") + name + " " + short_text(value);
  add("gave", text);
  text.clear();
  for (const auto& [name, value] : e.f1) text += (text.empty() ? "" : ", ") + name + " " + short_text(value);
  add("F1 of", text);
  text.clear();
  for (const auto& [name, value] : e.settings) text += (text.empty() ? "" : ", ") + name + " " + value;
  add("with", text);
  add("learned from", listed(e.training_data));
  add("validated by", listed(e.validation_data));
  return lines;
}

}  // namespace tl::net
