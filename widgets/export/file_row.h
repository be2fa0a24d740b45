// FileRow: name and folder of the file that is written.
#pragma once

#include <QWidget>

#include "widgets/export/export_session.h"

class QLabel;
class QLineEdit;

namespace tl::ui {

// GUI thread only. The session must outlive it.
class FileRow final : public QWidget {
  Q_OBJECT
 public:
  explicit FileRow(ExportSession& session, QWidget* parent = nullptr);

  void take_keyboard();  // the name is selected

 private:
  void show_session();
  void set(const QString& folder, const QString& name);
  ExportSession& session_;
  QLineEdit* name_;
  QLabel* folder_;
};

}  // namespace tl::ui
