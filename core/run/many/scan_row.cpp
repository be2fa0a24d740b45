// Writes and reads rows of scans as CSV.
#include "core/run/many/scan_row.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> first_columns = {"name", "scan"}, state_columns = {"state", "seconds"};
constexpr std::array<const char*, 3> last_columns = {"files", "error", "key"};
constexpr const char* pipeline_column = "pipeline";
constexpr char between_files = ';';

std::optional<ScanState> state_of(std::string_view text) {
  for (const ScanState state :
       {ScanState::waiting, ScanState::running, ScanState::done, ScanState::failed, ScanState::paused, ScanState::sent})
    if (to_string(state) == text) return state;
  return std::nullopt;
}

// "a.tif;b.tif". Separators and backslashes within a name are escaped by a backslash.
std::string joined_files(const std::vector<std::string>& files) {
  std::string all;
  for (const std::string& file : files) {
    if (!all.empty()) all += between_files;
    for (const char c : file) {
      if (c == between_files || c == '\\') all += '\\';
      all += c;
    }
  }
  return all;
}

// A backslash before any other character is literal.
std::vector<std::string> split_files(const std::string& text) {
  std::vector<std::string> files;
  if (text.empty()) return files;
  files.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '\\' && (next == between_files || next == '\\'))
      files.back() += text[++i];
    else if (text[i] == between_files)
      files.emplace_back();
    else
      files.back() += text[i];
  }
  return files;
}

bool is_utf8(const std::string& text) {
  using Handler = nlohmann::json::error_handler_t;
  const nlohmann::json value = text;
  return value.dump(-1, ' ', false, Handler::ignore) == value.dump(-1, ' ', false, Handler::replace);
}

// File names may contain any bytes, but the table is UTF-8, as spreadsheets and other programs expect: in a field that
// is not UTF-8, non-ASCII bytes become \xe9, and a backslash becomes two.
std::string as_utf8(const std::string& field) {
  const bool is_text = is_utf8(field);
  std::string text;
  for (const char c : field) {
    text += c == '\\'                                           ? "\\\\"
            : !is_text && static_cast<unsigned char>(c) >= 0x80 ? formatted("\\x%02x", static_cast<unsigned char>(c))
                                                                : std::string(1, c);
  }
  return text;
}

// The inverse: bytes from escaped text. A backslash that starts no escape is literal.
std::string from_utf8(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\\\\")) {
      ++i;
    } else if (rest.size() >= 4 && rest.starts_with("\\x") && std::strchr(digits, rest[2]) != nullptr &&
               std::strchr(digits, rest[3]) != nullptr) {
      bytes += static_cast<char>(std::strtoul(std::string(rest.substr(2, 2)).c_str(), nullptr, 16));
      i += 3;
      continue;
    }
    bytes += text[i];
  }
  return bytes;
}

// Positions of the columns in a table that csv_of() wrote: requested settings in [2, state), found values in [state +
// 2, files).
struct ResultColumns {
  std::size_t state = 0, files = 0;
};

std::optional<ResultColumns> result_columns(const io::CsvRow& header) {
  constexpr std::size_t fixed = first_columns.size() + state_columns.size() + last_columns.size();
  if (header.size() < fixed) return std::nullopt;
  const auto has = [&header](const auto& names, std::size_t at) {
    return std::equal(names.begin(), names.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const std::size_t files = header.size() - last_columns.size();
  if (!has(first_columns, 0) || !has(last_columns, files)) return std::nullopt;
  for (std::size_t state = first_columns.size(); state + state_columns.size() <= files; ++state)
    if (has(state_columns, state)) return ResultColumns{state, files};
  return std::nullopt;
}

// "fbp.cutoff", in the order in which they first appear.
std::vector<std::string> changed_parameters(const std::vector<ScanRow>& rows) {
  std::vector<std::string> all;
  for (const ScanRow& row : rows)
    for (const std::string& setting : row.settings)
      if (const std::string name = split_setting(setting).first; std::find(all.begin(), all.end(), name) == all.end())
        all.push_back(name);
  return all;
}

// Adds a cell next to `scan`; an empty cell has no effect, and columns whose name begins with # are for people.
void add_asked(ScanRow& row, const std::string& column, const std::string& cell) {
  if (cell.empty() || column.starts_with('#')) return;
  if (column == pipeline_column)
    row.pipeline = cell;
  else
    row.settings.push_back(column + "=" + cell);
}

}  // namespace

std::string_view to_string(ScanState state) {
  switch (state) {
    case ScanState::waiting: return "waiting";
    case ScanState::running: return "running";
    case ScanState::done: return "done";
    case ScanState::paused: return "paused";
    case ScanState::sent: return "sent";
    case ScanState::failed: break;
  }
  return "failed";
}

std::pair<std::string, std::string> split_setting(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) return {setting, {}};
  return {setting.substr(0, equals), setting.substr(equals + 1)};
}

