// TablePanel: a table of a node: sorted by any column, filtered, copied, saved, as histograms, linked to the views.
#pragma once

#include <QPointer>
#include <QWidget>

#include "widgets/views/pictures/picture_source.h"
#include "widgets/views/state/view_state.h"
#include "widgets/views/table/object_finder.h"
#include "widgets/views/table/table_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace tl::ui {

class PlotPanel;

// GUI thread only. Used in the right dock of the window, where it shows the table of the node on screen, or in a
// separate window, which keeps its node and has a filter. If rows have a position (x, y, z), selecting one moves the
// crosshair there; if they have a number, the objects of selected rows are highlighted in all views, and a click on an
// object of the labels on screen selects its row.
class TablePanel final : public QWidget {
  Q_OBJECT
 public:
  TablePanel(PictureSource& source, ViewState& state, QWidget* parent = nullptr);  // both must outlive it
  // The same table in a separate window, which exists until it is closed, or as long as this panel.
  TablePanel* open_window();
  // Whether the node on screen has a table other than the evidence of a measured value, which the inspector shows.
  [[nodiscard]] bool has_table() const { return !ports_.isEmpty(); }
  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] const TableModel& model() const { return *model_; }
  [[nodiscard]] PlotPanel& histogram() { return *histogram_; }
  [[nodiscard]] QString csv() const;  // the shown rows, in their order
  Result<void> save_csv(const QString& path) const;

 Q_SIGNALS:
  void tables_changed();  // has_table() did

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  TablePanel(PictureSource& source, ViewState& state, const QString& node, QWidget* parent);  // of a window
  void build();
  void add_filter(QVBoxLayout& column);
  void add_buttons(QVBoxLayout& column);
  void connect_source();
  void follow();
  void ask(live::Effort effort);
  void take(const live::PlainValue& value);
  void show_state();
  void show_histogram();
  void filter_rows();
  void highlight();
  void stop_highlighting();
  void choose_row(int row);
  void choose_number(qint64 number);
  void copy() const;
  void ask_and_save();

  PictureSource& source_;
  ViewState& state_;
  const QString own_node_;  // node of a separate window; empty: the node on screen
  TableModel* model_;
  ObjectFinder* finder_;
  QTableView* table_;
  QLabel* message_;
  QLineEdit* filter_;
  QComboBox* port_;
  PlotPanel* histogram_;
  QToolButton *compute_ = nullptr, *histogram_button_ = nullptr, *copy_ = nullptr, *save_ = nullptr,
              *window_button_ = nullptr;
  QString node_;
  QStringList ports_;
  live::State node_state_ = live::State::ready;  // at the last question
  bool known_ = false, computing_ = false, is_choosing_ = false;
  bool is_highlighting_ = false;
  QString problem_, filter_problem_;
  QPointer<TablePanel> window_;
};

}  // namespace tl::ui
