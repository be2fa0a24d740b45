// NumberEditor: a number or integer with its unit, and a slider if the declaration has a range.
#pragma once

#include <optional>

#include "widgets/inspector/editors/slider_scale.h"
#include "widgets/inspector/editors/value_editor.h"

class QSlider;

namespace tl::ui {

class EntryLine;

class NumberEditor final : public ValueEditor {
  Q_OBJECT
 public:
  NumberEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void set_sigma(double sigma) override { sigma_ = sigma; }
  void show_validity(Validity validity) override;
  void show_learned(bool learned) override;

 private:
  void enter_number(double value, Change change);  // in the declared unit
  void step(int steps);
  void place_slider(double value);
  EntryLine* line_;
  QSlider* slider_ = nullptr;
  std::optional<SliderScale> scale_;
  Unit unit_;  // of the number shown
  double sigma_ = 0;
  ParamValue value_;  // shown
};

}  // namespace tl::ui
