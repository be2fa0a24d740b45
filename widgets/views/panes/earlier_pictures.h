// EarlierPictures: stores the sharp slices of the live pane for each pipeline that undo can restore, so that the slice
// before the last step can be shown.
#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <optional>

#include "core/live/notification.h"
#include "widgets/views/panes/slice_pane.h"

namespace tl::ui {

struct EarlierPicture {
  live::Picture picture;
  Orientation orientation = Orientation::xy;
  VolumeGrid grid;    // grid of the volume that the slice was cut from
  QString step = {};  // the change since then: "Change Axis"; empty while learned values are shown
  std::optional<live::Picture> labels = {};  // over it
  LabelTable label_table = {};
};

// GUI thread only. Nothing is computed: only images that were shown sharp are available.
class EarlierPictures final : public QObject {
  Q_OBJECT
 public:
  // `live` returns the pane of the live slice, or nullptr while there is none.
  EarlierPictures(PictureSource& source, std::function<const SlicePane*()> live, QObject* parent = nullptr);
  // The live slice before the newest step; while the live slice shows learned values that are not accepted, with the
  // values of the pipeline. If that slice was never sharp, the last viewed slice of the newest step that has one.
  [[nodiscard]] const std::optional<EarlierPicture>& shown() const { return shown_; }
  // Keeps showing the present live slice, with the name "window 12"; false: there is no sharp one.
  bool pin();
  void unpin();
  [[nodiscard]] bool is_pinned() const { return pinned_.has_value(); }
  void follow_slice();  // the live pane shows another slice

 Q_SIGNALS:
  void changed();

 private:
  struct Kept {
    std::map<std::string, GraphNode> nodes;
    std::vector<Link> links;
    std::deque<EarlierPicture> pictures;  // newest first, at least one; one per slice
    [[nodiscard]] bool is_of(const Graph& graph) const { return nodes == graph.nodes && links == graph.links; }
  };
  void take(const QString& view, const live::Picture& picture);
  void keep(const live::Picture& picture, const SlicePane& live);
  void keep_labels(const live::Picture& below, const SlicePane& live);
  void drop_unreachable();
  void drop_beyond_memory();
  void choose();
  [[nodiscard]] const EarlierPicture* find(const Graph& graph) const;

  PictureSource& source_;
  std::function<const SlicePane*()> live_;
  std::deque<Kept> kept_;  // newest first; one per graph
  bool shows_learned_ = false;
  std::optional<EarlierPicture> shown_, pinned_;
  std::optional<live::Picture> labels_;  // newest sharp labels of the live pane
};

}  // namespace tl::ui
