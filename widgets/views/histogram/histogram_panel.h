// HistogramPanel: the active pane's histogram with buttons for percentiles, automatic window, colours, opacity.
#pragma once

#include <QPointer>
#include <QWidget>
#include <array>

#include "widgets/views/panes/image_pane.h"

class QComboBox;
class QLayout;
class QLineEdit;
class QToolButton;

namespace tl::ui {

class HistogramPlot;
class ThresholdHandles;
class ViewsArea;

// GUI thread only. For the right dock of the window.
class HistogramPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramPanel(ViewsArea& views, QWidget* parent = nullptr);
  [[nodiscard]] HistogramPlot& plot() { return *plot_; }

 protected:
  void showEvent(QShowEvent*) override { count(); }

 private:
  void count();  // does nothing while hidden
  void follow(ImagePane* pane);
  void take_percentiles(double percent);
  QLayout* make_limits();
  [[nodiscard]] bool sets_window() const;
  void show_limits();
  void take_limits();
  void make_colors();
  void show_colors();
  ViewState& state_;
  HistogramPlot* plot_;
  ThresholdHandles* thresholds_;
  QComboBox* colors_;
  std::array<QLineEdit*, 2> limits_{};
  QPointer<ImagePane> pane_;
};

}  // namespace tl::ui
