// Connection: one open SQLite file by Qt Sql; its errors are reported as Errors about the history. Uses Qt: only the
// files of this folder that are compiled into tl_history include it.
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
// File names are stored as bytes: they need not be UTF-8.
inline QByteArray bytes(const std::string& raw) { return QByteArray::fromStdString(raw); }

// Used by one thread, during one operation of the store.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();
  // Creates the file if there is none. A file without write permission is opened for reading.
  Result<void> open(const std::filesystem::path& file);
  // Runs one statement with its values; the returned query iterates over the rows.
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
