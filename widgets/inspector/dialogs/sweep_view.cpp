// SweepView: computes and shows a slice for nine settings, from nine copies of part of the pipeline.
#include "widgets/inspector/dialogs/sweep_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/graph/edit.h"
#include "core/graph/upstream.h"
#include "core/picture/quality.h"
#include "widgets/inspector/values/accept_value.h"
#include "widgets/inspector/values/special_params.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/typeset.h"
#include "widgets/theme/theme.h"
#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/pictures/picture_render.h"

namespace tl::ui {
namespace {

constexpr int per_row = 3;
constexpr int64_t memory = int64_t{2} << 30;  // bytes, cache of the sweep's own session

// The parameter that sets the axis in a copy of the pipeline. A node that finds the axis is first replaced by one that
// sets it.
Result<std::string> axis_parameter(GraphNode& at, const Registry& registry, const std::string& node) {
  const NodeType* type = registry.find(at.type);
  const SpecialParams special = special_params(*type);
  if (!special.axis.empty()) return special.axis;
  const NodeType* setter = special.found_axis.empty() ? nullptr : setter_for(registry, *type, special.found_axis);
  if (setter == nullptr) return invalid("no node sets the rotation axis", node);
  at = {setter->id, setter->version, {}};
  return special.found_axis;
}

Result<void> set_value(Graph& graph, const Registry& registry, const SweepTarget& target, double value) {
  GraphNode& at = graph.nodes.at(target.node);
  std::string param = target.param;
  if (target.is_axis()) {
    TL_TRY(param, axis_parameter(at, registry, target.node));
  }
  const ParamDecl* decl = registry.find(at.type)->param(param);
  if (decl == nullptr) return invalid("there is no parameter \"" + param + "\"", target.node);
  const ParamValue wanted = decl->kind == ParamKind::integer ? ParamValue{static_cast<int64_t>(std::llround(value))}
                                                             : ParamValue{Number{value, target.unit}};
  TL_TRY(decl->validate(wanted));
  at.use = NodeUse::active;
  at.params[param] = wanted;
  std::erase_if(graph.links, [&](const Link& l) { return l.to_node == target.node && l.to_port == param; });
  return ok();
}

}  // namespace

Result<SweepGraph> sweep_graph(const Graph& graph, const Registry& registry, const SweepTarget& target,
                               const std::vector<double>& values) {
  std::vector<SweepPoint> points;
  for (const double value : values) points.push_back({{target, value}});
  return sweep_graph(graph, registry, points);
}

Result<SweepGraph> sweep_graph(const Graph& graph, const Registry& registry, const std::vector<SweepPoint>& points) {
  if (points.empty() || points.front().empty()) return invalid("no parameter is chosen");
  const std::string& first = points.front().front().target.node;
  const Output volume = volume_for(graph, registry, QString::fromStdString(first));
  const std::string end = volume.node.toStdString();
  edit::Ids copied;
  for (const SweepSetting& setting : points.front()) {
    const edit::Ids changed = edit::downstream(graph, setting.target.node);
    if (volume.empty() || changed.count(end) == 0)
      return invalid("no reconstruction follows this node", setting.target.node, "Link it to one that makes a volume");
    copied.insert(changed.begin(), changed.end());
  }
  const Graph part = upstream_of(graph, {end});
  SweepGraph sweep;
  sweep.port = volume.port.toStdString();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string tail = "__sweep_" + std::to_string(i);
    Graph one = part;
    for (const SweepSetting& setting : points[i]) TL_TRY(set_value(one, registry, setting.target, setting.value));
    const auto renamed = [&](const std::string& id) { return copied.count(id) != 0 ? id + tail : id; };
    for (const auto& [id, in_graph] : one.nodes) sweep.graph.nodes[renamed(id)] = in_graph;
    for (const Link& l : one.links) {
      const Link link{renamed(l.from_node), l.from_port, renamed(l.to_node), l.to_port};
      if (std::find(sweep.graph.links.begin(), sweep.graph.links.end(), link) == sweep.graph.links.end())
        sweep.graph.links.push_back(link);
    }
    sweep.ids.push_back(renamed(end));
  }
  return sweep;
}

SweepView::SweepView(LiveSession& session, QWidget* parent) : QWidget(parent), session_(session) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 160);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Slices for nine values"));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}
SweepView::~SweepView() { stop(); }

void SweepView::stop() {
  own_.reset();
  document_.reset();
}

double SweepView::value(int tile) const {
  const int from_centre = down_ ? tile % per_row - per_row / 2 : tile - tiles / 2;
  return centre_ + from_centre * step_;
}
std::optional<double> SweepView::second(int tile) const {
  if (!down_) return std::nullopt;
  return down_->centre + (tile / per_row - per_row / 2) * down_->step;
}
std::optional<double> SweepView::score(int tile) const { return tiles_.at(static_cast<std::size_t>(tile)).score; }

bool SweepView::is_complete() const {
  return std::all_of(tiles_.begin(), tiles_.end(), [](const Tile& t) { return t.score.has_value(); });
}

int SweepView::best() const {
  // Negative values indicate a wrong axis, but say little about other parameters.
  if (!target_.is_axis() || down_ || !is_complete()) return -1;
  const auto least =
      std::min_element(tiles_.begin(), tiles_.end(), [](const Tile& a, const Tile& b) { return *a.score < *b.score; });
  return static_cast<int>(least - tiles_.begin());
}

void SweepView::sweep(const SweepTarget& target, double centre, double step) {
  target_ = target;
  centre_ = centre;
  step_ = step;
  down_.reset();
  begin();
}

