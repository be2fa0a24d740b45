// LabelOverlay: the labels over the image of a pane: requests the labels of the same region, and paints them.
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
  // `view` is its name in requests to the source, which must outlive it.
  LabelOverlay(PictureSource& source, QString view, QObject* parent = nullptr);
  ~LabelOverlay() override;

  // The labels of `region` from now on; an empty output or no region: none.
  void follow(const Output& labels, const std::optional<Region>& region);
  // Shows these labels and requests none; nullopt: shows none. `table`: their classes.
  void show(const std::optional<live::Picture>& labels, const LabelTable& table);
  // The labels of the region of `shown_slice`; nullptr until they arrive.
  [[nodiscard]] const live::Picture* labels_for(const live::Picture& shown_slice) const;
  // Paints into `target` [widget coordinates], clipped to `pane`. Each pixel has the colour of one label.
  void paint(QPainter& painter, const LabelView& view, QRectF target, QRectF pane) const;
  // From now on shows `preview` instead of the labels of its region; nullptr: ends this. `table`: its classes, until
  // the node that produces the labels is known.
  void set_preview(std::shared_ptr<PaintPreview> preview, const LabelTable& table = {});
  [[nodiscard]] const std::shared_ptr<PaintPreview>& preview() const { return preview_; }
  // Shows it until the labels of the graph with this number, or of a later one, arrive.
  void show_preview_until(uint64_t graph);
  // The label at a pixel of its image; nullopt outside the labels' grid, or until they arrive.
  [[nodiscard]] std::optional<int64_t> number_at(int64_t row, int64_t col) const;
  [[nodiscard]] QString name_of(int64_t number) const;  // empty for a number without a class

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
