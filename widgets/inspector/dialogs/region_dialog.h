// RegionDialog: sets the region that a node keeps by drawing it on the node's input image.
#pragma once

#include <QDialog>
#include <optional>

#include "widgets/inspector/dialogs/region_view.h"
#include "widgets/inspector/values/special_params.h"
#include "widgets/session/live_session.h"

class QLabel;
class QSlider;

namespace tl::ui {

// GUI thread only. For nodes with SpecialParams::has_box().
class RegionDialog final : public QDialog {
  Q_OBJECT
 public:
  RegionDialog(LiveSession& session, const QString& node, QWidget* parent);
  ~RegionDialog() override;
  [[nodiscard]] RegionView& view() { return *region_; }

 private:
  // Size of the input. Rows of projections count downwards like the image's, rows of volumes upwards.
  struct Extent {
    int64_t frames = 1, rows = 1, cols = 1;
    enum class Rows { downwards, upwards } way = Rows::downwards;
    friend bool operator==(const Extent&, const Extent&) = default;
  };
  void refresh();
  void ask();
  void take(const QString& view, const live::Picture& picture);
  void write(const PictureBox& box);
  [[nodiscard]] std::optional<Extent> extent() const;
  [[nodiscard]] PictureBox box_of_node(const Extent& extent) const;
  [[nodiscard]] const GraphNode* in_graph() const;
  LiveSession& session_;
  QString node_, request_name_;
  SpecialParams special_;
  RegionView* region_;
  QSlider* frame_;
  QLabel *frame_text_, *size_text_;
  std::optional<Extent> shown_;
  Output asked_;
};

}  // namespace tl::ui
