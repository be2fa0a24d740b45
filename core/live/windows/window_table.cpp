// Writes the windows of a stream as a table of scans, the input of a run over many scans.
#include "core/live/windows/window_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/text.h"
#include "core/io/hdf5/file.h"
#include "core/io/hdf5/nxtomo_file.h"
#include "core/io/output/output_file.h"
#include "core/io/reader/source_files.h"
#include "core/io/text/csv.h"
#include "core/stream/record_file.h"

namespace tl {
namespace {

struct RecordedView {
  int64_t index = 0;  // index among the views of the record
  double angle = 0;   // [deg], NaN: not recorded
  double arrival = 0;
};

// A number next to the scan.
struct RecordedLog {
  std::string column;  // "temperature [K]"
  std::vector<double> times, values;

  // The mean between two times; if there is no value in between, the last one before. Empty: nothing was measured until
  // then.
  [[nodiscard]] std::string mean(double from, double to) const;
};

// Metadata of a record that are needed here, without pixels.
struct RecordedFacts {
  std::map<int64_t, RecordedView> views;  // by frame number
  std::vector<RecordedLog> logs;
};

std::string RecordedLog::mean(double from, double to) const {
  double sum = 0, last = 0, last_time = -std::numeric_limits<double>::infinity();
  int64_t count = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] > to) continue;
    if (times[i] >= last_time) {
      last_time = times[i];
      last = values[i];
    }
    if (times[i] < from) continue;
    sum += values[i];
    ++count;
  }
  if (!std::isfinite(last_time)) return {};
  return formatted("%.9g", count > 0 ? sum / static_cast<double>(count) : last);
}

Result<std::vector<double>> all_of(const io::Hdf5File& file, const std::string& name) {
  TL_TRY(const io::Hdf5Dataset set, file.dataset(name));
  return set.read_all();
}

Result<RecordedFacts> facts_of(const std::filesystem::path& record) {
  TL_TRY(const io::Hdf5File file,
         io::Hdf5File::open(record, std::make_shared<io::SourceFiles>(record, io::OutsideLinks::refuse)));
  TL_TRY(const std::vector<double> keys, all_of(file, stream::record::image_keys));
  TL_TRY(const std::vector<double> numbers, all_of(file, stream::record::frame_numbers));
  TL_TRY(const std::vector<double> arrivals, all_of(file, stream::record::arrival_times));
  std::vector<double> angles;  // not written if a view has no angle
  if (file.has_dataset(io::nxtomo_angles)) {
    TL_TRY(angles, all_of(file, io::nxtomo_angles));
  }
  angles.resize(keys.size(), std::numeric_limits<double>::quiet_NaN());
  RecordedFacts facts;
  int64_t count = 0;
  for (std::size_t i = 0; i < std::min({keys.size(), numbers.size(), arrivals.size()}); ++i)
    if (keys[i] == 0) facts.views[static_cast<int64_t>(numbers[i])] = {count++, angles[i], arrivals[i]};
  const std::string logs = "/entry/logs";
  for (const std::string& name : file.has(logs) ? file.children(logs) : std::vector<std::string>()) {
    const std::string log = logs + "/" + name;
    RecordedLog one{name, {}, {}};
    TL_TRY(one.times, all_of(file, log + "/time"));
    TL_TRY(one.values, all_of(file, log + "/value"));
    one.values.resize(one.times.size());
    const std::string unit = file.attribute(log + "/value", "units").value_or("");
    if (!unit.empty()) one.column += " [" + unit + "]";
    facts.logs.push_back(std::move(one));
  }
  return facts;
}

// The views of the window in the record; empty if some are missing.
std::vector<RecordedView> views_in(const RecordedFacts& facts, const ComputedWindow& window) {
  std::vector<RecordedView> used;
  for (const int64_t number : window.views)
    if (const auto found = facts.views.find(number); found != facts.views.end()) used.push_back(found->second);
  if (used.size() < window.views.size()) used.clear();
  return used;
}

// Description of views that arrived after the window was computed.
std::string left_out(const std::vector<RecordedView>& used) {
  std::string text;
  for (std::size_t i = 1; i < used.size(); ++i)
    for (int64_t view = used[i - 1].index + 1; view < used[i].index; ++view)
      text += (text.empty() ? "" : ", ") + std::to_string(view);
  return text;
}

void add_names(std::set<std::string>& names, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) names.insert(name);
}

void add_fields(io::CsvRow& row, const std::set<std::string>& names, const std::map<std::string, std::string>& values) {
  for (const std::string& name : names) {
    const auto value = values.find(name);
    row.push_back(value == values.end() ? std::string() : value->second);
  }
}

}  // namespace

Result<std::filesystem::path> write_window_table(const std::filesystem::path& record, const std::string& load_node,
                                                 const std::vector<ComputedWindow>& windows,
                                                 const io::OutputRules& rules) {
  const std::filesystem::path table = std::filesystem::path(record).replace_extension(".windows.csv");
  TL_TRY(const RecordedFacts facts, facts_of(record));
  std::set<std::string> settings, found;
  for (const ComputedWindow& window : windows) {
    add_names(settings, window.settings);
    add_names(found, window.found);
  }
  io::CsvRow columns = {"scan", load_node + ".first_view", load_node + ".last_view", load_node + ".exclude"};
  columns.insert(columns.end(), settings.begin(), settings.end());
  columns.insert(columns.end(), {"#time", "#angle [deg]", "#lost"});
  for (const std::string& name : found) columns.push_back("#" + name);
  for (const RecordedLog& log : facts.logs) columns.push_back("#" + log.column);
  std::string text = io::csv_line(columns);
  for (const ComputedWindow& window : windows) {
    const std::vector<RecordedView> used = views_in(facts, window);
    if (used.empty()) continue;
    io::CsvRow fields = {record.filename().string(), std::to_string(used.front().index),
                         std::to_string(used.back().index), left_out(used)};
    add_fields(fields, settings, window.settings);
    const double angle = used.back().angle;
    fields.insert(fields.end(),
                  {formatted("%.3f", window.time), std::isfinite(angle) ? formatted("%.9g", angle) : std::string(),
                   std::to_string(window.lost)});
    add_fields(fields, found, window.found);
    const auto [first, last] = std::minmax_element(
        used.begin(), used.end(), [](const RecordedView& a, const RecordedView& b) { return a.arrival < b.arrival; });
    for (const RecordedLog& log : facts.logs) fields.push_back(log.mean(first->arrival, last->arrival));
    text += io::csv_line(fields);
  }
  TL_TRY(io::write_text(table, text, rules));
  return table;
}

}  // namespace tl
