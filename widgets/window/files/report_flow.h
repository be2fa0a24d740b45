// ReportFlow: collects what the window knows into a report and writes it where the user wants it.
#pragma once

#include <QObject>
#include <QString>

#include "widgets/session/live_session.h"
#include "widgets/window/files/report.h"

class QWidget;

namespace tl::ui {

class Canvas;
class MessageModel;
class ViewsArea;

// GUI thread only.
class ReportFlow final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    LiveSession& session;
    MessageModel& messages;
    Canvas& canvas;
    ViewsArea& views;
  };
  ReportFlow(const Parts& parts, QWidget* window);

  void ask_and_write();
  Result<void> write(const QString& path);  // replaced whole or not at all
  [[nodiscard]] Report collect() const;

 private:
  [[nodiscard]] QImage drawing() const;
  [[nodiscard]] std::vector<ReportPicture> pictures() const;
  [[nodiscard]] ReportNode node(const std::string& id) const;
  [[nodiscard]] std::vector<ReportParameter> facts() const;
  Parts parts_;
  QWidget* window_;
  live::RunEnd last_run_;
  bool has_run_ = false;
};

}  // namespace tl::ui
