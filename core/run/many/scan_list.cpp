// Finds scans by their names in folders, and reads tables of scans.
#include "core/run/many/scan_list.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/text.h"
#include "core/io/scans/scan_formats.h"
#include "core/io/text/csv.h"
#include "core/io/text/frame_names.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

std::string lower_ending(const fs::path& path) { return lower_case(path.extension().string()); }

// Whether an ending belongs to a format whose scans are files; endings of single frames are excluded, as are those of
// texts, most of which describe no scan: such a scan is the folder of the text and its frames.
bool is_scan_ending(const std::string& ending) {
  constexpr std::array texts{".txt", ".log", ".xml", ".csv"};
  if (std::find(texts.begin(), texts.end(), ending) != texts.end()) return false;
  if (ending.empty() || io::is_frame_name("frame" + ending)) return false;
  const auto formats = io::scan_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const io::ScanFormat& format) {
    return (" " + std::string(format.extensions) + " ").find(" " + ending + " ") != std::string::npos;
  });
}

// The text file of a scanner whose frames may be in a folder next to it.
bool is_scanner_text(const fs::path& file) {
  constexpr std::array endings{".xtekct", ".pca", ".nsipro"};
  constexpr std::array names{"geom.csv", "unireconstruction.xml", "scanparameter.xml"};
  const std::string name = lower_case(file.filename().string());
  return std::find(endings.begin(), endings.end(), lower_ending(file)) != endings.end() ||
         std::find(names.begin(), names.end(), name) != names.end();
}

// A folder is one scan if it contains frames or the text file of a scanner.
bool is_scan_folder(const fs::path& folder) {
  if (io::has_frame_files(folder)) return true;
  const auto members = io::visible_members(folder);
  return std::any_of(members.begin(), members.end(), is_scanner_text);
}

Result<std::vector<ScanTask>> tasks_of_table(const fs::path& table) {
  TL_TRY(const std::vector<io::CsvRow> cells, io::read_csv(table));
  TL_TRY(const std::vector<ScanRow> rows, requested_rows(cells, table.string()));
  std::vector<ScanTask> tasks;
  tasks.reserve(rows.size());
  for (const ScanRow& row : rows) tasks.push_back(task_of(row, table.parent_path()));
  return tasks;
}

Result<std::vector<ScanTask>> tasks_of(const fs::path& given) {
  std::error_code failed;
  const fs::path path = fs::absolute(given, failed).lexically_normal();
  const fs::path input = path.has_filename() ? path : path.parent_path();
  if (!fs::exists(input, failed)) return io_error("the input does not exist", input.string(), "Check the path");
  if (lower_ending(input) == ".csv" && !is_scanner_text(input)) return tasks_of_table(input);
  if (!fs::is_directory(input, failed) || is_scan_folder(input)) return std::vector<ScanTask>{{{}, input, {}}};
  std::vector<ScanTask> tasks;
  for (const fs::path& member : io::visible_members(input))
    if (looks_like_scan(member)) tasks.push_back({{}, member, {}});
  if (tasks.empty())
    return invalid("nothing in the folder looks like a scan", input.string(),
                   "A scan is a file such as NAME.nx or NAME.h5, or a folder with TIFF or EDF frames");
  return tasks;
}

}  // namespace

ScanTask task_of(const ScanRow& row, const fs::path& folder) {
  std::error_code failed;
  const fs::path pipeline = row.pipeline.empty() ? fs::path() : (folder / row.pipeline).lexically_normal();
  const bool is_file = !row.pipeline.empty() && (pipeline == row.pipeline || fs::exists(pipeline, failed));
  return {row.name, (folder / row.scan).lexically_normal(), row.settings, is_file ? pipeline.string() : row.pipeline};
}

bool looks_like_scan(const fs::path& path) {
  std::error_code failed;
  if (path.filename().string().starts_with(".")) return false;
  if (fs::is_directory(path, failed)) return is_scan_folder(path);
  return fs::is_regular_file(path, failed) && is_scan_ending(lower_ending(path));
}

Result<std::vector<ScanTask>> scan_list(const std::vector<fs::path>& inputs) {
  std::vector<ScanTask> all;
  for (const fs::path& input : inputs) {
    TL_TRY(std::vector<ScanTask> tasks, tasks_of(input));
    std::move(tasks.begin(), tasks.end(), std::back_inserter(all));
  }
  std::set<std::string> taken;
  for (ScanTask& task : all) {
    const std::string of_scan = task.scan.stem().string().empty() ? std::string("scan") : task.scan.stem().string();
    const std::string stem = task.name.empty() ? of_scan : task.name;
    task.name = stem;
    for (int copy = 2; !taken.insert(task.name).second; ++copy) task.name = stem + "-" + std::to_string(copy);
  }
  return all;
}

}  // namespace tl
