// VariantSource: supplies images of the pipeline with one parameter changed, from a second document and session, so
// that cache and undo history of the first stay unaffected.
#include "widgets/views/variant_source.h"

namespace tl::ui {

VariantSource::VariantSource(PictureSource& base, live::EngineOptions options, QObject* parent)
    : PictureSource(parent), base_(base), options_(std::move(options)) {
  options_.switches.thumbnails = false;
  connect(&base_, &PictureSource::graph_changed, this, [this] {
    // If the base changed so that the variant no longer applies (its node is gone), there are no images.
    if (session_ && !rebuild().ok()) document_->reset({});
  });
}
VariantSource::~VariantSource() { session_.reset(); }

Result<void> VariantSource::set(const QString& node, const QString& param, const QString& value) {
  Graph graph = base_.graph();
  TL_TRY(set_param(graph, registry(), node.toStdString(), param.toStdString(), value.toStdString()));
  node_ = node;
  param_ = param;
  value_ = value;
  return rebuild();
}

Result<void> VariantSource::rebuild() {
  Graph graph = base_.graph();
  TL_TRY(set_param(graph, registry(), node_.toStdString(), param_.toStdString(), value_.toStdString()));
  if (!document_) document_ = std::make_unique<Document>(registry());
  document_->reset(std::move(graph));
  if (!session_) {
    session_ = std::make_unique<LiveSession>(*document_, options_);
    connect(session_.get(), &LiveSession::picture_ready, this, &PictureSource::picture_ready);
    connect(session_.get(), &LiveSession::infos_changed, this, &PictureSource::infos_changed);
    connect(session_.get(), &LiveSession::status_changed, this, &PictureSource::status_changed);
  }
  Q_EMIT graph_changed();
  return ok();
}

const Graph& VariantSource::graph() const { return document_ ? document_->graph() : base_.graph(); }
const Info* VariantSource::info(const Output& output) const {
  return session_ ? session_->info(output.node, output.port) : nullptr;
}
live::NodeStatus VariantSource::status(const QString& node) const {
  return session_ ? session_->status(node) : live::NodeStatus{};
}
void VariantSource::request(const QString& view, const live::PictureRequest& request) {
  if (session_) session_->request(view, request);
}
void VariantSource::forget(const QString& view) {
  if (session_) session_->forget(view);
}

}  // namespace tl::ui
