// Creates the history file, and writes its rows.
#include "core/history/store.h"

#include <unistd.h>

#include <QSqlError>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/history/sqlite/sql.h"
#include "core/history/sqlite/store_access.h"

namespace tl::history {
namespace fs = std::filesystem;
namespace {

constexpr int schema_version = 1;
constexpr int application_id = 0x746c6873;  // "tlhs": identifies the file format, for `file` and this program

constexpr const char* schema[] = {
    "CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL, begun REAL "
    "NOT "
    "NULL, seconds REAL NOT NULL, title TEXT NOT NULL, digest TEXT NOT NULL, program TEXT NOT NULL, version TEXT NOT "
    "NULL, device TEXT NOT NULL, error TEXT NOT NULL, process TEXT NOT NULL, thumbnail_rows INTEGER NOT NULL, "
    "thumbnail_cols INTEGER NOT NULL, thumbnail BLOB NOT NULL, record BLOB NOT NULL)",
    "CREATE TABLE files (entry INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE, role TEXT NOT NULL, place "
    "INTEGER NOT NULL, path BLOB NOT NULL, fingerprint TEXT NOT NULL, bytes INTEGER NOT NULL)",
    "CREATE TABLE parameters (entry INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE, place INTEGER NOT "
    "NULL, "
    "node TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, number REAL, unit TEXT NOT NULL, uncertainty REAL, "
    "verdict TEXT NOT NULL)",
    "CREATE INDEX entries_by_time ON entries (begun)",
    "CREATE INDEX files_of_entry ON files (entry)",
    "CREATE INDEX parameters_of_entry ON parameters (entry)",
};

Result<int64_t> pragma(const Connection& db, const char* name) {
  TL_TRY(QSqlQuery query, db.run(QStringLiteral("PRAGMA %1").arg(QLatin1String(name))));
  return query.next() ? query.value(0).toLongLong() : int64_t{0};
}

Result<void> make_tables(const Connection& db) {
  for (const char* const statement : schema) {
    const auto made = db.run(QLatin1String(statement));
    if (!made.ok()) return made.error();
  }
  for (const QString& pragma_text : {QStringLiteral("PRAGMA application_id = %1").arg(application_id),
                                     QStringLiteral("PRAGMA user_version = %1").arg(schema_version)}) {
    const auto set = db.run(pragma_text);
    if (!set.ok()) return set.error();
  }
  return ok();
}

// Checks that the file is a history of a known version. A file without tables is new.
Result<bool> has_tables(const Connection& db, const fs::path& file) {
  TL_TRY(const int64_t version, pragma(db, "user_version"));
  TL_TRY(const int64_t application, pragma(db, "application_id"));
  if (application == application_id && version > schema_version)
    return invalid("the history was made by a newer version of the program", file.string(),
                   "Use that version, or another file: TL_HISTORY=FILE");
  if (application == application_id) return true;
  TL_TRY(QSqlQuery tables, db.run(QStringLiteral("SELECT count(*) FROM sqlite_master")));
  if (version != 0 || !tables.next() || tables.value(0).toLongLong() != 0)
    return io_error("the file is a data base of another program", file.string(), "Choose another one: TL_HISTORY=FILE");
  return false;
}

// A process is identified by host, number and start time, since its number may be reused.
std::string start_of(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  std::string word;
  for (int field = 3; field <= 22; ++field) rest >> word;  // proc(5): starttime is field 22
  return word;
}

std::string host() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string this_process() {
  const std::string pid = std::to_string(getpid());
  return host() + " " + pid + " " + start_of(pid);
}

Result<void> write_parts(const Connection& db, const Entry& entry) {
  const QVariant id = QVariant::fromValue<qlonglong>(entry.id);
  for (const auto& [role, files] : {std::pair{"input", &entry.inputs}, std::pair{"output", &entry.outputs}})
    for (std::size_t i = 0; i < files->size(); ++i) {
      const File& f = (*files)[i];
      const auto added = db.run(QStringLiteral("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)"),
                                {id, QLatin1String(role), static_cast<int>(i), bytes(f.path), text(f.fingerprint),
                                 QVariant::fromValue<qlonglong>(f.bytes)});
      if (!added.ok()) return added.error();
    }
  for (std::size_t i = 0; i < entry.values.size(); ++i) {
    const Value& v = entry.values[i];
    char* end = nullptr;
    const double number = std::strtod(v.value.c_str(), &end);
    const bool is_number = !v.value.empty() && *end == 0;
    const auto added = db.run(
        QStringLiteral("INSERT INTO parameters VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        {id, static_cast<int>(i), text(v.node), text(v.name), text(v.value), is_number ? QVariant(number) : QVariant(),
         text(v.unit), v.uncertainty ? QVariant(*v.uncertainty) : QVariant(), text(v.verdict)});
    if (!added.ok()) return added.error();
  }
  return ok();
}

std::vector<QVariant> columns_of(const Entry& e) {
  return {QString::fromLatin1(to_string(e.kind).data()), QString::fromLatin1(to_string(e.state).data()), e.begun,
          e.seconds, text(e.title), text(e.digest), text(e.program), text(e.version), text(e.device), text(e.error),
          text(this_process()), e.thumbnail.rows, e.thumbnail.cols,
          // A null array would be NULL.
          e.thumbnail.pixels.empty() ? QByteArray("") : bytes(e.thumbnail.pixels),
          e.record.empty() ? QByteArray("") : bytes(e.record)};
}

}  // namespace

bool is_alive(const std::string& process) {
  std::istringstream words(process);
  std::string where, pid, start;
  words >> where >> pid >> start;
  // Processes of another machine cannot be checked: they count as running.
  return where != host() || start_of(pid) == start;
}

Result<bool> open_to_read(Connection& db, const fs::path& file) {
  std::error_code failed;
  if (!fs::exists(file, failed)) return false;
  TL_TRY(db.open(file));
  return has_tables(db, file);
}

Result<void> open_to_write(Connection& db, const fs::path& file) {
  std::error_code failed;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), failed);
  if (failed) return io_error("the folder of the history cannot be made: " + failed.message(), file.string());
  TL_TRY(db.open(file));
  TL_TRY(db.begin());
  TL_TRY(const bool ready, has_tables(db, file));
  if (!ready) TL_TRY(make_tables(db));
  return ok();
}

