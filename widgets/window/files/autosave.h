// Autosave: keeps a copy of a modified pipeline in the user's data folder, so that a crash loses seconds of work.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "widgets/session/document.h"
#include "widgets/window/files/window_records.h"

namespace tl::ui {

class Autosave final : public QObject {
  Q_OBJECT
 public:
  // `folder` empty: in the user's data folder.
  explicit Autosave(Document& document, const QString& folder = {}, QObject* parent = nullptr);
  [[nodiscard]] WindowRecords& records() { return records_; }
  [[nodiscard]] bool has_copy() const;  // of this window
  bool save_now();                      // whether the copy is identical to the document
  void discard();

 private:
  Document& document_;
  WindowRecords records_;
  QTimer timer_;
};

}  // namespace tl::ui
