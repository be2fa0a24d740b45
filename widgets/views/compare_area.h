// CompareArea: compares two results, or two values of one parameter, with a shared camera, slice and window.
#pragma once

#include <QWidget>
#include <memory>

#include "core/live/engine.h"
#include "widgets/views/panes/compare_pane.h"
#include "widgets/views/state/view_state.h"

class QButtonGroup;
class QComboBox;
class QLabel;

namespace tl::ui {

class ValueChooser;
class VariantSource;

// GUI thread only.
class CompareArea final : public QWidget {
  Q_OBJECT
 public:
  // `options` configure the session that computes the other value.
  CompareArea(PictureSource& source, ViewState& state, live::EngineOptions options, QWidget* parent = nullptr);
  ~CompareArea() override;

  [[nodiscard]] ComparePane& left() { return *left_; }
  // Result B: another output, or A's output with another parameter value.
  [[nodiscard]] ComparePane& right() { return *right_; }
  // The visible pane that last had the focus.
  [[nodiscard]] ComparePane& active() { return active_ == Side::right && !right_->isHidden() ? *right_ : *left_; }
  void set_mode(CompareMode mode);
  void compare_outputs(const Output& a, const Output& b);
  // Compares `a` with the same output computed with one parameter changed. On an error nothing changes.
  Result<void> compare_value(const Output& a, const QString& node, const QString& param, const QString& value);

 Q_SIGNALS:
  void active_changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] bool shows_choice() const;
  void drop_variant();
  void fill_choices();
  void fill_parameters();
  void ask_value();
  void caption_sides();
  void show_value(const Output& param, const QString& value);
  void choose();
  void show_choice(const Output& a, const QString& b);
  QWidget* make_bar();
  void make_right(PictureSource& source);
  PictureSource& source_;
  ViewState& state_;
  live::EngineOptions options_;
  VariantSource* variant_ = nullptr;
  ComparePane* left_ = nullptr;
  ComparePane* right_ = nullptr;
  enum class Side { left, right } active_ = Side::left;
  class QSplitter* panes_ = nullptr;
  QComboBox *a_ = nullptr, *b_ = nullptr, *param_ = nullptr;
  ValueChooser* value_ = nullptr;
  QLabel* problem_ = nullptr;
  QButtonGroup* modes_ = nullptr;
  CompareMode mode_ = CompareMode::side_by_side;
};

}  // namespace tl::ui
