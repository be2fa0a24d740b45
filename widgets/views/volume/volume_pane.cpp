// VolumePane: shows the volume in 3D: requests a small binned box, and a finer one for when nothing else is to be done,
// until the whole volume has been computed, and shows what VolumeThread renders.
#include "widgets/views/volume/volume_pane.h"

#include <algorithm>

#include "core/live/notification.h"
#include "widgets/labels/label_colors.h"
#include "widgets/theme/keys_follow_mouse.h"
#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/state/automatic_window.h"

namespace tl::ui {
namespace {

// Voxels per axis: computed immediately for this pane; for a volume already computed, or when idle; for surfaces.
constexpr int64_t soon = 128, most = 384, max_for_surfaces = 256;
constexpr int settle_ms = 140, longest_settle_ms = 2000;
// While windows of a stream arrive, fine images wait for a pause of so many times their interval: one per window would
// occupy the processor that computes the next window.
constexpr int pauses_between_windows = 3;
constexpr int shades = 64;

VolumeGrid at_most(const VolumeGrid& grid, int64_t limit) {
  const int64_t widest = std::max({grid.nx, grid.ny, grid.nz});
  return widest <= limit ? grid : grid.binned((widest + limit - 1) / limit);
}

}  // namespace

VolumePane::VolumePane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent)
    : QWidget(parent),
      source_(source),
      state_(state),
      view_(view),
      surfaces_(source, view + QStringLiteral(".classes")),
      settles_after_(settle_ms) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 90);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);  // the orientation cube lights up
  let_keys_follow_mouse(*this, *this);
  setAccessibleName(tr("Volume in 3D"));
  settle_.setSingleShot(true);
  connect(&settle_, &QTimer::timeout, this, [this] { send(VolumeDetail::still); });
  connect(&source_, &PictureSource::picture_ready, this, &VolumePane::take);
  const auto ask_again = [this] {
    if (wanted() != asked_) refresh();
  };
  connect(&source_, &PictureSource::infos_changed, this, ask_again);
  connect(&source_, &PictureSource::infos_changed, this, [this] {
    refresh_surfaces();
    if (scene_.class_mesh) changed();
  });
  connect(&source_, &PictureSource::status_changed, this, [this, ask_again](const QString& node) {
    if (node == state_.labels().node) refresh_surfaces();
    if (node != state_.volume().node) return;
    if (source_.status(node).state == live::State::stale) stale_ = true;
    ask_again();
    update();
  });
  connect(&state_, &ViewState::outputs_changed, this, [this] {
    forget_picture();
    refresh();
    Q_EMIT scene_changed();
  });
  connect(&state_, &ViewState::levels_changed, this, [this](const QString& key) {
    if (key == state_.volume().key()) changed();
  });
  connect(&state_, &ViewState::volume_view_changed, this, [this] {
    adopt_view();
    changed();
    Q_EMIT scene_changed();
  });
  connect(&state_, &ViewState::crosshair_changed, this, [this] {
    if (scene_.slices != VolumeSlices::hidden) changed();
  });
  connect(&state_, &ViewState::label_view_changed, this, [this] {
    refresh_surfaces();
    if (scene_.class_mesh || surfaces_.surfaces()) changed();
  });
  connect(&surfaces_, &SurfaceMaker::changed, this, [this] {
    changed();
    update();
  });
  connect(&Theme::instance(), &Theme::changed, this, &VolumePane::changed);
  adopt_view();
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
  // The state is not used: it is "running" while this very image is computed; requesting the small box then would
  // cancel it, again and again.
  const VolumeGrid box = at_most(*all, source_.status(state_.volume().node).whole ? most : soon);
  // A volume binned to a single slice would be a plane.
  return std::min({box.nx, box.ny, box.nz}) < 2 ? std::nullopt : std::optional(box);
}

void VolumePane::forget_picture() {
  shown_.reset();
  voxels_.reset();
  values_.reset();
  object_.reset();
  image_ = {};
  error_.reset();
  first_ticket_.reset();
  stale_ = settled_ = false;
  update();
}

void VolumePane::refresh() {
  const auto box = wanted();
  asked_ = box;
  refresh_surfaces();
  if (!box) {
    source_.forget(view_);
    error_.reset();
    update();
    return;
  }
  live::PictureRequest request{
      .node = state_.volume().node.toStdString(), .port = state_.volume().port.toStdString(), .region = *box};
  if (const VolumeGrid fine = at_most(*grid(), most); fine != *box) request.finer = fine;
  request.coarse = 2;
  request.ticket = ticket_ = source_.next_ticket();
  if (!first_ticket_) first_ticket_ = ticket_;
  source_.request(view_, request);
  update();
}

bool VolumePane::shows_surfaces() const { return shows_class_surfaces() || !state_.label_view().highlighted.empty(); }

const LabelsInfo* VolumePane::labels_info() const {
  const Info* info = state_.labels().empty() ? nullptr : source_.info(state_.labels());
  return info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
}

