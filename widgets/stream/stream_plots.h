// StreamPlots: values of a stream over time: rate, lost frames, and the values of headers and of the log.
#pragma once

#include <QString>
#include <QWidget>
#include <map>

#include "widgets/plot/plot_content.h"

class QVBoxLayout;

namespace tl::ui {

class PlotPanel;
class StreamSession;

// A plot for each value, in the order of their names, with "frames" and "lost" first.
class StreamPlots final : public QWidget {
  Q_OBJECT
 public:
  explicit StreamPlots(StreamSession& session, QWidget* parent = nullptr);
  [[nodiscard]] PlotPanel* plot(const QString& name) const;  // nullptr: there is none

 private:
  void show_curves();
  StreamSession& session_;
  QVBoxLayout* column_;
  std::map<QString, PlotPanel*> plots_;
};

}  // namespace tl::ui
