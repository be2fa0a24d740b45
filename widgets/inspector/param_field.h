// ParamField: one row of a form: title, editor, marks for default, learning and links, and the reason of a refusal.
#pragma once

#include <QStringList>
#include <QWidget>

#include "core/graph/graph.h"
#include "widgets/inspector/editors/value_editor.h"

class QHBoxLayout;
class QLabel;
class QStackedLayout;
class QToolButton;

namespace tl::ui {

// What a field shows.
struct FieldState {
  ParamValue value;
  bool is_default = true;
  bool learned = false;
  double sigma = 0;     // standard deviation of a learned value; 0 = not known
  QString driven_by;    // "Axis by Vo's method · axis"; empty: not driven
  QString problem;      // the problem of the graph with this parameter
  QStringList sources;  // outputs that could drive it, as "node.port"
};

class ParamField final : public QWidget {
  Q_OBJECT
 public:
  ParamField(const ParamDecl& decl, QWidget* parent);
  [[nodiscard]] const ParamDecl& decl() const { return decl_; }
  void show_state(const FieldState& state);
  // Common title width for all fields of a form: the longest word, within limits; a longer title is placed above its
  // field.
  [[nodiscard]] int wanted_title_width() const;
  void set_title_width(int width);
  void reserve_learn_mark();             // reserves space for the learning mark, so that editors of a form align
  [[nodiscard]] QString reason() const;  // why the entered text was refused; empty if it was accepted

 Q_SIGNALS:
  void changed(const tl::ParamValue& value, tl::ui::Change change);  // a valid value was entered
  void reset();
  void learn_toggled(bool on);
  void sweep_wanted();
  void drive_wanted(const QString& source);  // "node.port"; empty: remove the driving link

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QWidget* make_driven_row();
  void add_marks(QHBoxLayout& row);
  [[nodiscard]] int longest_word() const;  // of the title [px]
  void fill_menu(QMenu& menu);
  void take(const ParamValue& value, Change change);
  void refuse(const QString& reason);
  const ParamDecl& decl_;
  ValueEditor* editor_;
  QLabel *title_, *reason_, *driver_ = nullptr;
  QStackedLayout* stack_;
  QHBoxLayout* marks_;
  QToolButton *reset_, *learn_ = nullptr;
  FieldState state_;
};

}  // namespace tl::ui
