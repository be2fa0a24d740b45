// BeforePane: takes pictures from EarlierPictures.
#include "widgets/views/panes/before_pane.h"

#include "widgets/views/earlier_pictures.h"

namespace tl::ui {

BeforePane::BeforePane(PictureSource& source, ViewState& state, const QString& view, const EarlierPictures& earlier,
                       QWidget* parent)
    : SlicePane(source, state, view, Orientation::xy, parent), earlier_(earlier) {
  setAccessibleName(tr("Slice before the last step"));
  connect(&earlier, &EarlierPictures::changed, this, &BeforePane::show_earlier);
  // Other panes show another output then; this one keeps what it promises.
  connect(&state, &ViewState::outputs_changed, this, &BeforePane::show_earlier);
  show_earlier();
}

void BeforePane::show_earlier() {
  if (!earlier_.shown()) {
    forget_picture();
    update();
    return;
  }
  set_orientation(earlier_.shown()->orientation);
  setAccessibleName(tr("Slice before the last step"));
  show_picture(earlier_.shown()->picture);
}

Output BeforePane::output() const {
  if (!earlier_.shown()) return SlicePane::output();
  const live::PictureRequest& request = earlier_.shown()->picture.request;
  return {QString::fromStdString(request.node), QString::fromStdString(request.port)};
}
const VolumeGrid* BeforePane::grid() const { return earlier_.shown() ? &earlier_.shown()->grid : SlicePane::grid(); }

QString BeforePane::position_text() const {
  if (!picture() || !earlier_.shown()) return {};
  const QString& step = earlier_.shown()->step;
  return step.isEmpty() ? tr("learning") : QLatin1Char('"') + step + QLatin1Char('"');
}
QString BeforePane::no_picture_text() const {
  return tr("After a change, the previous slice is shown here; during learning, the slice before it.");
}

}  // namespace tl::ui
