// BeforePane: takes images from EarlierPictures.
#include "widgets/views/panes/before_pane.h"

#include "widgets/views/panes/earlier_pictures.h"

namespace tl::ui {

BeforePane::BeforePane(PictureSource& source, ViewState& state, const QString& view, const EarlierPictures& earlier,
                       QWidget* parent)
    : SlicePane(source, state, view, Orientation::xy, parent), earlier_(earlier) {
  setAccessibleName(tr("Slice before the last step"));
  connect(&earlier, &EarlierPictures::changed, this, &BeforePane::show_earlier);
  // Other panes then show another output; this pane continues to show the earlier slice.
  connect(&state, &ViewState::outputs_changed, this, &BeforePane::show_earlier);
  show_earlier();
}

void BeforePane::show_earlier() {
  if (!earlier_.shown()) {
    show_labels(std::nullopt, {});
    forget_picture();
    update();
    return;
  }
  set_orientation(earlier_.shown()->orientation);
  setAccessibleName(tr("Slice before the last step"));
  show_labels(earlier_.shown()->labels, earlier_.shown()->label_table);
  show_picture(earlier_.shown()->picture);
}

Output BeforePane::output() const {
  if (!earlier_.shown()) return SlicePane::output();
  const live::PictureRequest& request = earlier_.shown()->picture.request;
  return {QString::fromStdString(request.node), QString::fromStdString(request.port)};
}
const VolumeGrid* BeforePane::grid() const { return earlier_.shown() ? &earlier_.shown()->grid : SlicePane::grid(); }

// Empty if it is the slice that the live pane shows.
QString BeforePane::other_slice_text() const {
  const EarlierPicture& earlier = *earlier_.shown();
  const auto* region = std::get_if<VolumeGrid>(&earlier.picture.request.region);
  const auto now = plane();
  if (region == nullptr || !now || *region == now->region) return {};
  const PlaneView then = plane_through(earlier.grid, earlier.orientation, region->centre, state().oblique());
  return (then.count > 0 ? tr("slice %1").arg(then.index + 1) : tr("another plane")) + QStringLiteral(" · ");
}

QString BeforePane::kind_text() const { return earlier_.is_pinned() ? tr("Pinned") : tr("Before"); }

QString BeforePane::position_text() const {
  if (!picture() || !earlier_.shown()) return {};
  const QString& step = earlier_.shown()->step;
  return other_slice_text() + (step.isEmpty() ? tr("learning") : QLatin1Char('"') + step + QLatin1Char('"'));
}
QString BeforePane::no_picture_text() const {
  return tr("After a change, the previous slice is shown here; during learning, the slice before it.");
}

}  // namespace tl::ui