fs::path default_file() {
  const char* set = std::getenv("TL_HISTORY");
  if (set != nullptr && *set != 0) return std::string_view(set) == "off" ? fs::path() : fs::absolute(set);
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return fs::path(data) / "tomoloom" / "history.sqlite";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == 0) return {};
  return fs::path(home) / ".local" / "share" / "tomoloom" / "history.sqlite";
}

Result<int64_t> Store::add(const Entry& entry) const {
  if (is_off()) return int64_t{0};
  Connection db;
  TL_TRY(open_to_write(db, file_));
  int64_t id = 0;
  {
    TL_TRY(const QSqlQuery added,
           db.run(QStringLiteral("INSERT INTO entries (kind, state, begun, seconds, title, digest, program, version, "
                                 "device, error, process, thumbnail_rows, thumbnail_cols, thumbnail, record) VALUES "
                                 "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                  columns_of(entry)));
    id = added.lastInsertId().toLongLong();
  }
  Entry numbered = entry;
  numbered.id = id;
  TL_TRY(write_parts(db, numbered));
  TL_TRY(db.commit());
  return id;
}

Result<void> Store::update(const Entry& entry) const {
  if (is_off() || entry.id == 0) return ok();
  const QVariant id = QVariant::fromValue<qlonglong>(entry.id);
  Connection db;
  TL_TRY(open_to_write(db, file_));
  std::vector<QVariant> values = columns_of(entry);
  values.push_back(id);
  {
    TL_TRY(
        const QSqlQuery changed,
        db.run(QStringLiteral("UPDATE entries SET kind = ?, state = ?, begun = ?, seconds = ?, title = ?, digest = ?, "
                              "program = ?, version = ?, device = ?, error = ?, process = ?, thumbnail_rows = ?, "
                              "thumbnail_cols = ?, thumbnail = ?, record = ? WHERE id = ?"),
               values));
    if (changed.numRowsAffected() == 0) return db.commit();
  }
  for (const char* const table : {"files", "parameters"}) {
    const auto removed = db.run(QStringLiteral("DELETE FROM %1 WHERE entry = ?").arg(QLatin1String(table)), {id});
    if (!removed.ok()) return removed.error();
  }
  TL_TRY(write_parts(db, entry));
  return db.commit();
}

Result<void> Store::remove(const std::vector<int64_t>& ids) const {
  if (is_off()) return ok();
  Connection db;
  TL_TRY(open_to_write(db, file_));
  for (const int64_t id : ids) {
    const auto removed =
        db.run(QStringLiteral("DELETE FROM entries WHERE id = ?"), {QVariant::fromValue<qlonglong>(id)});
    if (!removed.ok()) return removed.error();
  }
  return db.commit();
}

}  // namespace tl::history