bool VolumePane::shows_class_surfaces() const {
  const LabelsInfo* labels = labels_info();
  const bool is_there =
      labels != nullptr && (source_.status(state_.labels().node).whole || labels->grid.count() <= soon * soon * soon);
  return state_.volume_view().class_surfaces.value_or(is_there);
}

// Surfaces on as many voxels as the volume has, up to a limit.
void VolumePane::refresh_surfaces() {
  const LabelsInfo* labels = labels_info();
  const bool is_wanted = shows_surfaces() && labels != nullptr && asked_ && isVisible();
  if (!is_wanted) return surfaces_.follow({}, std::nullopt);
  const bool whole = source_.status(state_.labels().node).whole;
  const VolumeGrid box = at_most(labels->grid, whole ? max_for_surfaces : soon);
  surfaces_.follow(state_.labels(), box);
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
  voxels_ = VolumeVoxels{picture.image, picture.slices, std::get<VolumeGrid>(picture.region)};
  start_thread();
  thread_->set_voxels(*voxels_);
  state_.automatic_window().shown(state_.volume(), picture);
  const auto since_last = since_last_picture_.isValid() ? since_last_picture_.elapsed() : longest_settle_ms;
  since_last_picture_.start();
  settles_after_ =
      picture.window.index < 0
          ? settle_ms
          : static_cast<int>(std::clamp<qint64>(pauses_between_windows * since_last, settle_ms, longest_settle_ms));
  changed();
}

void VolumePane::start_thread() {
  if (thread_) return;
  thread_ = std::make_unique<VolumeThread>(this);
  connect(thread_.get(), &VolumeThread::failed, this, [this](const QString& why) {
    problem_ = why;
    update();
  });
  connect(thread_.get(), &VolumeThread::painted, this, &VolumePane::take_frame);
}

void VolumePane::take_frame(const VolumeFrame& frame) {
  if (!shown_) return;  // of an output that is no longer shown
  image_ = frame.image;
  problem_.clear();
  // If another scene is pending, a fine image belongs to an older one.
  settled_ = frame.detail == VolumeDetail::still && !settle_.isActive();
  binning_ = frame.binning;
  const bool is_new =
      !values_ || !(values_->range == frame.values.range) || values_->threshold != frame.values.threshold;
  values_ = frame.values;
  if (frame.object && !object_) {
    object_ = frame.object;
    if (scene_.finds_subject) scene_.subject = *object_;
    scene_.finds_subject = false;
  }
  update();
  if (is_new) Q_EMIT scene_changed();
  Q_EMIT painted();
}

void VolumePane::changed() {
  settled_ = false;
  if (!thread_ || !shown_ || !isVisible()) return;
  send(VolumeDetail::moving);
  settle_.start(settles_after_);
}

void VolumePane::fill_scene(VolumeScene& scene) const {
  const Theme& theme = Theme::instance();
  scene.levels = state_.levels(state_.volume()).value_or(picture::Levels{});
  scene.colors.clear();
  for (int i = 0; i < shades; ++i)
    scene.colors.push_back(color_at(state_.volume_color_map(), static_cast<double>(i) / (shades - 1)));
  scene.opacity.clear();
  for (const OpacityPoint& p : state_.opacity()) scene.opacity.emplace_back(p.position, p.opacity);
  scene.preset = state_.volume_preset();
  const auto& surfaces = state_.volume_view().surface_values;
  const auto surface = surfaces.find(state_.volume().key());
  scene.surface_value = surface == surfaces.end() ? std::nullopt : std::optional(surface->second);
  scene.class_mesh = shows_surfaces() ? surfaces_.surfaces() : nullptr;
  scene.class_colors.clear();
  if (scene.class_mesh) {
    const LabelsInfo* labels = labels_info();
    const LabelTable table = labels == nullptr ? LabelTable{} : labels->table;
    // Shows only the objects of selected rows of a table, or these in their colours and the others in grey.
    const LabelView& view = state_.label_view();
    for (const mesh::LabelSurface& part : *scene.class_mesh) {
      const bool is_highlighted = view.highlighted.contains(part.number);
      const bool is_shown = shows_class_surfaces() && !view.hidden.contains(part.number) &&
                            (part.number != surfaces_.surrounding() || scene.class_mesh->size() == 1);
      if (!is_highlighted && !is_shown) continue;
      const bool is_plain = is_highlighted || view.highlighted.empty();
      scene.class_colors.push_back(
          {part.number, is_plain ? label_rgb(table, part.number) : theme.picture_color(Token::border).rgb()});
    }
  }
  // Slices, handles and classes may lie anywhere in the box.
  const bool is_object = scene.preset != window_tint && scene.slices == VolumeSlices::hidden && !scene.class_mesh &&
                         handles_ == Handles::hidden;
  scene.subject = is_object ? object_.value_or(whole_box) : whole_box;
  scene.finds_subject = is_object && !object_;
  scene.slice_at = slice_positions();
  scene.slice_frame = {theme.picture_color(Token::warning), theme.picture_color(Token::busy),
                       theme.picture_color(Token::accent)};
  scene.background = theme.picture_color(Token::background);
  scene.frame = theme.picture_color(Token::text_second);
}

