// PlotPanel: an interactive plot: zoom and pan by mouse and keys, a cursor that reads values, logarithmic axes, several
// series with a legend, export as SVG and CSV. All plots of the studio use it.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/plot/plot_content.h"
#include "widgets/plot/plot_figure.h"
#include "widgets/session/exports.h"

class QMenu;

namespace tl::ui {

// GUI thread only.
//
// Mouse: drag pans, the wheel zooms (Ctrl: x only, Shift: y only), Shift+drag zooms into a box, a double click shows
// everything, moving reads the nearest point. Keys: left and right move the cursor by a point, up and down change the
// series, + and - zoom, Ctrl+arrows pan, 0 shows everything, L and Shift+L switch logarithmic axes, Ctrl+C copies the
// numbers, Escape hides the cursor.
class PlotPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit PlotPanel(const QString& name, QWidget* parent = nullptr);  // `name`: accessible name
  ~PlotPanel() override;

  // Keeps the visible range if the user has zoomed or panned; otherwise shows everything.
  void set_content(PlotContent content);
  [[nodiscard]] const PlotContent& content() const;
  void show_all();
  void zoom(double factor);              // about the centre; above 1 zooms in
  void pan_by(double right, double up);  // as fractions of the visible range
  void set_scale(PlotSide side, PlotScale scale);
  [[nodiscard]] PlotScale scale(PlotSide side) const;
  [[nodiscard]] PlotRange range(PlotSide side) const;  // the visible one
  [[nodiscard]] bool shows_all() const { return follows_; }
  [[nodiscard]] QString read_text() const { return read_; }  // text at the cursor; empty without cursor
  [[nodiscard]] QPointF point_pixel(std::size_t series, std::size_t point) const;  // widget coordinates

  [[nodiscard]] QString csv() const;
  Result<void> save_csv(const QString& path) const;
  // On white, in the colours of the light theme, for publications. with_summary: also describes in words what it shows.
  enum class SvgWords { with_summary, none };
  [[nodiscard]] Result<QByteArray> svg(SvgWords words) const;
  Result<void> save_svg(const QString& path) const;
  void set_export_rules(ExportRules rules) { rules_ = std::move(rules); }
  void fill_menu(QMenu& menu);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void cursor_text_changed(const QString& text);
  void position_chosen(double x, double y);  // Ctrl+double click; in axis units

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Parts;
  void connect_mouse();
  void make_button();
  void apply_theme();
  void read_at(QPointF at);
  void move_cursor_to(const std::optional<PlotFigure::DataPoint>& place);
  void step_point(int by);
  void step_series(int by);
  void show_title();
  void toggle_scale(PlotSide side);
  void ask_and_save_csv();
  void ask_and_save_svg();
  void redraw();
  std::unique_ptr<Parts> parts_;
  bool follows_ = true;
  ExportRules rules_ = no_pipeline();
  QString read_;
};

}  // namespace tl::ui
