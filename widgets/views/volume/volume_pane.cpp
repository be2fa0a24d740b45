// VolumePane: requests a small binned box until the whole volume has been computed, and shows what VolumeThread
// renders.
#include "widgets/views/volume/volume_pane.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/views/panes/pane_painter.h"
#include "widgets/views/volume/volume_thread.h"

namespace tl::ui {
namespace {

constexpr int64_t soon = 128;  // voxels per axis that are computed for this pane alone
constexpr int64_t most = 384;  // voxels per axis of a volume that has been computed
constexpr int settle_ms = 140;
constexpr double turn_step = pi / 360;  // rad per px
constexpr double key_turn = pi / 36;
constexpr int shades = 64;

VolumeGrid at_most(const VolumeGrid& grid, int64_t limit) {
  const int64_t widest = std::max({grid.nx, grid.ny, grid.nz});
  return widest <= limit ? grid : grid.binned((widest + limit - 1) / limit);
}

}  // namespace

VolumePane::VolumePane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent)
    : QWidget(parent), source_(source), state_(state), view_(view) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 90);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Volume in 3D"));
  settle_.setSingleShot(true);
  connect(&settle_, &QTimer::timeout, this, [this] { send(VolumeDetail::still); });
  connect(&source_, &PictureSource::picture_ready, this, &VolumePane::take);
  const auto ask_anew = [this] {
    if (wanted() != asked_) refresh();
  };
  connect(&source_, &PictureSource::infos_changed, this, ask_anew);
  connect(&source_, &PictureSource::status_changed, this, [this, ask_anew](const QString& node) {
    if (node != state_.volume().node) return;
    if (source_.status(node).state == live::State::stale) stale_ = true;
    ask_anew();
    update();
  });
  connect(&state_, &ViewState::outputs_changed, this, [this] {
    forget_picture();
    refresh();
  });
  connect(&state_, &ViewState::levels_changed, this, [this](const QString& key) {
    if (key == state_.volume().key()) changed();
  });
  connect(&state_, &ViewState::colors_changed, this, &VolumePane::changed);
  connect(&state_, &ViewState::opacity_changed, this, &VolumePane::changed);
  connect(&Theme::instance(), &Theme::changed, this, &VolumePane::changed);
}
VolumePane::~VolumePane() { source_.forget(view_); }

const VolumeGrid* VolumePane::grid() const {
  const Info* info = state_.volume().empty() ? nullptr : source_.info(state_.volume());
  if (info == nullptr) return nullptr;
  if (const auto* volume = std::get_if<VolumeInfo>(info)) return &volume->grid;
  if (const auto* labels = std::get_if<LabelsInfo>(info)) return &labels->grid;
  return nullptr;
}

std::optional<VolumeGrid> VolumePane::wanted() const {
  const VolumeGrid* all = grid();
  if (!isVisible() || all == nullptr || std::min({all->nx, all->ny, all->nz}) < 2) return std::nullopt;
  // Not the state: it is "running" while this very picture is computed, and asking for the small box then would cancel
  // it, again and again.
  const VolumeGrid box = at_most(*all, source_.status(state_.volume().node).whole ? most : soon);
  // A volume binned to a single slice would be a plane.
  return std::min({box.nx, box.ny, box.nz}) < 2 ? std::nullopt : std::optional(box);
}

void VolumePane::forget_picture() {
  shown_.reset();
  image_ = {};
  error_.reset();
  first_ticket_.reset();
  stale_ = settled_ = false;
  update();
}

void VolumePane::refresh() {
  const auto box = wanted();
  asked_ = box;
  if (!box) {
    source_.forget(view_);
    error_.reset();
    update();
    return;
  }
  live::PictureRequest request;
  request.node = state_.volume().node.toStdString();
  request.port = state_.volume().port.toStdString();
  request.region = *box;
  request.coarse = 2;
  request.ticket = ticket_ = source_.next_ticket();
  if (!first_ticket_) first_ticket_ = ticket_;
  source_.request(view_, request);
  update();
}