void SweepView::sweep(const SweepRange& across, const SweepRange& down) {
  target_ = across.target;
  centre_ = across.centre;
  step_ = across.step;
  down_ = down;
  begin();
}

void SweepView::begin() {
  tiles_ = {};
  problem_.clear();
  current_ = tiles / 2;
  std::vector<SweepPoint> points;
  for (int i = 0; i < tiles; ++i) {
    points.push_back({{target_, value(i)}});
    if (down_) points.back().push_back({down_->target, *second(i)});
  }
  const Document& base = session_.document();
  Result<SweepGraph> made = sweep_graph(base.graph(), base.registry(), points);
  Q_EMIT scores_changed();
  update();
  if (!made.ok()) {
    problem_ = error_text(made.error());
    stop();
    return;
  }
  if (!own_) {
    document_ = std::make_unique<Document>(base.registry());
    live::EngineOptions options = session_.options();
    options.switches.thumbnails = false;
    options.memory = memory;
    own_ = std::make_unique<LiveSession>(*document_, options);
    connect(own_.get(), &LiveSession::picture_ready, this, &SweepView::take);
  }
  document_->reset(std::move(made.value().graph));
  for (int i = 0; i < tiles; ++i) {
    live::PictureRequest request{
        .node = made.value().ids[static_cast<std::size_t>(i)], .port = made.value().port, .coarse = 1};
    own_->request(QString::number(i), request);
  }
}

void SweepView::take(const QString& view, const live::Picture& picture) {
  const int tile = view.toInt();
  if (picture.error) problem_ = error_text(*picture.error);
  if (picture.error || !picture.image) return update();
  static const ColorLookup grey = make_lookup(ColorMap::grey, Qt::black);
  tiles_.at(static_cast<std::size_t>(tile)) = {
      render_picture(*picture.image, picture::percentile_levels(*picture.image, picture::clipped_percent), grey),
      picture::negative_share(*picture.image), picture::edge_share(*picture.image)};
  problem_.clear();
  update();
  Q_EMIT scores_changed();
}

QRect SweepView::tile_rect(int tile) const {
  const int w = width() / per_row, h = height() / per_row;
  return {tile % per_row * w, tile / per_row * h, w, h};
}

// The tool tip of the dialog explains the scores.
QString SweepView::words_of(int tile) const {
  const Tile& now = tiles_.at(static_cast<std::size_t>(tile));
  const auto number = [](double v, Unit unit) {
    return QStringLiteral("%1 %2").arg(v, 0, 'g', 6).arg(unit_text(unit)).trimmed();
  };
  QString words = number(value(tile), target_.unit);
  if (down_) words += QStringLiteral(" · ") + number(*second(tile), down_->target.unit);
  if (!now.score) return typeset(words);
  words += tr(" · negative %1 %").arg(100 * *now.score, 0, 'f', 2);
  if (!target_.is_axis() || down_) words += tr(" · edges %1").arg(now.edges, 0, 'g', 3);
  return typeset(words);
}

void SweepView::paint_tile(QPainter& painter, int tile) const {
  const Theme& theme = Theme::instance();
  const Tile& now = tiles_.at(static_cast<std::size_t>(tile));
  const QRect area = tile_rect(tile).adjusted(1, 1, -1, -1);
  painter.setClipRect(area);
  painter.fillRect(area, theme.color(Token::background));
  if (!now.picture.isNull()) {
    const QSizeF size = QSizeF(now.picture.size()).scaled(area.size(), Qt::KeepAspectRatio);
    QRectF target(QPointF(), size);
    target.moveCenter(QRectF(area).center());
    painter.drawImage(target, shrunk_for(now.picture, size.width() / now.picture.width()));
  }
  const QString text = words_of(tile);
  painter.setFont(Theme::number_font());
  const QRect words(area.left(), area.top(), painter.fontMetrics().horizontalAdvance(text) + Theme::space(4),
                    painter.fontMetrics().height() + Theme::space(2));
  QColor ground = theme.color(Token::background);
  ground.setAlphaF(0.75F);
  painter.fillRect(words, ground);
  const bool best_one = tile == best();
  painter.setPen(theme.color(best_one ? Token::good : Token::text));
  painter.drawText(words, Qt::AlignCenter, text);
  if (!best_one && tile != current_) return;
  painter.setPen(QPen(theme.color(best_one ? Token::good : Token::accent), tile == current_ && hasFocus() ? 3 : 1.5));
  painter.drawRect(area.adjusted(1, 1, -2, -2));
}

void SweepView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.fillRect(rect(), Theme::instance().color(Token::line));
  for (int i = 0; i < tiles; ++i) paint_tile(painter, i);
  painter.setClipping(false);
  if (problem_.isEmpty()) return;
  painter.setPen(Theme::instance().color(Token::error));
  painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, problem_);
}

void SweepView::choose(int tile) {
  current_ = std::clamp(tile, 0, tiles - 1);
  setAccessibleDescription(words_of(current_));
  update();
}

void SweepView::mousePressEvent(QMouseEvent* event) {
  for (int i = 0; i < tiles; ++i) {
    if (!tile_rect(i).contains(event->pos())) continue;
    choose(i);
    Q_EMIT chosen(value(i));
    Q_EMIT tile_chosen(i);
  }
}

void SweepView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: return choose(current_ - 1);
    case Qt::Key_Right: return choose(current_ + 1);
    case Qt::Key_Up: return choose(current_ - per_row);
    case Qt::Key_Down: return choose(current_ + per_row);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      Q_EMIT chosen(value(current_));
      Q_EMIT tile_chosen(current_);
      return;
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace tl::ui
