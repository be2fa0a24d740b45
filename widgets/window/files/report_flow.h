// ReportFlow: collects a report from session, canvas and views and writes it to a file.
#pragma once

#include <QObject>
#include <QString>

#include "core/history/report/drawing.h"
#include "core/history/report/report.h"
#include "widgets/session/live_session.h"

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
  ReportFlow(const Parts& parts, QObject* parent);  // plots are those of the children of `parent`

  void ask_and_write(QWidget* window);      // where to, then write()
  Result<void> write(const QString& path);  // HTML or PDF, by its ending; the whole file or nothing
  [[nodiscard]] history::Report collect() const;

 Q_SIGNALS:
  void wrote(const QString& file);

 private:
  [[nodiscard]] history::PipelineDrawing drawing() const;
  [[nodiscard]] std::vector<history::ReportImage> images() const;
  [[nodiscard]] std::vector<history::ReportPlot> plots() const;
  [[nodiscard]] history::ReportNode node(const std::string& id) const;
  [[nodiscard]] std::vector<history::ReportParameter> facts() const;
  Parts parts_;
  live::RunEnd last_run_;
  bool has_run_ = false;
};

}  // namespace tl::ui
