// LabelView: the steps by which it is changed.
#include "widgets/labels/label_view.h"

#include <algorithm>

namespace tl::ui {

LabelView changed(LabelView view, LabelChange change) {
  constexpr double step = 0.15;
  switch (change) {
    case LabelChange::show_or_hide: view.visible = !view.visible; break;
    case LabelChange::fill_or_outline: view.outlined = !view.outlined; break;
    case LabelChange::more_opaque: view.opacity = std::min(view.opacity + step, 1.0); break;
    case LabelChange::less_opaque: view.opacity = std::max(view.opacity - step, step); break;
  }
  return view;
}

}  // namespace tl::ui
