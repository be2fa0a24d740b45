// Writes and reads scans.csv, and excludes other runs from its folder by a locked file next to it.
#include "core/run/many/scan_table.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/io/output/output_file.h"
#include "core/io/text/csv.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

constexpr const char* table_name = "scans.csv";
constexpr const char* lock_name = ".scans.lock";

// "process 123 on beamline-7"
std::string this_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "this machine");
  return "process " + std::to_string(getpid()) + " on " + host.data();
}

// Locked while it is open; contains the process and host that use the folder.
Result<io::FileDescriptor> locked(const fs::path& folder) {
  const fs::path path = folder / lock_name;
  constexpr int plain = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  while (true) {
    io::FileDescriptor file(::open(path.c_str(), plain, 0666));
    if (!file.is_open()) return io::system_error("the folder cannot be locked against other runs", path, errno);
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      std::array<char, 300> owner{};
      const ssize_t length = pread(file.get(), owner.data(), owner.size() - 1, 0);
      return io_error("another run writes into this folder: " + (length > 0 ? std::string(owner.data()) : "unknown"),
                      folder.string(), "Wait for it, or choose another folder");
    }
    // Another run may have deleted it between these two calls.
    if (!io::is_at(file.get(), path)) continue;
    const std::string owner = this_process();
    if (ftruncate(file.get(), 0) != 0 || pwrite(file.get(), owner.data(), owner.size(), 0) < 0)
      return io::system_error("the folder cannot be locked against other runs", path, errno);
    return file;
  }
}

}  // namespace

Result<ScanTable> ScanTable::open(const fs::path& folder, const io::ProtectedFiles& inputs) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!fs::is_directory(folder, failed))
    return io_error("the folder of the results cannot be made", folder.string(), "Choose another one");
  TL_TRY(inputs.check(folder / table_name, io::OutputKind::file));
  TL_TRY(io::FileDescriptor lock, locked(folder));
  ScanTable table(folder, std::move(lock),
                  {io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(inputs)});
  TL_TRY(table.read());
  return table;
}

// Deleted while locked: a process that opened it earlier checks whether it still exists.
ScanTable::~ScanTable() {
  if (lock_.is_open()) (void)::unlink((folder_ / lock_name).c_str());
}

Result<void> ScanTable::read() {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(file(), failed))) return ok();
  TL_TRY(rows_, read_scan_table(file()));
  return ok();
}

fs::path ScanTable::file() const { return folder_ / table_name; }

std::vector<ScanRow> ScanTable::rows() const {
  const std::lock_guard lock(*mutex_);
  return rows_;
}

std::optional<ScanRow> ScanTable::find(const std::string& name) const {
  const std::lock_guard lock(*mutex_);
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const ScanRow& one) { return one.name == name; });
  return row == rows_.end() ? std::nullopt : std::optional(*row);
}

Result<void> ScanTable::set(const std::vector<ScanRow>& rows) {
  return edit([&rows](std::vector<ScanRow>& all) {
    for (const ScanRow& row : rows) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const ScanRow& one) { return one.name == row.name; });
      if (same == all.end())
        all.push_back(row);
      else
        *same = row;
    }
  });
}

Result<void> ScanTable::edit(const std::function<void(std::vector<ScanRow>&)>& change) {
  const std::lock_guard lock(*mutex_);
  std::vector<ScanRow> changed = rows_;
  change(changed);
  TL_TRY(io::write_text(file(), csv_of(changed), rules_));
  rows_ = std::move(changed);
  return ok();
}

std::string scan_table_name() { return table_name; }

Result<std::vector<ScanRow>> read_scan_table(const fs::path& file) {
  const auto table = io::read_csv(file);
  auto rows = table.ok() ? result_rows(table.value()) : std::nullopt;
  if (!rows)
    return invalid("a table of this name exists that was not written by a run over many scans; it is kept",
                   file.string(), "Rename it, or choose another folder");
  return std::move(*rows);
}

}  // namespace tl
