// PanePainting: from the mouse to a preview at once, and to a stroke of the pipeline when the button is released.
#include "widgets/views/panes/pane_painting.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "core/live/notification.h"
#include "core/strokes/plane_shapes.h"
#include "core/strokes/volume_shapes.h"
#include "widgets/labels/label_colors.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/state/paint_preview.h"

namespace tl::ui {
namespace {

double distance_to_segment(QPointF p, QPointF from, QPointF to) {
  const QPointF path = to - from;
  const double length = QPointF::dotProduct(path, path);
  const double along = length == 0 ? 0 : std::clamp(QPointF::dotProduct(p - from, path) / length, 0.0, 1.0);
  const QPointF off = p - from - along * path;
  return std::hypot(off.x(), off.y());
}

strokes::PaintPlane paint_plane(const PlaneView& plane) { return {plane.origin, plane.right, plane.up, plane.normal}; }

double smallest_edge(const VolumeGrid& grid) {
  return std::min({norm(grid.step_x), norm(grid.step_y), norm(grid.step_z)});
}

}  // namespace

std::vector<QPointF> simplified(const std::vector<QPointF>& path, double tolerance) {
  if (path.size() < 3) return path;
  // D. H. Douglas, T. K. Peucker, Cartographica 10, 1973.
  std::vector<bool> kept(path.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, path.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    std::size_t worst = first;
    double most = tolerance;
    for (std::size_t i = first + 1; i < last; ++i)
      if (const double off = distance_to_segment(path[i], path[first], path[last]); off > most) {
        most = off;
        worst = i;
      }
    if (worst == first) continue;
    kept[worst] = true;
    open.emplace_back(first, worst);
    open.emplace_back(worst, last);
  }
  std::vector<QPointF> few;
  for (std::size_t i = 0; i < path.size(); ++i)
    if (kept[i]) few.push_back(path[i]);
  return few;
}

PanePainting::PanePainting(SlicePane& pane) : QObject(&pane), pane_(pane) {
  connect(&pane.state().painter(), &Painter::changed, &pane, qOverload<>(&QWidget::update));
}

bool PanePainting::is_active() const {
  return pane_.state().painter().settings().tool && pane_.may_be_painted() && pane_.plane().has_value();
}

QString PanePainting::mode_text() const {
  const PaintTool tool = pane_.state().painter().settings().tool.value_or(PaintTool::brush);
  const int64_t number = pane_.state().label_view().current;
  const QString named = label_name(pane_.state().painter().table_of(pane_.output()), number);
  if (tool == PaintTool::eraser) return tr("erasing labels");
  return (tool == PaintTool::fill ? tr("filling with %1") : tr("painting %1"))
      .arg(named.isEmpty() ? tr("label %1").arg(number) : named);
}

double PanePainting::radius() const {
  const VolumeGrid* grid = pane_.grid();
  return grid == nullptr ? 0 : 0.5 * pane_.state().painter().settings().size * smallest_edge(*grid);
}

std::optional<PanePainting::Stroke> PanePainting::begun(PaintTool tool, QPointF point) const {
  ViewState& state = pane_.state();
  Painter& painter = state.painter();
  const auto plane = pane_.plane();
  const auto& shown = pane_.picture();
  if (!plane) return std::nullopt;
  // Painting right after a step to another slice need not wait for its image, unless grey values are needed.
  const bool is_shown = shown && shown->image && shown->request.region == Region(plane->region);
  const bool ranged = painter.settings().thresholded && (tool == PaintTool::brush || tool == PaintTool::ball);
  if (ranged && !is_shown) return std::nullopt;
  Result<Painter::Ground> ground = painter.ground(pane_.output());
  if (!ground.ok()) {
    painter.fail(ground.error());
    return std::nullopt;
  }
  Stroke stroke;
  stroke.tool = tool;
  stroke.ground = std::move(ground).value();
  stroke.plane = *plane;
  stroke.radius = radius();
  stroke.number = tool == PaintTool::eraser ? 0.0F : static_cast<float>(state.label_view().current);
  stroke.step = painter.step_text(tool, pane_.output());
  stroke.locked = state.label_view().locked;
  const live::Picture* labels = is_shown ? pane_.painted().labels_for(*shown) : nullptr;
  stroke.preview = labels == nullptr ? std::make_shared<PaintPreview>(plane->region, plane->rows, plane->cols)
                                     : std::make_shared<PaintPreview>(*labels);
  if (!ranged) return stroke;
  const auto* grid = std::get_if<VolumeGrid>(&shown->region);
  const auto levels = state.levels(pane_.levels_output());
  if (grid == nullptr || !levels) return std::nullopt;
  stroke.grey = {*grid, shown->image, 1};
  const double value = stroke.grey.at(plane->to_space(point));
  const double reach = painter.settings().tolerance * (levels->high - levels->low);
  if (std::isnan(value)) return std::nullopt;
  stroke.range = GreyRange{value - reach, value + reach};
  return stroke;
}

void PanePainting::press(QPointF point, Qt::KeyboardModifiers modifiers) {
  if (modifiers.testFlag(Qt::AltModifier)) return pick(point);
  const PaintTool tool = pane_.state().painter().settings().tool.value_or(PaintTool::brush);
  stroke_ = begun(tool, point);
  if (!stroke_) return;
  stroke_->path.push_back(point);
  pane_.painted().set_preview(stroke_->preview, pane_.state().painter().table_of(pane_.output()));
  if (tool == PaintTool::fill) {
    preview_region(point);
    return release();
  }
  if (tool != PaintTool::lasso) preview_path(point, point);
  pane_.update();
}

void PanePainting::move(QPointF point) {
  if (!stroke_ || stroke_->path.back() == point) return;
  if (stroke_->tool != PaintTool::lasso) preview_path(stroke_->path.back(), point);
  stroke_->path.push_back(point);
  pane_.update();
}

void PanePainting::release() {
  if (!stroke_) return;
  if (stroke_->tool == PaintTool::lasso) preview_polygon();
  const Stroke stroke = *stroke_;
  const strokes::VoxelSet voxels = covered();
  stroke_.reset();
  // The preview stays until the computed labels arrive; that of a failed stroke is removed.
  const auto done = [pane = QPointer<SlicePane>(&pane_), preview = stroke.preview](std::optional<uint64_t> graph) {
    if (pane.isNull() || pane->painted().preview() != preview) return;
    if (graph && !pane->labels_output().empty())
      pane->painted().show_preview_until(*graph);
    else
      pane->painted().set_preview(nullptr);
    pane->update();
  };
  Painter& painter = pane_.state().painter();
  const Painter::Dab dab{voxels, static_cast<uint16_t>(stroke.number), stroke.step};
  if (stroke.range && stroke.tool == PaintTool::ball)
    return painter.paint_in_range(stroke.ground, dab, *stroke.range, done);
  done(painter.paint(stroke.ground, dab));
}

strokes::VoxelSet PanePainting::covered() const {
  const Stroke& s = *stroke_;
  const VolumeGrid& grid = s.ground.grid;
  strokes::VoxelSet set(grid);
  const auto in_space = [&s](QPointF p) { return s.plane.to_space(p); };
  constexpr double tolerance = 0.1;  // of a voxel
  const std::vector<QPointF> path = simplified(s.path, tolerance * smallest_edge(grid));
  switch (s.tool) {
    case PaintTool::fill:
      strokes::add_region(set, *s.ground.labels, grid, s.plane.region, in_space(s.path.front()));
      break;
    case PaintTool::lasso: {
      std::vector<Vec3> corners;
      for (const QPointF& p : path) corners.push_back(in_space(p));
      strokes::add_polygon(set, grid, paint_plane(s.plane), corners);
      break;
    }
    case PaintTool::ball:
    case PaintTool::brush:
    case PaintTool::eraser:
      for (std::size_t i = 0; i < path.size(); ++i) {
        const Vec3 from = in_space(path[i == 0 ? 0 : i - 1]), to = in_space(path[i]);
        if (i == 0 && path.size() > 1) continue;
        if (s.tool == PaintTool::ball)
          strokes::add_ball(set, grid, from, to, s.radius);
        else
          strokes::add_disc(set, grid, paint_plane(s.plane), from, to, s.radius);
      }
      break;
  }
  if (s.range && s.tool == PaintTool::brush)
    set.keep_if([&](const strokes::Voxel& v) {
      return s.range->holds(
          s.grey.at(grid.position(static_cast<double>(v.k), static_cast<double>(v.j), static_cast<double>(v.i))));
    });
  return set;
}

bool PanePainting::may_paint(int64_t row, int64_t col) const {
  const float now = stroke_->preview->number(row, col);
  return !std::isnan(now) && stroke_->locked.count(std::llround(now)) == 0;
}

// Pixels in an area of the pane for whose centre `inside` is true.
template <class Inside>
void PanePainting::preview_where(const QRectF& area, const Inside& inside) {
  PaintPreview& preview = *stroke_->preview;
  const QRectF at = pane_.placement(preview.picture());
  const double width = at.width() / static_cast<double>(preview.cols());
  const double height = at.height() / static_cast<double>(preview.rows());
  const auto cell = [](double index, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(std::clamp(index, -1.0, 1e9))), 0, count - 1);
  };
  const QRectF visible_part = area.intersected(at);
  if (visible_part.width() < 0 || visible_part.height() < 0 ||
      !at.intersects(area.adjusted(-width, -height, width, height)))
    return;
  const int64_t last_row = cell((area.bottom() - at.top()) / height, preview.rows());
  const int64_t last_col = cell((area.right() - at.left()) / width, preview.cols());
  for (int64_t row = cell((area.top() - at.top()) / height, preview.rows()); row <= last_row; ++row)
    for (int64_t col = cell((area.left() - at.left()) / width, preview.cols()); col <= last_col; ++col) {
      const QPointF centre(at.left() + (static_cast<double>(col) + 0.5) * width,
                           at.top() + (static_cast<double>(row) + 0.5) * height);
      if (inside(centre) && may_paint(row, col)) preview.set(row, col, stroke_->number);
    }
}

