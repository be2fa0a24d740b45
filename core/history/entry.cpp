// Words, names and texts of an entry.
#include "core/history/entry.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "core/base/measured.h"
#include "core/base/text.h"

namespace tl::history {
namespace {

constexpr std::array<std::string_view, 4> kinds = {"run", "learning", "training", "export"};
constexpr std::array<std::string_view, 5> states = {"running", "done", "failed", "cancelled", "interrupted"};

std::optional<double> as_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0) return std::nullopt;
  return number;
}

std::string file_name(const File& file) {
  const std::filesystem::path path(file.path);
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

std::string_view to_string(Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }
std::string_view to_string(State state) { return states[static_cast<std::size_t>(state)]; }

std::optional<Kind> kind_of(std::string_view word) {
  const auto* const found = std::find(kinds.begin(), kinds.end(), word);
  if (found == kinds.end()) return std::nullopt;
  return static_cast<Kind>(found - kinds.begin());
}

const Value* first_found(const Entry& entry) {
  const auto found = std::find_if(entry.values.begin(), entry.values.end(), [](const Value& v) { return v.found(); });
  return found == entry.values.end() ? nullptr : &*found;
}

std::string value_text(const Value& value) {
  std::string text = value.value;
  if (const std::optional<double> number = as_number(value.value))
    text = value.uncertainty ? measured_text(*number, *value.uncertainty) : formatted("%.6g", *number);
  return value.unit.empty() ? text : text + " " + value.unit;
}

std::string time_text(double seconds_since_1970) {
  constexpr double latest = 1e11;  // year 5000
  if (!(seconds_since_1970 >= 0 && seconds_since_1970 < latest)) return "?";
  const auto seconds = static_cast<std::time_t>(seconds_since_1970);
  std::tm local = {};
  std::array<char, 32> text{};
  if (localtime_r(&seconds, &local) == nullptr) return "?";
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
  return text.data();
}

std::string name_of(const Entry& entry) {
  if (!entry.inputs.empty()) return file_name(entry.inputs.front());
  if (!entry.outputs.empty()) return file_name(entry.outputs.front());
  return entry.title.empty() ? std::string(to_string(entry.kind)) : entry.title;
}

int64_t bytes_of(const Entry& entry) {
  int64_t bytes = 0;
  for (const File& file : entry.outputs) bytes += file.bytes;
  return bytes;
}

}  // namespace tl::history
