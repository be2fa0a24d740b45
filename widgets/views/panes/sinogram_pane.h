// SinogramPane: shows one detector row of all views; the row follows the crosshair until the user chooses another.
#pragma once

#include "core/live/notification.h"
#include "widgets/views/panes/image_pane.h"

namespace tl::ui {

class SinogramPane final : public ImagePane {
  Q_OBJECT
 public:
  SinogramPane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent = nullptr);

  [[nodiscard]] int64_t row() const { return row_; }
  void set_row(int64_t row);

  [[nodiscard]] Output output() const override { return state().projections(); }
  [[nodiscard]] QString camera_slot() const override { return QStringLiteral("sinogram"); }
  [[nodiscard]] QString position_text() const override;
  [[nodiscard]] QString kind_text() const override { return tr("Sinogram"); }
  [[nodiscard]] double mm_per_unit() const override { return 0; }  // distances across views have no length
  [[nodiscard]] double mm_to_the_right() const override;
  void step(int64_t count) override { set_row(row_ + count); }
  void step_to_end(int direction) override;

 Q_SIGNALS:
  void row_changed();

 protected:
  [[nodiscard]] std::optional<live::PictureRequest> wanted() const override;
  [[nodiscard]] QRectF extent() const override;
  [[nodiscard]] QRectF placement(const live::Picture&) const override { return extent(); }
  [[nodiscard]] Fit fit_mode() const override { return Fit::stretch; }
  [[nodiscard]] QString no_picture_text() const override;
  [[nodiscard]] QString extra_caption() const override;

 private:
  [[nodiscard]] const ProjectionsInfo* projections() const;
  void follow_crosshair();
  int64_t row_ = 0;
};

}  // namespace tl::ui
