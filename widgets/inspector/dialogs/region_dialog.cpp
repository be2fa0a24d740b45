// RegionDialog: sets the region that a node keeps: four parameters, shown as a box on an image.
#include "widgets/inspector/dialogs/region_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"
#include "widgets/views/pictures/picture_render.h"

namespace tl::ui {
namespace {

constexpr QSize region_size(760, 560);  // px

// The value of an integer parameter; nullopt if automatic.
std::optional<int64_t> integer_value(const GraphNode& node, const std::string& name) {
  const auto set = node.params.find(name);
  const auto* value = set == node.params.end() ? nullptr : std::get_if<int64_t>(&set->second);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

Range kept_range(const GraphNode& node, const RangeParams& params, int64_t size) {
  const Range range{integer_value(node, params.first).value_or(0),
                    integer_value(node, params.last).value_or(size - 1) + 1};
  return range.clamp({0, size});
}
Range mirrored_range(Range range, int64_t size) { return {size - range.end, size - range.begin}; }

// Limits that equal the full range are not written, since unset parameters keep everything.
void write_range(GraphNode& node, const RangeParams& params, Range range, int64_t size) {
  node.params.erase(params.first);
  node.params.erase(params.last);
  if (range.begin > 0) node.params[params.first] = range.begin;
  if (range.end < size) node.params[params.last] = range.end - 1;
}

}  // namespace

RegionDialog::RegionDialog(LiveSession& session, const QString& node, QWidget* parent)
    : QDialog(parent),
      session_(session),
      node_(node),
      request_name_(QStringLiteral("region/%1").arg(quintptr(this))),
      special_(special_params(*session.document().registry().find(in_graph()->type))),
      region_(new RegionView(this)),
      frame_(new QSlider(Qt::Horizontal, this)),
      frame_text_(new QLabel(this)),
      size_text_(new QLabel(this)) {
  setWindowTitle(tr("Region that is kept"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(region_size);
  size_text_->setProperty("role", "second");
  frame_->setAccessibleName(tr("Which image the box is drawn on"));
  frame_text_->setMinimumWidth(Theme::space(30));
  auto* all = new QPushButton(tr("All of it"), this);
  auto* close = new QPushButton(tr("Close"), this);
  for (QPushButton* button : {all, close}) button->setAutoDefault(false);
  auto* frames = new QHBoxLayout;
  frames->addWidget(frame_text_);
  frames->addWidget(frame_, 1);
  auto* foot = new QHBoxLayout;
  foot->addWidget(size_text_, 1);
  foot->addWidget(all);
  foot->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Theme::space(2));
  column->addWidget(region_, 1);
  column->addLayout(frames);
  column->addLayout(foot);
  connect(region_, &RegionView::box_dragged, this, &RegionDialog::write);
  connect(frame_, &QSlider::valueChanged, this, &RegionDialog::ask);
  connect(all, &QPushButton::clicked, this, [this] {
    if (shown_) write({{0, shown_->rows}, {0, shown_->cols}});
  });
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(&session_, &LiveSession::picture_ready, this, &RegionDialog::take);
  connect(&session_, &LiveSession::infos_changed, this, &RegionDialog::refresh);
  connect(&session_.document(), &Document::graph_changed, this, &RegionDialog::refresh);
  connect(&session_.document(), &Document::was_reset, this, &QDialog::close);
  refresh();
}
RegionDialog::~RegionDialog() { session_.forget(request_name_); }

const GraphNode* RegionDialog::in_graph() const {
  const auto& nodes = session_.document().graph().nodes;
  const auto found = nodes.find(node_.toStdString());
  return found == nodes.end() ? nullptr : &found->second;
}

std::optional<RegionDialog::Extent> RegionDialog::extent() const {
  const Output from = source_of(session_.document().graph(), node_.toStdString(), special_.boxed);
  const Info* info = from.empty() ? nullptr : session_.info(from.node, from.port);
  if (info == nullptr) return std::nullopt;
  if (const auto* scan = std::get_if<ProjectionsInfo>(info)) {
    const DetectorShape& d = scan->geometry.detector();
    return Extent{scan->geometry.views(), d.rows, d.cols, Extent::Rows::downwards};
  }
  if (const auto* volume = std::get_if<VolumeInfo>(info))
    return Extent{volume->grid.nz, volume->grid.ny, volume->grid.nx, Extent::Rows::upwards};
  return std::nullopt;
}

PictureBox RegionDialog::box_of_node(const Extent& extent) const {
  const Range down = kept_range(*in_graph(), *special_.down, extent.rows);
  return {extent.way == Extent::Rows::upwards ? mirrored_range(down, extent.rows) : down,
          kept_range(*in_graph(), *special_.across, extent.cols)};
}

void RegionDialog::refresh() {
  if (in_graph() == nullptr) {
    close();
    return;
  }
  const auto now = extent();
  if (!now) {
    region_->set_message(tr("This node has no input data yet."));
    return;
  }
  const bool fresh = shown_ != now;
  shown_ = now;
  if (fresh) {
    region_->set_size(now->rows, now->cols);
    const QSignalBlocker quiet(frame_);
    frame_->setRange(0, static_cast<int>(now->frames - 1));
    frame_->setValue(static_cast<int>(now->frames / 2));
  }
  const PictureBox box = box_of_node(*now);
  region_->set_box(box);
  size_text_->setText(
      tr("%1 × %2 of %3 × %4 pixels").arg(box.rows.size()).arg(box.cols.size()).arg(now->rows).arg(now->cols));
  if (fresh || asked_ != source_of(session_.document().graph(), node_.toStdString(), special_.boxed)) ask();
}

void RegionDialog::ask() {
  asked_ = source_of(session_.document().graph(), node_.toStdString(), special_.boxed);
  const Info* info = asked_.empty() ? nullptr : session_.info(asked_.node, asked_.port);
  if (info == nullptr) return;
  const int64_t frame = frame_->value();
  live::PictureRequest request;
  request.node = asked_.node.toStdString();
  request.port = asked_.port.toStdString();
  if (const auto* scan = std::get_if<ProjectionsInfo>(info)) {
    ScanRegion region = scan->geometry.full();
    region.views = {frame, frame + 1};
    request.region = region;
    frame_text_->setText(tr("View %1 of %2").arg(frame + 1).arg(frame_->maximum() + 1));
  } else if (const auto* volume = std::get_if<VolumeInfo>(info)) {
    request.region = volume->grid.slab({frame, frame + 1});
    frame_text_->setText(tr("Slice %1 of %2").arg(frame + 1).arg(frame_->maximum() + 1));
  }
  region_->set_message(tr("Waiting for the image"));
  session_.request(request_name_, request);
}

void RegionDialog::take(const QString& view, const live::Picture& picture) {
  if (view != request_name_) return;
  if (picture.error) region_->set_message(error_text(*picture.error));
  if (picture.error || !picture.image) return;
  static const ColorLookup grey = make_lookup(ColorMap::grey, Qt::black);
  region_->show_picture(
      render_picture(*picture.image, picture::percentile_levels(*picture.image, picture::clipped_percent), grey));
}

void RegionDialog::write(const PictureBox& box) {
  if (!shown_ || in_graph() == nullptr) return;
  const Extent now = *shown_;
  session_.document().edit(
      tr("Draw the region"),
      [&](Graph& g) {
        GraphNode& node = g.nodes.at(node_.toStdString());
        write_range(node, *special_.down,
                    now.way == Extent::Rows::upwards ? mirrored_range(box.rows, now.rows) : box.rows, now.rows);
        write_range(node, *special_.across, box.cols, now.cols);
      },
      {QStringLiteral("region/") + node_});
}

}  // namespace tl::ui
