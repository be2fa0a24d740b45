// PlotPanel: shows an interactive plot: keeps content and visible range, exports numbers and drawing.
#include "widgets/plot/plot_panel.h"

#include <QBuffer>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/plot/custom_plot.h"
#include "widgets/plot/plot_parts.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr QSize usual_size(300, 150), min_size(160, 96);  // px
constexpr QSize svg_size(640, 360);                       // px
constexpr int button_side = 20;                           // px

const TokenSet& tokens_named(std::string_view name) {
  for (const TokenSet& set : token_sets())
    if (set.name == name) return set;
  return token_sets().front();
}

}  // namespace

PlotPanel::PlotPanel(const QString& name, QWidget* parent) : QWidget(parent), parts_(std::make_unique<Parts>(this)) {
  setAccessibleName(name);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setToolTip(
      tr("Drag to move, wheel to zoom (Ctrl: x, Shift: y), Shift and drag for a box, double click for everything."
         "\nKeys: left and right read values, + and - zoom, Ctrl and arrows move, 0 everything, L logarithmic."));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->addWidget(parts_->plot);
  parts_->plot->setFocusPolicy(Qt::NoFocus);
  parts_->plot->installEventFilter(this);
  make_button();
  connect_mouse();
  connect(&Theme::instance(), &Theme::changed, this, &PlotPanel::apply_theme);
  apply_theme();
}
PlotPanel::~PlotPanel() = default;

void PlotPanel::make_button() {
  QToolButton* menu = parts_->menu;
  menu->setAutoRaise(true);
  menu->setFocusPolicy(Qt::NoFocus);  // the context-menu key opens the same menu
  menu->setIcon(glyph_icon(Glyph::menu));
  menu->setIconSize(QSize(14, 14));
  menu->setFixedSize(button_side, button_side);
  menu->setToolTip(tr("Scales, export"));
  menu->setAccessibleName(tr("Menu of the plot"));
  connect(menu, &QToolButton::clicked, this, [this] {
    QMenu list(this);
    fill_menu(list);
    list.exec(parts_->menu->mapToGlobal(parts_->menu->rect().bottomLeft()));
  });
}

void PlotPanel::set_content(PlotContent content) {
  parts_->figure.set_content(std::move(content));
  if (follows_) parts_->figure.fit();
  setAccessibleDescription(plot_summary(this->content()));
  show_title();
  redraw();
}
const PlotContent& PlotPanel::content() const { return parts_->figure.content(); }

void PlotPanel::show_all() {
  follows_ = true;
  parts_->figure.fit();
  redraw();
}

void PlotPanel::zoom(double factor) {
  follows_ = false;
  QCustomPlot& plot = *parts_->plot;
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
    axis->scaleRange(1 / factor, axis->pixelToCoord(axis == plot.xAxis ? plot.axisRect()->center().x()
                                                                       : plot.axisRect()->center().y()));
  redraw();
}

void PlotPanel::pan_by(double right, double up) {
  follows_ = false;
  QCustomPlot& plot = *parts_->plot;
  const auto shift = [](QCPAxis& axis, double share) {
    const QCPRange range = axis.range();
    if (axis.scaleType() == QCPAxis::stLogarithmic)
      axis.setRange(range * std::pow(range.upper / range.lower, share));
    else
      axis.moveRange(share * range.size());
  };
  shift(*plot.xAxis, right);
  shift(*plot.yAxis, up);
  redraw();
}

void PlotPanel::set_scale(PlotSide side, PlotScale scale) {
  if (scale == PlotScale::logarithmic && !parts_->figure.may_be_logarithmic(side)) return;
  parts_->figure.set_scale(side, scale);
  show_title();
  show_all();
}
PlotScale PlotPanel::scale(PlotSide side) const { return parts_->figure.scale(side); }
PlotRange PlotPanel::range(PlotSide side) const {
  const QCPRange range = (side == PlotSide::x ? parts_->plot->xAxis : parts_->plot->yAxis)->range();
  return {range.lower, range.upper};
}
QPointF PlotPanel::point_pixel(std::size_t series, std::size_t point) const {
  return parts_->figure.pixel({series, point}) + QPointF(parts_->plot->pos());
}