void VolumePane::take(const QString& view, const live::Picture& picture) {
  if (view != view_ || !asked_ || !first_ticket_) return;
  if (picture.request.ticket < *first_ticket_ || picture.request.ticket > ticket_) return;
  if (picture.error) {
    if (picture.error->kind != ErrorKind::cancelled) error_ = picture.error;
    update();
    return;
  }
  if (!picture.image || picture.slices < 2 || picture.image->rows % picture.slices != 0) return;
  error_.reset();
  stale_ = false;
  shown_ = picture;
  VolumeVoxels voxels{picture.image, picture.slices, *asked_};
  const auto stretch = [](int64_t& n, Vec3& step, int64_t now) {
    step = (static_cast<double>(n) / static_cast<double>(now)) * step;
    n = now;
  };
  stretch(voxels.grid.nx, voxels.grid.step_x, picture.image->cols);
  stretch(voxels.grid.ny, voxels.grid.step_y, picture.image->rows / picture.slices);
  stretch(voxels.grid.nz, voxels.grid.step_z, picture.slices);
  if (!thread_) {
    thread_ = std::make_unique<VolumeThread>();
    connect(thread_.get(), &VolumeThread::failed, this, [this](const QString& why) {
      problem_ = why;
      update();
    });
    connect(thread_.get(), &VolumeThread::painted, this,
            [this](const QImage& image, VolumeDetail detail, double, int binning) {
              image_ = image;
              // If another scene is pending, a fine picture belongs to an older one.
              settled_ = detail == VolumeDetail::still && !settle_.isActive();
              binning_ = binning;
              update();
              Q_EMIT painted();
            });
  }
  thread_->set_voxels(voxels);
  const Output output = state_.volume();
  if (!state_.levels(output))
    state_.set_levels(output, picture::percentile_levels(*picture.image, 0.2), LevelsMode::automatic);
  changed();
}

void VolumePane::changed() {
  settled_ = false;
  if (!thread_ || !shown_ || !isVisible()) return;
  send(VolumeDetail::moving);
  settle_.start(settle_ms);
}

void VolumePane::send(VolumeDetail detail) {
  if (!thread_ || !shown_) return;
  const Theme& theme = Theme::instance();
  scene_.levels = state_.levels(state_.volume()).value_or(picture::Levels{});
  scene_.colors.clear();
  for (int i = 0; i < shades; ++i)
    scene_.colors.push_back(color_at(state_.color_map(), static_cast<double>(i) / (shades - 1)));
  scene_.opacity.clear();
  for (const OpacityPoint& p : state_.opacity()) scene_.opacity.emplace_back(p.position, p.opacity);
  scene_.background = theme.color(Token::background);
  scene_.frame = theme.color(Token::border);
  scene_.detail = detail;
  const double finer = detail == VolumeDetail::still ? devicePixelRatioF() : 0.5;
  scene_.size = (QSizeF(size()) * finer).toSize().expandedTo({2, 2});
  thread_->paint(scene_);
}

void VolumePane::set_style(VolumeStyle style) {
  scene_.style = style;
  changed();
  Q_EMIT scene_changed();
}
void VolumePane::set_surface_at(double position) {
  scene_.surface_at = std::clamp(position, 0.0, 1.0);
  changed();
  Q_EMIT scene_changed();
}
void VolumePane::set_clip(const std::array<double, 6>& parts) {
  scene_.clip = parts;
  changed();
  Q_EMIT scene_changed();
}
void VolumePane::set_handles(Handles handles) {
  handles_ = handles;
  update();
}

std::optional<ClipHandles> VolumePane::handles() const {
  const VolumeGrid* all = grid();
  if (handles_ == Handles::hidden || all == nullptr || !shown_) return std::nullopt;
  // Edges from the centre of the first to that of the last voxel shown, as in the picture.
  const int64_t nz = shown_->slices, nx = shown_->image->cols, ny = shown_->image->rows / nz;
  const auto edge = [](int64_t of_all, Vec3 step, int64_t now) {
    return static_cast<double>(of_all) * norm(step) * static_cast<double>(now - 1) / static_cast<double>(now);
  };
  const Vec3 edges{edge(all->nx, all->step_x, nx), edge(all->ny, all->step_y, ny), edge(all->nz, all->step_z, nz)};
  return ClipHandles{VolumeCamera::of(scene_, edges), edges, scene_.clip};
}

void VolumePane::rotate_by(double turn, double rise) {
  // Beyond the pole the picture would be upside down.
  constexpr double pole = pi / 2 - 1e-3;
  scene_.turn += turn;
  scene_.rise = std::clamp(scene_.rise + rise, -pole, pole);
  changed();
}
void VolumePane::zoom_by(double factor) {
  scene_.zoom = std::clamp(scene_.zoom * factor, 0.2, 50.0);
  changed();
}
void VolumePane::reset_camera() {
  const VolumeScene first;
  scene_.turn = first.turn;
  scene_.rise = first.rise;
  scene_.zoom = first.zoom;
  scene_.shift_x = scene_.shift_y = 0;
  changed();
}
void VolumePane::set_caption_indent(int pixels) {
  caption_indent_ = pixels;
  update();
}

