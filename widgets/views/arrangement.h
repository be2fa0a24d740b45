// Arrangement: which panes the views area shows, chosen by the shape of the data unless the user has changed it.
#pragma once

#include <QByteArray>
#include <array>
#include <map>
#include <optional>

#include "widgets/views/view_cell.h"

namespace tl::ui {

// small: next to the canvas. see: most of the window. compare: two results with one camera, slice and window.
enum class ViewsLayout { small, see, compare };

// flat_...: few slices or detector rows, for which vertical slices and a 3D view are useless. scan: projections without
// a volume. ..._alone: a volume without projections, whose panes would be empty.
enum class DataShape { volume, flat_volume, scan, flat_scan, volume_alone, flat_alone };
// The shape of the shown data; nullopt while nothing is known about them.
std::optional<DataShape> data_shape(const PictureSource& source, const Output& volume, const Output& projections);

// The panes of the four cells, which are the quarters of the area: upper left, upper right, lower left, lower right.
struct Arrangement {
  static constexpr std::size_t cells = 4;
  std::array<PaneKind, cells> kinds{};
  std::array<bool, cells> shown{true, true, true, true};
  friend bool operator==(const Arrangement&, const Arrangement&) = default;
};
Arrangement default_arrangement(ViewsLayout layout, DataShape shape);

// The user's last arrangement for each layout and shape of data.
class Arrangements {
 public:
  [[nodiscard]] Arrangement of(ViewsLayout layout, DataShape shape) const;
  void change(ViewsLayout layout, DataShape shape, const Arrangement& to);
  void reset() { changed_.clear(); }
  // Text for the settings. Entries that cannot be read get their defaults.
  [[nodiscard]] QByteArray text() const;
  void read(const QByteArray& text);

 private:
  std::map<std::pair<ViewsLayout, DataShape>, Arrangement> changed_;
};

}  // namespace tl::ui
