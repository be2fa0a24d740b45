// ProjectionPane: shows the views, flat fields or dark frames of a scan, one at a time.
#pragma once

#include "core/live/notification.h"
#include "widgets/views/panes/image_pane.h"

namespace tl::ui {

class ProjectionPane final : public ImagePane {
  Q_OBJECT
 public:
  using Series = live::PictureRequest::Series;
  ProjectionPane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent = nullptr);

  [[nodiscard]] int64_t index() const { return index_; }
  void set_index(int64_t index);
  [[nodiscard]] Series series() const { return series_; }
  void set_series(Series series);
  [[nodiscard]] int64_t count(Series series) const;

  [[nodiscard]] Output output() const override;
  // Flats and darks have their own windows.
  [[nodiscard]] Output levels_output() const override;
  [[nodiscard]] QString camera_slot() const override { return QStringLiteral("projection"); }
  [[nodiscard]] QString position_text() const override;
  [[nodiscard]] QString kind_text() const override;
  [[nodiscard]] double mm_per_unit() const override;  // on the detector
  void step(int64_t count) override;
  void step_to_end(int direction) override;

 Q_SIGNALS:
  void index_changed();

 protected:
  [[nodiscard]] std::optional<live::PictureRequest> wanted() const override;
  [[nodiscard]] QRectF extent() const override;
  [[nodiscard]] QRectF placement(const live::Picture&) const override { return extent(); }
  [[nodiscard]] QString no_picture_text() const override;
  [[nodiscard]] QString extra_caption() const override;
  bool key_pressed(QKeyEvent& event) override;

 private:
  [[nodiscard]] const ProjectionsInfo* projections() const;
  // The nearest output at or upstream of the shown one that still has these frames.
  [[nodiscard]] Output output_of(Series series) const;
  [[nodiscard]] const ProjectionsInfo* info_of(const Output& output) const;
  int64_t index_ = 0;
  Series series_ = Series::data;
};

}  // namespace tl::ui
