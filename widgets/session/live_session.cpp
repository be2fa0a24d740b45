// LiveSession: the one adapter between core's live engine and Qt.
#include "widgets/session/live_session.h"

#include <QPointer>

namespace tl::ui {

// Brings what happens on the compute thread to the GUI thread.
class LiveSession::Bridge final : public live::Listener {
 public:
  explicit Bridge(LiveSession& session) : session_(session) {}
  void status(const std::string& node, const live::NodeStatus& status) override {
    post([node, status](LiveSession& s) {
      s.bridge_->statuses[node] = status;
      Q_EMIT s.status_changed(QString::fromStdString(node));
    });
  }
  void infos(const std::map<std::string, Infos>& by_node) override {
    post([by_node](LiveSession& s) {
      s.bridge_->known = by_node;
      Q_EMIT s.infos_changed();
    });
  }

  std::map<std::string, live::NodeStatus> statuses;
  std::map<std::string, Infos> known;

 private:
  template <class F>
  void post(F f) {
    QMetaObject::invokeMethod(
        &session_, [this, f] { f(session_); }, Qt::QueuedConnection);
  }
  LiveSession& session_;
};

LiveSession::LiveSession(Document& document, live::EngineOptions options, QObject* parent)
    : QObject(parent),
      document_(document),
      bridge_(std::make_unique<Bridge>(*this)),
      engine_(std::make_unique<live::Engine>(document.registry(), std::move(options), *bridge_)) {
  connect(&document_, &Document::graph_changed, this, [this] { engine_->set_graph(document_.graph()); });
  engine_->set_graph(document_.graph());
}
LiveSession::~LiveSession() { engine_.reset(); }

live::NodeStatus LiveSession::status(const QString& node) const {
  const auto found = bridge_->statuses.find(node.toStdString());
  return found == bridge_->statuses.end() ? live::NodeStatus{} : found->second;
}
const Info* LiveSession::info(const QString& node, const QString& port) const {
  const auto found = bridge_->known.find(node.toStdString());
  if (found == bridge_->known.end()) return nullptr;
  const auto at = found->second.find(port.toStdString());
  return at == found->second.end() ? nullptr : &at->second;
}
QImage LiveSession::thumbnail(const QString& /*node*/) const { return {}; }
void LiveSession::request(const QString& view, const live::PictureRequest& request) {
  engine_->request(view.toStdString(), request);
}
void LiveSession::forget(const QString& view) { engine_->forget(view.toStdString()); }
void LiveSession::run_all() { engine_->run({}); }
void LiveSession::run_to(const QStringList& nodes) {
  std::vector<std::string> ids;
  for (const QString& node : nodes) ids.push_back(node.toStdString());
  engine_->compute(ids);
}
void LiveSession::force_all() {
  engine_->free_cache();
  engine_->run({});
}
void LiveSession::stop() { engine_->stop(); }
void LiveSession::free_cache() { engine_->free_cache(); }
QString LiveSession::device_name() const { return tr("CPU"); }

}  // namespace tl::ui
