// Writes and reads scans.csv, and keeps other runs out of its folder by a locked file next to it.
#include "core/run/many/scan_table.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "core/io/output/output_file.h"
#include "core/io/text/csv.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

constexpr const char* table_name = "scans.csv";
constexpr const char* lock_name = ".scans.lock";
constexpr std::array<const char*, 4> first_columns = {"name", "scan", "state", "seconds"};
constexpr std::array<const char*, 3> last_columns = {"files", "error", "key"};
constexpr char between_files = ';';

// "process 123 on beamline-7"
std::string this_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "this machine");
  return "process " + std::to_string(getpid()) + " on " + host.data();
}

// Locked as long as it is open; contains the process and host that use the folder.
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
    // The run before may have removed it between our two calls.
    if (!io::is_at(file.get(), path)) continue;
    const std::string owner = this_process();
    if (ftruncate(file.get(), 0) != 0 || pwrite(file.get(), owner.data(), owner.size(), 0) < 0)
      return io::system_error("the folder cannot be locked against other runs", path, errno);
    return file;
  }
}

std::optional<ScanState> state_of(std::string_view text) {
  for (const ScanState state : {ScanState::waiting, ScanState::running, ScanState::done, ScanState::failed})
    if (to_string(state) == text) return state;
  return std::nullopt;
}

bool is_fixed(const std::string& column) {
  const auto is = [&column](const char* name) { return column == name; };
  return std::any_of(first_columns.begin(), first_columns.end(), is) ||
         std::any_of(last_columns.begin(), last_columns.end(), is);
}

// "a.tif;b.tif". A separator within a name gets a backslash before it, and so does a backslash.
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

// Names of files may be any bytes, the table is UTF-8, as spreadsheets and other programs expect it: of a field that is
// not, bytes beyond ASCII become \xe9. A backslash becomes two.
std::string as_utf8(const std::string& field) {
  const bool is_text = is_utf8(field);
  std::string text;
  for (const char c : field) {
    std::array<char, 8> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<unsigned char>(c));
    text += c == '\\' ? "\\\\" : !is_text && static_cast<unsigned char>(c) >= 0x80 ? escaped.data() : std::string(1, c);
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

std::string csv_of(const std::vector<ScanRow>& rows) {
  std::set<std::string> found;
  for (const ScanRow& row : rows)
    for (const auto& [name, value] : row.found) found.insert(name);
  io::CsvRow columns(first_columns.begin(), first_columns.end());
  columns.insert(columns.end(), found.begin(), found.end());
  columns.insert(columns.end(), last_columns.begin(), last_columns.end());
  std::string text = io::csv_line(columns);
  for (const ScanRow& row : rows) {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.2f", row.seconds);
    io::CsvRow fields = {row.name, row.scan.string(), std::string(to_string(row.state)), seconds.data()};
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

// The rows of a file that csv_of() wrote; nothing if it is another table.
std::optional<std::vector<ScanRow>> rows_of(const std::vector<io::CsvRow>& table) {
  constexpr std::size_t fixed = first_columns.size() + last_columns.size();
  if (table.empty() || table.front().size() < fixed) return std::nullopt;
  const io::CsvRow& columns = table.front();
  const bool is_ours = std::equal(first_columns.begin(), first_columns.end(), columns.begin()) &&
                       std::equal(last_columns.rbegin(), last_columns.rend(), columns.rbegin());
  if (!is_ours) return std::nullopt;
  std::vector<ScanRow> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    io::CsvRow fields = table[i];
    if (fields.size() != columns.size()) return std::nullopt;
    std::transform(fields.begin(), fields.end(), fields.begin(), from_utf8);
    const auto state = state_of(fields[2]);
    if (!state || fields[0].empty()) return std::nullopt;
    ScanRow row{fields[0], fields[1], *state, std::strtod(fields[3].c_str(), nullptr), {}, {}, {}, {}};
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (!is_fixed(columns[c]) && !fields[c].empty()) row.found[columns[c]] = fields[c];
    row.files = split_files(fields[columns.size() - 3]);
    row.error = fields[columns.size() - 2];
    row.key = fields[columns.size() - 1];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string_view to_string(ScanState state) {
  switch (state) {
    case ScanState::waiting:
      return "waiting";
    case ScanState::running:
      return "running";
    case ScanState::done:
      return "done";
    case ScanState::failed:
      break;
  }
  return "failed";
}

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

// Removed while it is locked: a process that has opened it before checks whether it still exists.
ScanTable::~ScanTable() {
  if (lock_.is_open()) (void)::unlink((folder_ / lock_name).c_str());
}

Result<void> ScanTable::read() {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(file(), failed))) return ok();
  const auto table = io::read_csv(file());
  auto rows = table.ok() ? rows_of(table.value()) : std::nullopt;
  if (!rows)
    return invalid("a table of this name exists that was not written by a run over many scans; it is kept",
                   file().string(), "Rename it, or choose another folder");
  rows_ = std::move(*rows);
  return ok();
}

fs::path ScanTable::file() const { return folder_ / table_name; }

const ScanRow* ScanTable::find(const std::string& name) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const ScanRow& one) { return one.name == name; });
  return row == rows_.end() ? nullptr : &*row;
}

Result<void> ScanTable::set(const std::vector<ScanRow>& rows) {
  for (const ScanRow& row : rows) {
    const auto same =
        std::find_if(rows_.begin(), rows_.end(), [&](const ScanRow& one) { return one.name == row.name; });
    if (same == rows_.end())
      rows_.push_back(row);
    else
      *same = row;
  }
  return io::write_text(file(), csv_of(rows_), rules_);
}

}  // namespace tl
