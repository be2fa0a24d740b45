// BeforePane: steps in quick succession count as one drag, of which the picture before its first step is kept.
#include "widgets/views/panes/before_pane.h"

namespace tl::ui {
namespace {
constexpr qint64 same_drag_ms = 1500;
}

BeforePane::BeforePane(PictureSource& source, ViewState& state, const QString& view, std::function<SlicePane*()> live,
                       QWidget* parent)
    : SlicePane(source, state, view, Orientation::xy, parent), live_(std::move(live)) {
  setAccessibleName(tr("Slice before the last step"));
  connect(&source, &PictureSource::graph_changed, this, &BeforePane::keep);
}

void BeforePane::keep() {
  const bool same_drag = since_change_.isValid() && since_change_.elapsed() < same_drag_ms;
  since_change_.start();
  const SlicePane* live = live_ ? live_() : nullptr;
  if (same_drag || live == nullptr || live->has_stand_in() || !live->picture() || !live->picture()->final) return;
  set_orientation(live->orientation());
  // graph_changed comes before the step is on the undo stack.
  QMetaObject::invokeMethod(
      this,
      [this] {
        step_ = source().last_step();
        update();
      },
      Qt::QueuedConnection);
  show_picture(*live->picture());
}

QString BeforePane::position_text() const {
  if (!picture()) return {};
  return step_.isEmpty() ? tr("the last step") : QLatin1Char('"') + step_ + QLatin1Char('"');
}
QString BeforePane::no_picture_text() const { return tr("After a change, the previous slice is shown here."); }

}  // namespace tl::ui