QString VolumePane::no_picture_text() const {
  if (!problem_.isEmpty()) return problem_;
  if (error_) return QString::fromStdString(error_->what);
  if (state_.volume().empty()) return tr("No volume yet. Add a reconstruction and link it.");
  const VolumeGrid* all = grid();
  if (all == nullptr) return tr("Waiting for the nodes before it");
  if (!asked_) return tr("Too thin for a view in 3D: %1 slices").arg(all->nz);
  return tr("Waiting for the first picture");
}

std::vector<CaptionPart> VolumePane::caption() const {
  if (!shown_) return {};
  const int64_t slices = shown_->slices, cols = shown_->image->cols, rows = shown_->image->rows / slices;
  std::vector<CaptionPart> parts{{QStringLiteral("%1 × %2 × %3").arg(slices).arg(rows).arg(cols)}};
  const VolumeGrid* all = grid();
  const bool whole = all != nullptr && all->nx == cols && all->ny == rows && all->nz == slices && binning_ == 1;
  const auto dot = QStringLiteral(" · ");
  if (!whole && all != nullptr)
    parts.push_back({dot + tr("coarse, of %1 × %2 × %3").arg(all->nz).arg(all->ny).arg(all->nx), Token::busy});
  if (stale_) parts.push_back({dot + tr("stale"), Token::warning});
  return parts;
}

QImage VolumePane::exported(Annotation annotation) {
  return annotation == Annotation::clean ? image_ : grab().toImage();
}

void VolumePane::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Token::background));
  painter.setFont(Theme::number_font());
  if (image_.isNull() || !shown_) {
    painter.setPen(theme.color(error_ || !problem_.isEmpty() ? Token::error : Token::text_second));
    painter.drawText(QRectF(rect()).adjusted(24, 40, -24, -40), Qt::AlignCenter | Qt::TextWordWrap, no_picture_text());
  } else {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(rect(), image_);
    if (const auto marks = handles()) {
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(QPen(theme.color(Token::background), 1));
      painter.setBrush(theme.color(Token::accent));
      for (std::size_t face = 0; face < marks->clip.size(); ++face)
        painter.drawEllipse(marks->place(face, size()), 5, 5);
    }
    paint_caption(painter, {static_cast<double>(std::max(10, caption_indent_) - 4), 8}, Qt::AlignLeft, caption());
  }
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme.color(Token::accent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void VolumePane::resizeEvent(QResizeEvent*) { changed(); }
void VolumePane::showEvent(QShowEvent*) { refresh(); }
void VolumePane::hideEvent(QHideEvent*) { refresh(); }

void VolumePane::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->position();
  press_levels_ = state_.levels(state_.volume()).value_or(picture::Levels{});
  gripped_.reset();
  const auto marks = handles();
  if (!marks || event->button() != Qt::LeftButton) return;
  if (const std::size_t face = marks->at(press_, size()); face < marks->clip.size()) gripped_ = face;
}
void VolumePane::mouseMoveEvent(QMouseEvent* event) {
  const QPointF move = event->position() - last_;
  last_ = event->position();
  const auto marks = gripped_ ? handles() : std::nullopt;
  if (marks && event->buttons().testFlag(Qt::LeftButton)) return set_clip(marks->dragged(*gripped_, move, size()));
  if (event->buttons().testFlag(Qt::LeftButton)) rotate_by(-turn_step * move.x(), turn_step * move.y());
  if (event->buttons().testFlag(Qt::MiddleButton)) {
    scene_.shift_x += move.x() / std::max(1, height());
    scene_.shift_y += move.y() / std::max(1, height());
    changed();
  }
  if (event->buttons().testFlag(Qt::RightButton))
    state_.set_levels(state_.volume(), dragged_levels(press_levels_, (last_ - press_), size()), LevelsMode::manual);
}
void VolumePane::mouseReleaseEvent(QMouseEvent*) { gripped_.reset(); }
void VolumePane::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT fill_requested();
}
void VolumePane::wheelEvent(QWheelEvent* event) {
  event->accept();
  zoom_by(std::pow(1.15, event->angleDelta().y() / 120.0));
}

void VolumePane::keyPressEvent(QKeyEvent* event) {
  if ((event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return rotate_by(key_turn, 0);
    case Qt::Key_Right:
      return rotate_by(-key_turn, 0);
    case Qt::Key_Up:
      return rotate_by(0, key_turn);
    case Qt::Key_Down:
      return rotate_by(0, -key_turn);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom_by(1.25);
    case Qt::Key_Minus:
      return zoom_by(0.8);
    case Qt::Key_F:
    case Qt::Key_0:
      return reset_camera();
    case Qt::Key_I:
      return set_style(scene_.style == VolumeStyle::cloud ? VolumeStyle::surface : VolumeStyle::cloud);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT fill_requested();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace tl::ui