void PanePainting::preview_path(QPointF from, QPointF to) {
  const Stroke& s = *stroke_;
  // The pixels under a fine brush count too, as in add_disc().
  const double least = 0.5 * std::min(s.plane.across, s.plane.along), r = std::max(s.radius, least);
  const QRectF area = QRectF(from, to).normalized().adjusted(-r, -r, r, r);
  preview_where(area, [&](QPointF p) {
    if (distance_to_segment(p, from, to) > r) return false;
    return !s.range || s.range->holds(s.grey.at(s.plane.to_space(p)));
  });
}

void PanePainting::preview_polygon() {
  QPolygonF polygon;
  for (const QPointF& p : stroke_->path) polygon << p;
  if (polygon.size() < 3) return;
  preview_where(polygon.boundingRect(), [&polygon](QPointF p) { return polygon.containsPoint(p, Qt::OddEvenFill); });
}

// Connected pixels of one label, as found by add_region().
void PanePainting::preview_region(QPointF point) {
  PaintPreview& preview = *stroke_->preview;
  const QRectF at = pane_.placement(preview.picture());
  const auto row =
      static_cast<int64_t>(std::floor((point.y() - at.top()) / at.height() * static_cast<double>(preview.rows())));
  const auto col =
      static_cast<int64_t>(std::floor((point.x() - at.left()) / at.width() * static_cast<double>(preview.cols())));
  const auto inside = [&preview](int64_t r, int64_t c) {
    return r >= 0 && c >= 0 && r < preview.rows() && c < preview.cols();
  };
  if (!inside(row, col) || !may_paint(row, col)) return;
  const float from = preview.number(row, col);
  if (from == stroke_->number) return;
  std::vector<std::pair<int64_t, int64_t>> open{{row, col}};
  preview.set(row, col, stroke_->number);
  while (!open.empty()) {
    const auto [r, c] = open.back();
    open.pop_back();
    for (const auto& [nr, nc] : {std::pair{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}})
      if (inside(nr, nc) && preview.number(nr, nc) == from) {
        preview.set(nr, nc, stroke_->number);
        open.emplace_back(nr, nc);
      }
  }
}

