// Opens SQLite files by Qt Sql, and translates SQLite's error codes to text.
#include "core/history/sqlite/sql.h"

#include <QSqlError>
#include <atomic>

namespace tl::history {
namespace {

// Primary result codes of SQLite (sqlite.org/rescode.html): the low byte of an extended code.
enum Code { busy = 5, locked = 6, read_only = 8, corrupt = 11, full = 13, cannot_open = 14, not_a_database = 26 };

// How long to wait while another program writes; its writes take milliseconds.
constexpr const char* wait_for_others = "QSQLITE_BUSY_TIMEOUT=5000";

}  // namespace

Connection::~Connection() {
  if (name_.isEmpty()) return;
  db_ = {};  // the last reference, or Qt warns
  QSqlDatabase::removeDatabase(name_);
}

Error Connection::error(const QSqlError& error) const {
  const std::string where = file_.string();
  switch (error.nativeErrorCode().toInt() & 0xff) {
    case busy:
    case locked:
      return io_error("the history is locked by another program", where,
                      "End the program that hangs; `fuser` names it");
    case read_only: return io_error("the history is read-only", where, "Allow writing to the file and its folder");
    case corrupt:
    case not_a_database: return io_error("the history is damaged", where, "Move the file away: a new history begins");
    case full: return io_error("the disk of the history is full", where, "Free some space");
    case cannot_open:
      return io_error("the history cannot be opened", where, "Check that the folder exists and may be written to");
    default:
      return io_error("the history failed: " + error.databaseText().toStdString() + error.driverText().toStdString(),
                      where);
  }
}

Result<void> Connection::open(const std::filesystem::path& file) {
  static std::atomic<int> number{0};
  file_ = file;
  if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
    return unavailable("Qt's driver for SQLite is not installed, so there is no history", file.string(),
                       "On Debian it is the package libqt6sql6-sqlite");
  name_ = QStringLiteral("tomoloom-history-%1").arg(++number);
  db_ = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name_);
  db_.setDatabaseName(QString::fromStdString(file.string()));
  // Readers do not use QSQLITE_OPEN_READONLY: after a writer was killed, the first reader rolls its unfinished
  // transaction back.
  db_.setConnectOptions(QString::fromLatin1(wait_for_others));
  if (!db_.open()) return error(db_.lastError());
  TL_TRY(const QSqlQuery on, run(QStringLiteral("PRAGMA foreign_keys = ON")));
  static_cast<void>(on);
  return ok();
}

Result<QSqlQuery> Connection::run(const QString& statement, const std::vector<QVariant>& values) const {
  QSqlQuery query(db_);
  query.setForwardOnly(true);
  if (!query.prepare(statement)) return error(query.lastError());
  for (const QVariant& value : values) query.addBindValue(value);
  if (!query.exec()) return error(query.lastError());
  return query;
}

Result<void> Connection::begin() const {
  const auto begun = run(QStringLiteral("BEGIN IMMEDIATE"));
  return begun.ok() ? ok() : Result<void>(begun.error());
}

Result<void> Connection::commit() const {
  const auto committed = run(QStringLiteral("COMMIT"));
  return committed.ok() ? ok() : Result<void>(committed.error());
}

}  // namespace tl::history
