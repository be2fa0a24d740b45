// LabelOverlay: the labels over the image of a pane: asks for those of the same region, and paints them.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/values/label_table.h"
#include "widgets/labels/label_view.h"
#include "widgets/views/pictures/picture_source.h"
#include "widgets/views/state/paint_preview.h"

class QPainter;

namespace tl::ui {

// GUI thread only.
class LabelOverlay final : public QObject {
  Q_OBJECT
 public:
  // `view` names it for the source, which must outlive it.
  LabelOverlay(PictureSource& source, QString view, QObject* parent = nullptr);
  ~LabelOverlay() override;

  // The labels of `region` from now on; an empty output or no region: none.
  void follow(const Output& labels, const std::optional<Region>& region);
  // Shows these instead of asking for any; nullopt: none. `table`: their classes.
  void show(const std::optional<live::Picture>& labels, const LabelTable& table);
  // The labels of the region that `shown_slice` is of; nullptr while they are not there.
  [[nodiscard]] const live::Picture* labels_for(const live::Picture& shown_slice) const;
  // At `target`, in the widget's coordinates, as far as it lies in `pane`. Each pixel has the colour of one label.
  void paint(QPainter& painter, const LabelView& view, QRectF target, QRectF pane) const;
  // Shows `preview` instead of the labels of its region from now on; nullptr: no longer.
  // `table`: its classes, as long as the node that will make the labels is not known.
  void set_preview(std::shared_ptr<PaintPreview> preview, const LabelTable& table = {});
  [[nodiscard]] const std::shared_ptr<PaintPreview>& preview() const { return preview_; }
  // Until the labels of the graph with this number, or of a later one, are there.
  void show_preview_until(uint64_t graph);
  // The label at a pixel of its image; nothing outside the labels' grid, or while they are not there.
  [[nodiscard]] std::optional<int64_t> number_at(int64_t row, int64_t col) const;
  [[nodiscard]] QString name_of(int64_t number) const;  // empty for what is not labelled

 Q_SIGNALS:
  void changed();

 private:
  void take(const QString& view, const live::Picture& picture);
  [[nodiscard]] LabelTable table() const;
  [[nodiscard]] const live::Picture* shown() const;  // the preview, or the labels

  PictureSource& source_;
  QString view_;
  Output labels_;
  std::optional<live::PictureRequest> asked_;
  std::optional<live::Picture> picture_;  // has an image
  std::shared_ptr<PaintPreview> preview_;
  LabelTable preview_table_;
  std::optional<uint64_t> preview_until_;
  mutable QImage painted_;
  mutable LabelView painted_view_;
  mutable LabelTable painted_table_;
};

}  // namespace tl::ui
