// LabelView: how labels lie over pictures.
#pragma once

namespace tl::ui {

struct LabelView {
  bool visible = true;
  bool outlined = false;  // the edges alone
  double opacity = 0.45;  // 0 to 1
  friend bool operator==(const LabelView&, const LabelView&) = default;
};

enum class LabelChange { show_or_hide, fill_or_outline, more_opaque, less_opaque };
LabelView changed(LabelView view, LabelChange change);  // never fainter than can be seen

}  // namespace tl::ui
