// Autosave: keeps a copy of a changed pipeline in the user's data folder, so that a crash costs a minute at most.
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
  // `file` empty: the user's own place.
  explicit Autosave(Document& document, const QString& file = {}, QObject* parent = nullptr);
  [[nodiscard]] bool has_copy() const;  // of this session
  // What a session left that did not end as it should; empty: nothing.
  [[nodiscard]] const QString& recovery() const { return recovery_; }
  [[nodiscard]] QString file() const { return file_; }
  void save_now();
  void discard();

 private:
  Document& document_;
  QString file_, recovery_;
  std::unique_ptr<QLockFile> lock_;  // two studios keep two copies
  QTimer timer_;
};

}  // namespace tl::ui
