// ThresholdHandles: the thresholds of the labels on screen as lines in the histogram, which can be dragged.
#pragma once

#include <QObject>
#include <optional>
#include <string>
#include <vector>

#include "widgets/views/pictures/picture_source.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {

class HistogramPlot;

// The node whose thresholds of `volume` produced the labels: the nearest Threshold or Hysteresis threshold of that
// volume, the labels' node itself or upstream. Empty: none.
std::string thresholding_node(const Graph& graph, const Registry& registry, const Output& labels, const Output& volume);
// The thresholds in its parameters; nullopt if they are found from the data, or set by links.
std::optional<std::vector<double>> stated_thresholds(const Graph& graph, const std::string& node);
// Why the thresholds cannot be moved; empty: they can.
QString why_thresholds_stay(const Graph& graph, const std::string& node);
// Sets thresholds as parameters: the method becomes "given value".
void state_thresholds(Graph& graph, const std::string& node, const std::vector<double>& values);

// GUI thread only. Source, state and plot must outlive it.
class ThresholdHandles final : public QObject {
  Q_OBJECT
 public:
  ThresholdHandles(PictureSource& source, ViewState& state, HistogramPlot& plot, QObject* parent = nullptr);
  void follow(const Output& volume);  // whose histogram is shown
  [[nodiscard]] const std::string& node() const { return node_; }

 private:
  void refresh();
  void take(const live::PlainValue& value);
  void show_lines();
  void move(std::size_t line, double value);
  [[nodiscard]] std::vector<double> shown() const;

  PictureSource& source_;
  ViewState& state_;
  HistogramPlot& plot_;
  Output volume_;
  std::string node_;
  std::optional<std::vector<double>> found_;  // from the data
};

}  // namespace tl::ui