void PlotPanel::toggle_scale(PlotSide side) {
  set_scale(side, scale(side) == PlotScale::linear ? PlotScale::logarithmic : PlotScale::linear);
}

void PlotPanel::apply_theme() {
  parts_->figure.set_tokens(tokens_named(Theme::instance().name().toStdString()));
  parts_->menu->setIcon(glyph_icon(Glyph::menu));
  show_title();
  redraw();
}

void PlotPanel::show_title() {
  QString text = parts_->figure.title();
  if (!read_.isEmpty()) text += QStringLiteral(" · ") + read_;
  QFont font = Theme::number_font();
  font.setPixelSize(11);
  const int room = width() - button_side - Theme::space(3);
  parts_->figure.set_title(QFontMetrics(font).elidedText(text, Qt::ElideRight, std::max(room, 40)));
}

// A plot that is hidden or has no size is painted when it is shown.
void PlotPanel::redraw() {
  if (isVisible() && !parts_->plot->size().isEmpty()) parts_->plot->replot(QCustomPlot::rpQueuedReplot);
}
void PlotPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  redraw();
}

QString PlotPanel::csv() const { return plot_csv(content()); }
Result<void> PlotPanel::save_csv(const QString& path) const { return write_export(path, csv().toUtf8(), rules_); }

Result<QByteArray> PlotPanel::svg(SvgWords words) const {
  // Uses a separate plot, so that the one on screen keeps its colours and cursor.
  QCustomPlot plot;
  PlotFigure figure(plot);
  figure.set_tokens(tokens_named("light"));
  figure.set_content(content());
  for (const PlotSide side : {PlotSide::x, PlotSide::y}) figure.set_scale(side, scale(side));
  figure.fit();
  plot.xAxis->setRange(parts_->plot->xAxis->range());
  plot.yAxis->setRange(parts_->plot->yAxis->range());
  plot.setBackground(QBrush(Qt::white));
  QBuffer file;
  const Error not_drawn = unavailable("the plot cannot be drawn", figure.title().toStdString());
  if (!file.open(QIODevice::WriteOnly)) return not_drawn;
  QSvgGenerator svg;
  svg.setOutputDevice(&file);
  svg.setSize(svg_size);
  svg.setViewBox(QRect(QPoint(0, 0), svg_size));
  if (words == SvgWords::with_summary) {
    svg.setTitle(figure.title());
    svg.setDescription(plot_summary(content()));
  }
  QCPPainter painter;
  if (!painter.begin(&svg)) return not_drawn;
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  plot.toPainter(&painter, svg_size.width(), svg_size.height());
  painter.end();
  return file.data();
}

Result<void> PlotPanel::save_svg(const QString& path) const {
  TL_TRY(const QByteArray drawing, svg(SvgWords::with_summary));
  return write_export(path, drawing, rules_);
}

void PlotPanel::ask_and_save_csv() {
  const QString path = ask_for_file(this, {tr("Save the numbers"), tr("plot.csv"), tr("Tables (*.csv)"), {".csv"}});
  if (path.isEmpty()) return;
  if (const Result<void> saved = save_csv(path); !saved.ok())
    QMessageBox::warning(this, tr("Save the numbers"), error_text(saved.error()));
}
void PlotPanel::ask_and_save_svg() {
  const QString path = ask_for_file(this, {tr("Save the plot"), tr("plot.svg"), tr("Drawings (*.svg)"), {".svg"}});
  if (path.isEmpty()) return;
  if (const Result<void> saved = save_svg(path); !saved.ok())
    QMessageBox::warning(this, tr("Save the plot"), error_text(saved.error()));
}

QSize PlotPanel::sizeHint() const { return usual_size; }
QSize PlotPanel::minimumSizeHint() const { return min_size; }

}  // namespace tl::ui
