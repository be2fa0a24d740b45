// ScanTable: the outcome of each scan of a run over many, stored as the file scans.csv in the folder of their results.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/output/output_rules.h"
#include "core/run/many/scan_row.h"

namespace tl {

// The file is a table for people and spreadsheets (see csv_of()). It is rewritten as a whole after every change, so
// that a killed program leaves either the old or the new table. Rows may be read and changed from any thread.
class ScanTable {
 public:
  // The table of a folder, which is created if there is none; empty if there is no file yet. Locks the folder against
  // other runs until the table is destroyed. Errors: io (another run uses the folder, with its process and host; the
  // folder cannot be created), invalid (there is a scans.csv that no run wrote, or it is one of `inputs`, which no
  // output may replace).
  static Result<ScanTable> open(const std::filesystem::path& folder, const io::ProtectedFiles& inputs);
  ScanTable(ScanTable&&) noexcept = default;
  ScanTable& operator=(ScanTable&&) = delete;
  ~ScanTable();

  [[nodiscard]] std::vector<ScanRow> rows() const;
  [[nodiscard]] std::optional<ScanRow> find(const std::string& name) const;
  [[nodiscard]] std::filesystem::path file() const;
  // Replaces or adds rows with these names, and writes the file.
  Result<void> set(const std::vector<ScanRow>& rows);
  // Changes all rows together, such as their order, and writes the file. Nothing is changed if it cannot be written.
  Result<void> edit(const std::function<void(std::vector<ScanRow>&)>& change);

 private:
  ScanTable(std::filesystem::path folder, io::FileDescriptor lock, io::OutputRules rules)
      : folder_(std::move(folder)), lock_(std::move(lock)), rules_(std::move(rules)) {}
  Result<void> read();

  std::filesystem::path folder_;
  io::FileDescriptor lock_;
  io::OutputRules rules_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::vector<ScanRow> rows_;
};

// The name of the table in its folder: "scans.csv".
std::string scan_table_name();
// The rows of a table written by a run over many scans, also one of another process. Errors: invalid for any other
// file.
Result<std::vector<ScanRow>> read_scan_table(const std::filesystem::path& file);

}  // namespace tl
