// Autosave: keeps a copy of a modified pipeline in the user's data folder, so that a crash loses seconds of work.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "widgets/session/document.h"

namespace tl::ui {

class Autosave final : public QObject {
  Q_OBJECT
 public:
  // `file` empty: the default file in the user's data folder.
  explicit Autosave(Document& document, const QString& file = {}, QObject* parent = nullptr);
  [[nodiscard]] bool has_copy() const;  // of this session
  // The copy left by a session that ended abnormally; empty if there is none.
  [[nodiscard]] const QString& recovery() const { return recovery_; }
  void discard_recovery();  // removes it
  [[nodiscard]] QString file() const { return file_; }
  void save_now();
  void discard();

 private:
  Document& document_;
  QString file_, recovery_;
  std::unique_ptr<QLockFile> lock_;  // two running studios use separate copies
  QTimer timer_;
};

}  // namespace tl::ui
