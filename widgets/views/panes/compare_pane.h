// ComparePane: a slice of one of two compared results, alone or combined with the other one.
#pragma once

#include <QPointer>
#include <QTimer>

#include "widgets/views/panes/slice_pane.h"

namespace tl::ui {

enum class CompareMode { side_by_side, swipe, flicker, difference, checkerboard };
QString compare_mode_name(CompareMode mode);
const std::vector<CompareMode>& all_compare_modes();

// GUI thread only. In all modes but side by side, the left pane of the two also shows the right one's image.
class ComparePane final : public SlicePane {
  Q_OBJECT
 public:
  ComparePane(PictureSource& source, ViewState& state, const QString& view, const QString& name,
              QWidget* parent = nullptr);

  // `levels_of`: the output whose window both panes use.
  void set_outputs(const Output& output, const Output& levels_of);
  void set_partner(ComparePane* other);
  void set_mode(CompareMode mode);
  [[nodiscard]] CompareMode mode() const { return mode_; }
  [[nodiscard]] double divider() const { return divider_; }  // fraction of the width
  // Keeps requesting images while hidden, because its partner shows them.
  void set_needed_by_partner() { needed_by_partner_ = true; }
  // Why the difference cannot be computed; empty if it can.
  [[nodiscard]] const QString& obstacle() const { return obstacle_; }

  // The name shown for this result: "A · FBP · Cutoff 1".
  void set_name(const QString& name);

  [[nodiscard]] Output output() const override { return output_; }
  // Compared labels have no overlay. Over a compared volume, the labels painted on it are shown.
  [[nodiscard]] Output labels_output() const override;
  [[nodiscard]] Output levels_output() const override { return levels_of_; }
  [[nodiscard]] std::optional<picture::Levels> shown_levels() const override;
  [[nodiscard]] QString kind_text() const override;

 protected:
  [[nodiscard]] bool is_needed() const override;
  // Both panes have the window of the left one's output; the image of the other value must not set it.
  [[nodiscard]] bool sets_levels() const override { return !needed_by_partner_; }
  [[nodiscard]] QString extra_caption() const override;
  [[nodiscard]] QString no_picture_text() const override;
  [[nodiscard]] ColorMap color_map() const override;
  void paint_over_picture(QPainter& painter) const override;
  void paint_marks(QPainter& painter) const override;
  bool mark_pressed(QPointF point, Qt::KeyboardModifiers modifiers) override;
  void mark_moved(QPointF point, Qt::KeyboardModifiers modifiers) override;
  void mark_released() override;
  bool key_pressed(QKeyEvent& event) override;

 private:
  void subtract();
  void set_divider(double part);
  QString name_;
  Output output_, levels_of_;
  QPointer<ComparePane> partner_;
  CompareMode mode_ = CompareMode::side_by_side;
  double divider_ = 0.5;
  bool dragging_ = false, shows_partner_ = false, needed_by_partner_ = false;
  QTimer flicker_;
  QString obstacle_;
  picture::Levels difference_levels_;
};

}  // namespace tl::ui
