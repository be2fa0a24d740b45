// ClippingRow: requests the middle slice of the volume that a node saves, and counts the voxels that its integer type
// would clip.
#include "widgets/inspector/clipping_row.h"

#include <QHBoxLayout>
#include <QLabel>

#include "widgets/inspector/values/special_params.h"
#include "widgets/language/translated.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"

namespace tl::ui {

ClippingRow::ClippingRow(LiveSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      request_name_(QStringLiteral("clipping/%1").arg(quintptr(this))),
      text_(new QLabel(this)) {
  auto* row = framed(new QHBoxLayout(this));
  row->addWidget(text_);
  as_note(text_);
  text_->setAccessibleName(tr("What is clipped"));
  connect(&session_, &LiveSession::picture_ready, this, &ClippingRow::take);
  connect(&session_, &LiveSession::infos_changed, this, &ClippingRow::refresh);
  connect(&session_.document(), &Document::graph_changed, this, &ClippingRow::refresh);
  hide();
}
ClippingRow::~ClippingRow() { session_.forget(request_name_); }

void ClippingRow::show_node(const QString& node) {
  node_ = node;
  refresh();
}

void ClippingRow::refresh() {
  const Graph& graph = session_.document().graph();
  const auto node = graph.nodes.find(node_.toStdString());
  saved_ = node == graph.nodes.end() ? std::nullopt : saved_integers(node->second);
  const Output from = saved_ ? source_of(graph, node_.toStdString(), "volume") : Output{};
  const Info* info = from.empty() ? nullptr : session_.info(from.node, from.port);
  std::optional<live::PictureRequest> wanted;
  if (info != nullptr) {
    wanted.emplace();
    wanted->node = from.node.toStdString();
    wanted->port = from.port.toStdString();
    wanted->region = middle_region(*info);
    wanted->coarse = 1;  // coarse slices lack the outermost values
  }
  if (wanted != asked_) {
    slice_.reset();
    asked_ = wanted;
    if (wanted) {
      session_.request(request_name_, *wanted);
    } else {
      session_.forget(request_name_);
    }
  }
  setVisible(wanted.has_value());
  if (!wanted) return;
  if (slice_ == nullptr) {
    set_style_property(*text_, "tone", {});
    text_->setText(tr("The middle slice will show how much is clipped."));
    return;
  }
  const ClippedSlice clipped = clipped_in(*slice_, *saved_);
  set_style_property(*text_, "tone", clipped.text.empty() ? QVariant() : QVariant("warning"));
  text_->setText(clipped.text.empty() ? tr("Nothing is clipped in the middle slice.")
                                      : tr("In the middle slice %1.").arg(translated(clipped.text)));
}

void ClippingRow::take(const QString& view, const live::Picture& picture) {
  if (view != request_name_ || !asked_ || picture.image == nullptr || picture.level != 1 ||
      picture.request.node != asked_->node)
    return;
  slice_ = picture.image;
  refresh();
}

}  // namespace tl::ui
