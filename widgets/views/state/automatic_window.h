// AutomaticWindow: sets the grey window of every output for which the user has set none, by one rule for all panes.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <optional>
#include <vector>

#include "core/picture/levels.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

class ViewState;

// Ports with these suffixes denote the flat fields and dark frames of an output, which have their own windows.
QString port_with_series(const QString& port, live::PictureRequest::Series series);

// The images whose values determine the automatic window: the whole middle slice of a volume; the middle view of a scan
// and the one nearest to 90 degrees from it, since long objects absorb far more in one direction than in the other (the
// middle sinogram if its detector has few rows, or if it comes from a node that works on whole sinograms); the middle
// flat or dark. Empty while nothing is known about the output.
std::vector<live::PictureRequest> window_references(const PictureSource& source, const Output& output);

// The window spans the reference images' values without 0.2 % of the pixels at each end, independent of the pane, slice
// or coarse image on screen. It is renewed when no result has changed for a while: as long as a slider moves, equal
// values keep their grey. Until the reference images arrive, the first image shown determines it. GUI thread only.
class AutomaticWindow final : public QObject {
  Q_OBJECT
 public:
  AutomaticWindow(PictureSource& source, ViewState& state);
  ~AutomaticWindow() override;

  // A pane shows this image of the output.
  void shown(const Output& output, const live::Picture& picture);
  // The output's values may have changed.
  void changed(const Output& output);
  // Replaces the user's window by the automatic one.
  void choose(const Output& output);
  // For another pipeline.
  void clear();

 private:
  struct Entry {
    Output output;
    bool due = true;         // the reference images' values are not known for the current settings
    bool on_screen = false;  // a final image was shown since
    bool measured = false;
    std::vector<uint64_t> tickets;         // tickets of the requests for the reference images; 0 = answered
    std::optional<picture::Levels> found;  // of those answered so far
  };
  void look_at_graph();
  void measure(Entry& entry);
  void take(Entry& entry, const picture::Levels& levels);
  void end_requests(Entry& entry);
  void answered(const QString& view, const live::Picture& picture);

  PictureSource& source_;
  ViewState& state_;
  std::map<QString, Entry> entries_;
  Graph graph_;  // at the last change
  QTimer rest_;
  uint64_t tickets_ = 0;
};

}  // namespace tl::ui
