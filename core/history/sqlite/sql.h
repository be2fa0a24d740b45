// Connection: one open SQLite file by Qt Sql, whose errors are Errors that say what is wrong with the history. Qt: only
// the files of this folder that are compiled into tl_history include it.
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::history {

inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }
// Names of files are bytes: not every one of them is UTF-8.
inline QByteArray bytes(const std::string& raw) { return QByteArray::fromStdString(raw); }

// For one thread, for the length of one operation of the store.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();
  // Makes the file if there is none. A file that may not be written is opened for reading.
  Result<void> open(const std::filesystem::path& file);
  // One statement with its values; the query goes on to its rows.
  Result<QSqlQuery> run(const QString& statement, const std::vector<QVariant>& values = {}) const;
  [[nodiscard]] Error error(const QSqlError& error) const;
  // Ends with ROLLBACK unless committed. Immediate: another writer is waited for now, not in the middle.
  Result<void> begin() const;
  Result<void> commit() const;

 private:
  std::filesystem::path file_;
  QString name_;
  QSqlDatabase db_;
};

}  // namespace tl::history
