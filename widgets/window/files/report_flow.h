// ReportFlow: collects a report from session, canvas and views and writes it to a file that the user chooses.
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
  Result<void> write(const QString& path);  // writes the whole file or nothing
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
