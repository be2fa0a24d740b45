// ScanTable: what became of each scan of a run over many, kept as the file scans.csv in the folder of their results.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/output/output_rules.h"

namespace tl {

// running: started and not finished; in a table that no process has locked: interrupted.
enum class ScanState { waiting, running, done, failed };
std::string_view to_string(ScanState state);

struct ScanRow {
  std::string name;            // of the task, and of the folder of its results
  std::filesystem::path scan;  // absolute
  ScanState state = ScanState::waiting;
  double seconds = 0;
  std::map<std::string, std::string> found;  // "axis.axis [px]" -> "-23.6"; also "... sigma" and "... verdict"
  std::vector<std::string> files;            // written, relative to the table's folder
  std::string error;                         // why it failed
  // SETTINGS-INPUTS, hashes of pipeline, settings and version, and of the input files: a run with another key is
  // another run, and with other inputs another scan.
  std::string key;
};

// The file is a table for people and spreadsheets, in UTF-8 (bytes of names that are not stand as \xe9): a row for each
// scan, a column for each value found. It is rewritten as a whole after every change, so that a killed program
// leaves the old one or the new one.
class ScanTable {
 public:
  // The table of a folder, which is made where there is none; empty where there is no file yet. Locks the folder
  // against other runs until the table is destroyed. Errors: io (another run uses the folder, with its process and
  // host; the folder cannot be made), invalid (there is a scans.csv that no run wrote, or it is one of `inputs`, which
  // no output may replace).
  static Result<ScanTable> open(const std::filesystem::path& folder, const io::ProtectedFiles& inputs);
  ScanTable(ScanTable&&) noexcept = default;
  ScanTable& operator=(ScanTable&&) = delete;
  ~ScanTable();

  [[nodiscard]] const std::vector<ScanRow>& rows() const { return rows_; }
  [[nodiscard]] const ScanRow* find(const std::string& name) const;
  [[nodiscard]] std::filesystem::path file() const;
  // Replaces the rows of these names, or adds them, and writes the file.
  Result<void> set(const std::vector<ScanRow>& rows);

 private:
  ScanTable(std::filesystem::path folder, io::FileDescriptor lock, io::OutputRules rules)
      : folder_(std::move(folder)), lock_(std::move(lock)), rules_(std::move(rules)) {}
  Result<void> read();

  std::filesystem::path folder_;
  io::FileDescriptor lock_;
  io::OutputRules rules_;
  std::vector<ScanRow> rows_;
};

}  // namespace tl
