// ViewsArea: the panes of the window: their layout, the active pane, and all actions of the views.
#pragma once

#include <QWidget>
#include <array>

#include "widgets/session/live_session.h"
#include "widgets/session/selection.h"
#include "widgets/views/arrangement.h"

class QSplitter;
class QStackedLayout;

namespace tl::ui {

class CompareArea;
struct EarlierPicture;
class EarlierPictures;
class SlicePane;
class VolumePane;

// Contents of an export: the view with its annotations, only its pixels, a movie of the 3D view.
enum class ViewExport { annotated, pixels, movie };

// GUI thread only.
class ViewsArea final : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::size_t cells = Arrangement::cells;
  ViewsArea(LiveSession& session, Selection& selection, QWidget* parent = nullptr);
  explicit ViewsArea(PictureSource& source, QWidget* parent = nullptr);  // the source must outlive it
  ~ViewsArea() override;

  [[nodiscard]] ViewState& state() { return *state_; }
  [[nodiscard]] PictureSource& source() { return source_; }
  void set_layout(ViewsLayout layout);
  [[nodiscard]] ViewCell& cell(std::size_t index) { return *cells_.at(index); }
  // Shows another kind of pane until the layout or the shape of the data changes; it is not stored.
  void show_for_now(std::size_t index, PaneKind kind);
  // The user's changes of panes, for the settings; an empty text restores the defaults.
  [[nodiscard]] QByteArray arrangements() const { return arrangements_.text(); }
  void restore_arrangements(const QByteArray& text);
  // Created when the compare layout is first shown; nullptr before.
  [[nodiscard]] CompareArea* compare_area() { return compare_; }
  // Keeps showing the present window of a stream, next to panes that follow the stream.
  bool pin_window();
  void unpin_window();
  [[nodiscard]] bool has_pinned_window() const;
  // The live slice before the newest step, see EarlierPictures::shown().
  [[nodiscard]] const std::optional<EarlierPicture>& earlier() const;
  void update_ages();  // of windows
  [[nodiscard]] ViewCell& active_cell() { return *cells_.at(active_); }
  [[nodiscard]] VolumePane* visible_volume();  // the active 3D pane, else the first visible one; or nullptr
  [[nodiscard]] ImagePane* active_pane();      // nullptr if the 3D pane is active
  [[nodiscard]] std::vector<ImagePane*> visible_panes();
  [[nodiscard]] ImagePane* visible_pane(const QString& kind);  // `kind`: such as "xy"; nullptr if there is none
  // For the window's action search; the shortcuts are handled by the panes.
  [[nodiscard]] QList<QAction*> view_actions() const { return actions_; }
  // Actions of the 3D pane: the active one, else the first visible one. Without one, an action tells where to find it.
  [[nodiscard]] QList<QAction*> volume_actions() const { return volume_actions_; }

  void fill(std::size_t index);                                         // maximises that cell, or shows all again
  Result<void> export_png(const QString& path, Annotation annotation);  // the active pane

 Q_SIGNALS:
  void hovered(const QString& value);
  void active_changed();
  void panes_changed();        // a cell shows another kind of pane
  void arrangement_changed();  // by the user
  void export_wanted(tl::ui::ViewExport what);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void make_actions();
  void make_volume_actions();
  void on_volume(const std::function<void(VolumePane&)>& act);
  void show_cells();
  void arrange();
  void look_at_shape();
  void remember_arrangement();
  void toggle_all_cells();
  void toggle_before();
  [[nodiscard]] SlicePane* live_slice() const;  // the large slice pane, unless it shows projections
  void copy_to_clipboard();
  [[nodiscard]] QImage exported(Annotation annotation);
  QAction* add_action(const QString& text, const QKeySequence& key, const std::function<void()>& act);

  PictureSource& source_;
  ViewState* state_;
  EarlierPictures* earlier_;
  std::optional<PaneKind> kind_before_pin_;  // previous kind of the pane that shows the pinned window
  std::array<ViewCell*, cells> cells_{};
  Arrangements arrangements_;
  ViewsLayout layout_ = ViewsLayout::small;
  DataShape shape_ = DataShape::volume;  // the last one known
  std::size_t active_ = 0;
  std::optional<std::size_t> filled_;
  QSplitter *across_ = nullptr, *left_ = nullptr, *right_ = nullptr;
  QStackedLayout* pages_ = nullptr;
  CompareArea* compare_ = nullptr;
  live::EngineOptions options_;  // for the session that computes the other value of a comparison
  QList<QAction*> actions_, volume_actions_;
  bool switching_ = false;
  bool lacks_scan_ = false;  // nothing can be shown before a file is chosen: one pane shows a message
  bool is_narrow_ = false;   // too narrow for two columns: only the left one is shown
};

}  // namespace tl::ui