void VolumePane::adopt_view() {
  const VolumeView& view = state_.volume_view();
  scene_.style = view.style;
  scene_.clip = view.clip;
  scene_.slices = view.slices;
  refresh_surfaces();
}
void VolumePane::change_view(const std::function<void(VolumeView&)>& change) {
  VolumeView view = state_.volume_view();
  change(view);
  state_.set_volume_view(view);
}

void VolumePane::send(VolumeDetail detail) {
  if (!thread_ || !shown_) return;
  fill_scene(scene_);
  scene_.detail = detail;
  scene_.size = (QSizeF(size()) * devicePixelRatioF()).toSize().expandedTo({2, 2});
  scene_.line_width = devicePixelRatioF();
  thread_->paint(scene_);
}

std::array<double, 3> VolumePane::slice_positions() const {
  const VolumeGrid* all = grid();
  if (all == nullptr || !voxels_) return {0.5, 0.5, 0.5};
  const VolumeGrid& shown = voxels_->grid;
  const Vec3 from = state_.crosshair() - all->centre;
  const auto part = [&from](int64_t n, Vec3 step, int64_t binned) {
    const double in_box = 0.5 + dot(from, step) / dot(step, step) / static_cast<double>(n);
    // The image's box extends from the centre of its first to that of its last voxel.
    const double index = in_box * static_cast<double>(binned) - 0.5;
    return std::clamp(index / static_cast<double>(binned - 1), 0.0, 1.0);
  };
  return {part(all->nx, all->step_x, shown.nx), part(all->ny, all->step_y, shown.ny),
          part(all->nz, all->step_z, shown.nz)};
}

std::optional<double> VolumePane::surface_value() const {
  const auto& set = state_.volume_view().surface_values;
  if (const auto found = set.find(state_.volume().key()); found != set.end()) return found->second;
  return values_ ? std::optional(values_->threshold) : std::nullopt;
}
void VolumePane::set_surface_value(double value) {
  change_view([&](VolumeView& view) { view.surface_values[state_.volume().key()] = value; });
}
void VolumePane::set_surface_at(double position) {
  const picture::Levels window = state_.levels(state_.volume()).value_or(picture::Levels{});
  set_surface_value(window.low + std::clamp(position, 0.0, 1.0) * (window.high - window.low));
}
std::optional<picture::Levels> VolumePane::value_range() const {
  return values_ ? std::optional(values_->range) : std::nullopt;
}
bool VolumePane::has_pixel_lengths() const {
  const Info* info = state_.volume().empty() ? nullptr : source_.info(state_.volume());
  return info != nullptr && is_in_pixels(*info);
}
QString VolumePane::unit_text() const {
  const QString unit = shown_ ? QString::fromStdString(shown_->unit) : QString();
  const bool pixels = has_pixel_lengths();
  return pixels && unit == QLatin1String("1/mm") ? QStringLiteral("1/px") : unit;
}
void VolumePane::set_preset(const QString& id) { state_.set_volume_preset(id); }

void VolumePane::set_style(VolumeStyle style) {
  change_view([style](VolumeView& view) { view.style = style; });
}
void VolumePane::set_class_surfaces(ClassesIn3D shown) {
  change_view([shown](VolumeView& view) { view.class_surfaces = shown == ClassesIn3D::shown; });
}
void VolumePane::set_clip(const std::array<double, 6>& parts) {
  change_view([&parts](VolumeView& view) { view.clip = parts; });
}
void VolumePane::set_slices(VolumeSlices slices) {
  change_view([slices](VolumeView& view) { view.slices = slices; });
}
void VolumePane::set_handles(Handles handles) {
  handles_ = handles;
  changed();
  update();
}

std::optional<Vec3> VolumePane::edges() const {
  if (!voxels_) return std::nullopt;
  const VolumeGrid& g = voxels_->grid;
  const auto edge = [](int64_t n, Vec3 step) { return static_cast<double>(n - 1) * norm(step); };
  return Vec3{edge(g.nx, g.step_x), edge(g.ny, g.step_y), edge(g.nz, g.step_z)};
}

std::optional<ClipHandles> VolumePane::handles() const {
  const auto box = edges();
  if (handles_ == Handles::hidden || !box || !shown_) return std::nullopt;
  return ClipHandles{VolumeCamera::of(scene_, *box), *box, scene_.clip};
}

void VolumePane::set_caption_indent(int pixels) {
  caption_indent_ = pixels;
  update();
}

void VolumePane::resizeEvent(QResizeEvent*) { changed(); }
void VolumePane::showEvent(QShowEvent*) { refresh(); }
void VolumePane::hideEvent(QHideEvent*) { refresh(); }

}  // namespace tl::ui
