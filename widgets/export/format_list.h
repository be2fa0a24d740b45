// FormatList: the formats that can be written, by groups, with their endings.
#pragma once

#include <QListWidget>

#include "widgets/export/export_session.h"

namespace tl::ui {

// GUI thread only. The session must outlive it.
class FormatList final : public QListWidget {
  Q_OBJECT
 public:
  explicit FormatList(ExportSession& session, QWidget* parent = nullptr);

 private:
  void show_session();
  ExportSession& session_;
};

}  // namespace tl::ui