void PanePainting::pick(QPointF point) {
  // The label of a stroke, else the label computed from the strokes there.
  for (const LabelOverlay* overlay : {&pane_.painted(), &pane_.overlay_}) {
    const auto number = pane_.label_at(*overlay, point);
    if (!number || *number < 1) continue;
    LabelView view = pane_.state().label_view();
    view.current = *number;
    return pane_.state().set_label_view(view);
  }
}

void PanePainting::interpolate() {
  Painter& painter = pane_.state().painter();
  switch (pane_.orientation()) {
    case Orientation::xy: return painter.interpolate(pane_.output(), strokes::SliceAxis::z);
    case Orientation::xz: return painter.interpolate(pane_.output(), strokes::SliceAxis::y);
    case Orientation::yz: return painter.interpolate(pane_.output(), strokes::SliceAxis::x);
    case Orientation::oblique:
      return painter.notify(tr("Labels are interpolated between slices of an XY, XZ or YZ pane: choose one of these."));
  }
}

void PanePainting::change_size(int direction) {
  Painter& painter = pane_.state().painter();
  PaintSettings settings = painter.settings();
  settings.size = next_size(settings.size, direction);
  painter.set_settings(settings);
}

bool PanePainting::key(const QKeyEvent& event) {
  if (!pane_.may_be_painted()) return false;
  Painter& painter = pane_.state().painter();
  const bool shifted = event.modifiers().testFlag(Qt::ShiftModifier);
  const bool plain = (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
  if (!plain) return false;
  if (event.key() == Qt::Key_W && !shifted) {
    painter.take_last();
    return true;
  }
  if (!is_active()) return false;
  if (event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9 && !shifted) {
    LabelView view = pane_.state().label_view();
    view.current = event.key() - Qt::Key_0;
    pane_.state().set_label_view(view);
    return true;
  }
  const auto choose = [&painter](PaintTool tool) {
    if (painter.settings().tool != tool) painter.take(tool);
    return true;
  };
  const auto change = [&painter](const std::function<void(PaintSettings&)>& set) {
    PaintSettings settings = painter.settings();
    set(settings);
    painter.set_settings(settings);
    return true;
  };
  switch (event.key()) {
    case Qt::Key_B: return choose(shifted ? PaintTool::ball : PaintTool::brush);
    case Qt::Key_E: return choose(PaintTool::eraser);
    case Qt::Key_L: return choose(PaintTool::lasso);
    case Qt::Key_G: return choose(PaintTool::fill);
    case Qt::Key_T: return change([](PaintSettings& s) { s.thresholded = !s.thresholded; });
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight: change_size(event.key() == Qt::Key_BracketLeft ? -1 : 1); return true;
    case Qt::Key_BraceLeft:
    case Qt::Key_BraceRight:
      return change([&event](PaintSettings& s) {
        constexpr double finer = 0.8, least = 0.01;
        s.tolerance =
            std::clamp(event.key() == Qt::Key_BraceLeft ? s.tolerance * finer : s.tolerance / finer, least, 1.0);
      });
    case Qt::Key_I: interpolate(); return true;
    case Qt::Key_Escape: painter.put_away(); return true;
    default: return false;
  }
}

// A dark line under a light one, so that it is visible on any image.
void PanePainting::paint(QPainter& painter, std::optional<QPointF> hover) const {
  if (!is_active()) return;
  const PaintTool tool = pane_.state().painter().settings().tool.value_or(PaintTool::brush);
  QPainterPath outline;
  if (stroke_ && tool == PaintTool::lasso) {
    for (const QPointF& p : stroke_->path)
      outline.isEmpty() && outline.elementCount() == 0 ? outline.moveTo(pane_.to_widget(p))
                                                       : outline.lineTo(pane_.to_widget(p));
    outline.lineTo(pane_.to_widget(stroke_->path.front()));
  } else if (hover && (tool == PaintTool::brush || tool == PaintTool::ball || tool == PaintTool::eraser)) {
    constexpr double least = 1.5;  // px
    const double r = std::max(least, radius() * pane_.scale().width());
    outline.addEllipse(*hover, r, r);
  }
  if (outline.elementCount() == 0) return;
  const LabelTable table = pane_.state().painter().table_of(pane_.output());
  const QColor color = tool == PaintTool::eraser ? Theme::instance().picture_color(Token::text)
                                                 : QColor(label_rgb(table, pane_.state().label_view().current));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(0, 0, 0, 170), 3));
  painter.drawPath(outline);
  painter.setPen(QPen(color, 1.4, tool == PaintTool::eraser ? Qt::DashLine : Qt::SolidLine));
  painter.drawPath(outline);
}

}  // namespace tl::ui
