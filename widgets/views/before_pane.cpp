// BeforePane: steps that follow each other quickly are one drag: what counts is the picture before it.
#include "widgets/views/before_pane.h"

namespace tl::ui {
namespace {
constexpr qint64 same_drag_ms = 1500;
}

BeforePane::BeforePane(PictureSource& source, ViewState& state, const QString& view, SlicePane& live, QWidget* parent)
    : SlicePane(source, state, view, live.orientation(), parent), live_(&live) {
  setAccessibleName(tr("Slice before the last step"));
  connect(&source, &PictureSource::graph_changed, this, &BeforePane::keep);
  connect(&live, &SlicePane::orientation_changed, this, [this, &live] { set_orientation(live.orientation()); });
}

void BeforePane::keep() {
  const bool same_drag = since_change_.isValid() && since_change_.elapsed() < same_drag_ms;
  since_change_.start();
  if (same_drag || live_.isNull() || live_->has_stand_in()) return;
  const auto& now = live_->picture();
  if (!now || !now->final) return;
  step_ = source().last_step();
  show_picture(*now);
}

QString BeforePane::position_text() const {
  if (!picture()) return {};
  return step_.isEmpty() ? tr("the last step") : QLatin1Char('"') + step_ + QLatin1Char('"');
}
QString BeforePane::nothing_text() const { return tr("Change something: the picture from before stays here."); }

}  // namespace tl::ui
