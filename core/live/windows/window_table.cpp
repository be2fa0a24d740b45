// Writes the windows of a stream as a table of scans that a run over many takes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "core/io/hdf5/file.h"
#include "core/io/output/output_file.h"
#include "core/io/reader/source_files.h"
#include "core/io/text/csv.h"
#include "core/live/windows/window_run.h"
#include "core/stream/record_file.h"

namespace tl {
namespace {

// The index of each view of a record, by the number of its frame.
Result<std::map<int64_t, int64_t>> views_of_record(const std::filesystem::path& record) {
  TL_TRY(const io::Hdf5File file,
         io::Hdf5File::open(record, std::make_shared<io::SourceFiles>(record, io::OutsideLinks::refuse)));
  TL_TRY(const io::Hdf5Dataset key_set, file.dataset(stream::record::image_keys));
  TL_TRY(const io::Hdf5Dataset number_set, file.dataset(stream::record::frame_numbers));
  TL_TRY(const std::vector<double> keys, key_set.read_all());
  TL_TRY(const std::vector<double> numbers, number_set.read_all());
  std::map<int64_t, int64_t> views;
  int64_t count = 0;
  for (std::size_t i = 0; i < std::min(keys.size(), numbers.size()); ++i)
    if (keys[i] == 0) views[static_cast<int64_t>(numbers[i])] = count++;
  return views;
}

std::string number_text(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

Result<std::filesystem::path> write_window_table(const std::filesystem::path& record, const std::string& load_node,
                                                 const std::vector<ComputedWindow>& windows,
                                                 const io::OutputRules& rules) {
  const std::filesystem::path table = std::filesystem::path(record).replace_extension(".windows.csv");
  TL_TRY(const auto views, views_of_record(record));
  std::set<std::string> measured;
  for (const ComputedWindow& window : windows)
    for (const auto& [name, value] : window.found) measured.insert(name);
  io::CsvRow columns = {"scan", load_node + ".first_view", load_node + ".last_view", load_node + ".exclude", "#time",
                        "#lost"};
  for (const std::string& name : measured) columns.push_back("#" + name);
  std::string text = io::csv_line(columns);
  for (const ComputedWindow& window : windows) {
    std::vector<int64_t> used;
    for (const int64_t number : window.views)
      if (const auto found = views.find(number); found != views.end()) used.push_back(found->second);
    if (used.empty() || used.size() < window.views.size()) continue;
    // Views that arrived after the window was computed.
    std::string left_out;
    for (int64_t view = used.front(); view <= used.back(); ++view)
      if (!std::binary_search(used.begin(), used.end(), view))
        left_out += (left_out.empty() ? "" : ", ") + std::to_string(view);
    io::CsvRow fields = {record.filename().string(),       std::to_string(used.front()),
                         std::to_string(used.back()),      left_out,
                         number_text("%.3f", window.time), std::to_string(window.lost)};
    for (const std::string& name : measured) {
      const auto value = window.found.find(name);
      fields.push_back(value == window.found.end() ? std::string() : number_text("%.9g", value->second));
    }
    text += io::csv_line(fields);
  }
  TL_TRY(io::write_text(table, text, rules));
  return table;
}

}  // namespace tl
