// ViewsArea: a pinned window of a stream next to panes that follow it, and their age.
#include <utility>

#include "widgets/views/panes/earlier_pictures.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/views_area.h"

namespace tl::ui {

bool ViewsArea::pin_window() {
  if (!earlier_->pin()) return false;
  if (!kind_before_pin_) kind_before_pin_ = cells_[1]->kind();
  show_for_now(1, PaneKind::before);
  return true;
}

void ViewsArea::unpin_window() {
  earlier_->unpin();
  if (const auto kind = std::exchange(kind_before_pin_, std::nullopt)) show_for_now(1, *kind);
}

const std::optional<EarlierPicture>& ViewsArea::earlier() const { return earlier_->shown(); }

bool ViewsArea::has_pinned_window() const { return earlier_->is_pinned(); }

void ViewsArea::update_ages() {
  for (ImagePane* pane : visible_panes())
    if (pane->picture() && pane->picture()->window.index >= 0) pane->update();
}

}  // namespace tl::ui
