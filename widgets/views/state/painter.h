// Painter: paints labels into the pipeline: finds or adds the node of a volume, appends strokes to its file, and makes
// each one an undo step.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/base/cancel.h"
#include "core/strokes/between_slices.h"
#include "core/strokes/painted_labels.h"
#include "widgets/views/pictures/picture_source.h"
#include "widgets/views/state/grey_range.h"
#include "widgets/views/state/paint_settings.h"

namespace tl::ui {

class ViewState;

// GUI thread only.
class Painter final : public QObject {
  Q_OBJECT
 public:
  Painter(PictureSource& source, ViewState& state);
  ~Painter() override;  // ends an interpolation in progress

  [[nodiscard]] const PaintSettings& settings() const { return settings_; }
  void set_settings(const PaintSettings& settings);
  void take(PaintTool tool);  // deactivates the tool if it is active already
  void take_last();
  void put_away();
  void close();  // before another pipeline: deactivates the tool, and unlocks the stroke file

  // The labels painted on a volume; empty: none yet.
  [[nodiscard]] Output labels_of(const Output& volume) const;

  // The labels and the volume on which a stroke is painted.
  struct Ground {
    Output volume;
    QString node;  // empty: the first stroke adds the node
    std::string file;
    int64_t stroke = 0;
    VolumeGrid grid;                                  // on which strokes are
    std::shared_ptr<strokes::PaintedLabels> painted;  // null: no file yet
    std::shared_ptr<const strokes::Bricks> labels;    // never null
  };
  // Errors: the volume is not known yet, or the file of strokes is missing or damaged.
  [[nodiscard]] Result<Ground> ground(const Output& volume) const;

  // A stroke of a tool.
  struct Dab {
    strokes::VoxelSet voxels;
    uint16_t number = 0;
    QString step;  // "Paint enamel", for the undo menu
  };
  // Paints over the present labels: others may have been painted or undone since `before`, whose grid the voxels refer
  // to. Returns the number of the graph with the stroke; nullopt if it changes no voxel, or if it failed: then failed()
  // is emitted.
  std::optional<uint64_t> paint(const Ground& before, const Dab& dab);
  // Like paint(), but only on voxels with grey values in the range, when these have arrived; calls `done` with the
  // result of paint().
  void paint_in_range(const Ground& ground, const Dab& dab, GreyRange range,
                      const std::function<void(std::optional<uint64_t>)>& done);
  // Paints the current label between the painted slices across an axis; computed on another thread.
  void interpolate(const Output& volume, strokes::SliceAxis axis);
  [[nodiscard]] bool is_interpolating() const { return interpolating_; }

  void fail(const Error& error);
  void notify(const QString& what) { Q_EMIT notice(what); }
  // "Paint enamel": name of the undo step of a tool with the current label.
  [[nodiscard]] QString step_text(PaintTool tool, const Output& volume) const;
  [[nodiscard]] LabelTable table_of(const Output& volume) const;

 Q_SIGNALS:
  void changed();                    // the settings
  void failed(const QString& why);   // nothing was painted
  void notice(const QString& what);  // a message for the user
  void painted(const QString& node);

 private:
  struct Waiting {
    Ground ground;
    Dab dab;
    GreyRange range;
    std::function<void(std::optional<uint64_t>)> done;
  };
  std::optional<uint64_t> paint_over(const Ground& ground, const Dab& dab);
  void notify_of_class(const Output& volume, uint16_t number, const QString& node);
  void take_picture(const QString& view, const live::Picture& picture);
  [[nodiscard]] std::string set_stroke(Graph& graph, const Ground& ground, const std::string& file,
                                       int64_t stroke) const;
  PictureSource& source_;
  ViewState& state_;
  PaintSettings settings_;
  std::map<QString, Waiting> waiting_;  // by the view that requests grey values
  int asked_ = 0;
  QThreadPool pool_;
  CancelToken cancel_;
  bool interpolating_ = false;
  std::shared_ptr<strokes::PaintedLabels> open_;  // the last stroke file, locked while it is open
  std::string reported_note_;
  std::set<uint16_t> reported_numbers_;
};

}  // namespace tl::ui