std::string csv_of(const std::vector<ScanRow>& rows) {
  std::set<std::string> found;
  for (const ScanRow& row : rows)
    for (const auto& [name, value] : row.found) found.insert(name);
  const bool has_pipelines =
      std::any_of(rows.begin(), rows.end(), [](const ScanRow& r) { return !r.pipeline.empty(); });
  const std::vector<std::string> parameters = changed_parameters(rows);
  io::CsvRow columns(first_columns.begin(), first_columns.end());
  if (has_pipelines) columns.emplace_back(pipeline_column);
  columns.insert(columns.end(), parameters.begin(), parameters.end());
  columns.insert(columns.end(), state_columns.begin(), state_columns.end());
  columns.insert(columns.end(), found.begin(), found.end());
  columns.insert(columns.end(), last_columns.begin(), last_columns.end());
  std::transform(columns.begin(), columns.end(), columns.begin(), as_utf8);
  std::string text = io::csv_line(columns);
  for (const ScanRow& row : rows) {
    io::CsvRow fields = {row.name, row.scan.string()};
    if (has_pipelines) fields.push_back(row.pipeline);
    std::map<std::string, std::string> changed;
    for (const std::string& setting : row.settings) changed.insert_or_assign(split_setting(setting).first, setting);
    for (const std::string& name : parameters) {
      const auto set = changed.find(name);
      fields.push_back(set == changed.end() ? std::string() : split_setting(set->second).second);
    }
    fields.insert(fields.end(), {std::string(to_string(row.state)), formatted("%.2f", row.seconds)});
    for (const std::string& name : found) {
      const auto value = row.found.find(name);
      fields.push_back(value == row.found.end() ? std::string() : value->second);
    }
    for (const std::string& last : {joined_files(row.files), row.error, row.key}) fields.push_back(last);
    std::transform(fields.begin(), fields.end(), fields.begin(), as_utf8);
    text += io::csv_line(fields);
  }
  return text;
}

std::optional<std::vector<ScanRow>> result_rows(const std::vector<io::CsvRow>& table) {
  if (table.empty()) return std::nullopt;
  io::CsvRow columns = table.front();
  std::transform(columns.begin(), columns.end(), columns.begin(), from_utf8);
  const auto at = result_columns(columns);
  if (!at) return std::nullopt;
  std::vector<ScanRow> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    io::CsvRow fields = table[i];
    if (fields.size() != columns.size()) return std::nullopt;
    std::transform(fields.begin(), fields.end(), fields.begin(), from_utf8);
    const auto state = state_of(fields[at->state]);
    if (!state || fields[0].empty()) return std::nullopt;
    ScanRow row{fields[0], fields[1], *state, std::strtod(fields[at->state + 1].c_str(), nullptr), {}, {}, {}, {}};
    for (std::size_t c = first_columns.size(); c < at->state; ++c) add_asked(row, columns[c], fields[c]);
    for (std::size_t c = at->state + state_columns.size(); c < at->files; ++c)
      if (!fields[c].empty()) row.found[columns[c]] = fields[c];
    row.files = split_files(fields[at->files]);
    row.error = fields[at->files + 1];
    row.key = fields[at->files + 2];
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<ScanRow>> requested_rows(const std::vector<io::CsvRow>& table, const std::string& where) {
  std::vector<ScanRow> rows;
  if (auto results = result_rows(table)) {
    for (const ScanRow& row : *results)
      rows.push_back({row.name, row.scan, ScanState::waiting, 0, {}, {}, {}, {}, row.pipeline, row.settings});
  } else {
    const io::CsvRow columns = table.empty() ? io::CsvRow() : table.front();
    const auto scan_at = std::find(columns.begin(), columns.end(), "scan") - columns.begin();
    const auto scan = static_cast<std::size_t>(scan_at);
    if (scan == columns.size())
      return invalid("a table of scans has a column that is called scan", where,
                     "Its first line is, for example: scan,fbp.cutoff");
    for (std::size_t i = 1; i < table.size(); ++i) {
      const io::CsvRow& fields = table[i];
      const std::string at = where + ", row " + std::to_string(i + 1);
      if (fields.size() > columns.size())
        return invalid("the row has more fields than the table has columns", at, "Put fields with commas in quotes");
      if (fields.size() <= scan || fields[scan].empty()) return invalid("the row names no scan", at);
      ScanRow row{{}, fields[scan], ScanState::waiting, 0, {}, {}, {}, {}};
      for (std::size_t c = 0; c < fields.size(); ++c) {
        if (columns[c] == first_columns[0])
          row.name = fields[c];
        else if (c != scan)
          add_asked(row, columns[c], fields[c]);
      }
      if (row.name.find('/') != std::string::npos || row.name.starts_with("."))
        return invalid("the name is used for a folder of results: it must not contain a slash or begin with a point",
                       at);
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return invalid("the table lists no scan", where);
  return rows;
}

}  // namespace tl
