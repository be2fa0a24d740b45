// ReportFlow: collects a report from session, canvas and views and writes it to a file.
#pragma once

#include <QObject>
#include <QString>

#include "widgets/session/live_session.h"
#include "widgets/window/files/report.h"

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
  explicit ReportFlow(const Parts& parts, QObject* parent = nullptr);

  Result<void> write(const QString& path);  // writes the whole file or nothing
  [[nodiscard]] Report collect() const;

 private:
  [[nodiscard]] QImage drawing() const;
  [[nodiscard]] std::vector<ReportPicture> pictures() const;
  [[nodiscard]] ReportNode node(const std::string& id) const;
  [[nodiscard]] std::vector<ReportParameter> facts() const;
  Parts parts_;
  live::RunEnd last_run_;
  bool has_run_ = false;
};

}  // namespace tl::ui
