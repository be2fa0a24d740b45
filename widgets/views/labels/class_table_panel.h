// ClassTablePanel: the classes of the labels on screen: colours, names, which are shown and locked, how large they are.
#pragma once

#include <QWidget>

#include "widgets/views/labels/label_counter.h"
#include "widgets/views/state/view_state.h"

class QLabel;
class QTableView;
class QToolButton;

namespace tl::ui {

// GUI thread only. For the right dock of the window. Keys in the table: 1 to 9 select the class of that number, F2
// renames it, Space shows or hides it, C changes its colour, + adds a class, Del removes one.
class ClassTablePanel final : public QWidget {
  Q_OBJECT
 public:
  ClassTablePanel(PictureSource& source, ViewState& state, QWidget* parent = nullptr);  // both must outlive it
  ~ClassTablePanel() override;
  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] ClassTableModel& model() { return *model_; }
  [[nodiscard]] LabelCounter& counter() { return *counter_; }
  [[nodiscard]] QString message() const;
  void set_colour(int64_t number, const QColor& colour);
  void add_class();
  void remove_class();  // the current one

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void refresh();
  void graph_changed();
  void show_current();
  void choose(int64_t number);
  void toggle(std::set<int64_t> LabelView::*set, int64_t number);
  void choose_colour(int64_t number);
  void change_table(const QString& step, const LabelTable& table);
  [[nodiscard]] LabelTable shown_table() const;
  [[nodiscard]] QString named_node() const;
  [[nodiscard]] bool can_name() const;
  bool take_key(int key, const QString& text);

  PictureSource& source_;
  ViewState& state_;
  ClassTableModel* model_;
  LabelCounter* counter_;
  QTableView* table_;
  QLabel* message_;
  QToolButton *count_ = nullptr, *add_ = nullptr, *remove_ = nullptr, *colour_ = nullptr;
  Graph counted_graph_;  // without names of classes
};

}  // namespace tl::ui
