// PlotPanel: handles mouse, keys and menu of a plot.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

#include "widgets/plot/custom_plot.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/plot/plot_parts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr double key_zoom = 1.25, key_move = 0.1;

// Keys of the plot, which take precedence over shortcuts of the window.
bool is_ours(const QKeyEvent& event) {
  const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
  const bool plain = modifiers == Qt::NoModifier || modifiers == Qt::ShiftModifier;
  switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return modifiers == Qt::NoModifier || modifiers == Qt::ControlModifier;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
    case Qt::Key_Equal:
    case Qt::Key_0:
    case Qt::Key_L: return plain;
    case Qt::Key_C: return modifiers == Qt::ControlModifier;
    default: return false;
  }
}

}  // namespace

void PlotPanel::connect_mouse() {
  QCustomPlot* plot = parts_->plot;
  plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  connect(plot, &QCustomPlot::mousePress, this, [this, plot](QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const bool box = event->modifiers().testFlag(Qt::ShiftModifier) && event->button() == Qt::LeftButton;
    plot->setSelectionRectMode(box ? QCP::srmZoom : QCP::srmNone);
    const Theme& theme = Theme::instance();
    plot->selectionRect()->setPen(QPen(theme.color(Token::accent)));
    QColor fill = theme.color(Token::accent);
    fill.setAlphaF(0.15F);
    plot->selectionRect()->setBrush(fill);
    parts_->moving = event->button() == Qt::LeftButton;
    if (box) follows_ = false;
  });
  connect(plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent*) { parts_->moving = false; });
  connect(plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (parts_->moving && event->buttons().testFlag(Qt::LeftButton)) {
      follows_ = false;
      return;
    }
    read_at(event->position());
  });
  connect(plot, &QCustomPlot::mouseDoubleClick, this, [this, plot](QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
      Q_EMIT position_chosen(plot->xAxis->pixelToCoord(event->position().x()),
                             plot->yAxis->pixelToCoord(event->position().y()));
      return;
    }
    show_all();
  });
  connect(plot, &QCustomPlot::mouseWheel, this, [this, plot](QWheelEvent* event) {
    Qt::Orientations sides = Qt::Horizontal | Qt::Vertical;
    if (event->modifiers().testFlag(Qt::ControlModifier)) sides = Qt::Horizontal;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) sides = Qt::Vertical;
    plot->axisRect()->setRangeZoom(sides);
    follows_ = false;
  });
}

bool PlotPanel::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && is_ours(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

bool PlotPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Leave && !hasFocus()) move_cursor_to({});
  return QWidget::eventFilter(watched, event);
}

void PlotPanel::read_at(QPointF at) {
  if (content().map && content().series.empty()) {
    read_ = parts_->figure.map_text(at);
  } else if (content().map) {
    // Over a map: reads a point of the path if the mouse is on one, otherwise the map.
    const auto place = parts_->figure.nearest(at);
    constexpr double reach = 8;  // px
    if (place && QLineF(parts_->figure.pixel(*place), at).length() < reach) return move_cursor_to(place);
    move_cursor_to({});
    read_ = parts_->figure.map_text(at);
  } else {
    return move_cursor_to(parts_->figure.nearest(at));
  }
  show_title();
  redraw();
  Q_EMIT cursor_text_changed(read_);
}

void PlotPanel::move_cursor_to(const std::optional<PlotFigure::DataPoint>& place) {
  if (place == parts_->place && (place || read_.isEmpty())) return;
  parts_->place = place;
  parts_->figure.point_at(place);
  read_ = place ? parts_->figure.point_text(*place) : QString();
  show_title();
  redraw();
  Q_EMIT cursor_text_changed(read_);
}

void PlotPanel::step_point(int by) {
  if (content().series.empty()) return;
  PlotFigure::DataPoint place = parts_->place.value_or(PlotFigure::DataPoint{});
  const auto count = static_cast<int>(content().series.at(place.series).x.size());
  if (count == 0) return;
  const int at = parts_->place ? static_cast<int>(place.point) + by : (by > 0 ? 0 : count - 1);
  place.point = static_cast<std::size_t>(std::clamp(at, 0, count - 1));
  move_cursor_to(place);
}

void PlotPanel::step_series(int by) {
  const auto count = static_cast<int>(content().series.size());
  if (count == 0) return;
  PlotFigure::DataPoint place = parts_->place.value_or(PlotFigure::DataPoint{});
  place.series = static_cast<std::size_t>((static_cast<int>(place.series) + by + count) % count);
  const std::size_t points = content().series[place.series].x.size();
  if (points == 0) return;
  place.point = std::min(place.point, points - 1);
  move_cursor_to(place);
}

void PlotPanel::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  switch (event->key()) {
    case Qt::Key_Left: return control ? pan_by(-key_move, 0) : step_point(-1);
    case Qt::Key_Right: return control ? pan_by(key_move, 0) : step_point(1);
    case Qt::Key_Up: return control ? pan_by(0, key_move) : step_series(-1);
    case Qt::Key_Down: return control ? pan_by(0, -key_move) : step_series(1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(key_zoom);
    case Qt::Key_Minus: return zoom(1 / key_zoom);
    case Qt::Key_0: return show_all();
    case Qt::Key_L: return toggle_scale(shift ? PlotSide::x : PlotSide::y);
    case Qt::Key_C:
      if (!control) break;
      QGuiApplication::clipboard()->setText(csv());
      return;
    case Qt::Key_Escape:
      if (!parts_->place) break;
      return move_cursor_to({});
    default: break;
  }
  QWidget::keyPressEvent(event);
}

void PlotPanel::fill_menu(QMenu& menu) {
  menu.addAction(tr("Show everything\t0"), this, &PlotPanel::show_all)->setEnabled(!follows_);
  for (const PlotSide side : {PlotSide::y, PlotSide::x}) {
    QAction* log = menu.addAction(side == PlotSide::y ? tr("Logarithmic y axis\tL") : tr("Logarithmic x axis\tShift+L"),
                                  this, [this, side] { toggle_scale(side); });
    log->setCheckable(true);
    log->setChecked(scale(side) == PlotScale::logarithmic);
    log->setEnabled(parts_->figure.may_be_logarithmic(side));
  }
  menu.addSeparator();
  menu.addAction(tr("Copy the numbers\tCtrl+C"), this, [this] { QGuiApplication::clipboard()->setText(csv()); });
  menu.addAction(tr("Save as CSV…"), this, &PlotPanel::ask_and_save_csv);
  menu.addAction(tr("Save as SVG…"), this, &PlotPanel::ask_and_save_svg);
}

void PlotPanel::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  fill_menu(menu);
  menu.exec(event->globalPos());
}

void PlotPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  parts_->menu->move(width() - parts_->menu->width() - 1, 1);
  parts_->menu->raise();
  show_title();
}

void PlotPanel::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}
void PlotPanel::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void PlotPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::instance();
  painter.fillRect(rect(), theme.color(Token::dock));
  if (!hasFocus()) return;
  painter.setPen(theme.color(Token::accent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace tl::ui
