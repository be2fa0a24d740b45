// LiveSession: the only adapter between the live engine of core and Qt.
#include "widgets/session/live_session.h"

#include <map>
#include <mutex>
#include <utility>
#include <variant>

namespace tl::ui {
namespace {

std::vector<std::string> names(const QStringList& nodes) {
  std::vector<std::string> ids;
  ids.reserve(static_cast<std::size_t>(nodes.size()));
  for (const QString& node : nodes) ids.push_back(node.toStdString());
  return ids;
}

QImage grey_image(const live::Image& image) {
  const std::vector<uint8_t> grey = live::grey_values(image);
  QImage out(static_cast<int>(image.cols), static_cast<int>(image.rows), QImage::Format_Grayscale8);
  for (int row = 0; row < out.height(); ++row)
    std::copy_n(grey.data() + static_cast<std::ptrdiff_t>(row) * image.cols, image.cols, out.scanLine(row));
  return out;
}

}  // namespace

// Carries events from the compute thread to the GUI thread. Events are collected and delivered together by one Qt
// event.
class LiveSession::Bridge final : public live::Listener {
  struct Message {
    live::MessageLevel level;
    std::string node, text;
  };
  struct Metric {
    std::string node, name;
    int64_t index;
    double value;
  };

  // Events since the last delivery; of each state and picture only the newest.
  struct News {
    std::map<std::string, live::NodeStatus> statuses;
    std::optional<std::map<std::string, Infos>> infos;
    std::map<std::string, live::Picture> pictures;
    std::map<std::string, std::shared_ptr<const live::Image>> thumbnails;
    std::vector<live::PlainValue> values;
    std::vector<learn::Progress> learning;
    struct Paused {};  // learning is paused
    using Answer = std::variant<Paused, live::LearnEnd, live::LandscapeEnd, live::GradientCheckEnd, live::NodeCheckEnd>;
    std::vector<Answer> answers;
    std::optional<live::RunState> run;
    std::vector<live::RunEnd> ends;
    std::optional<live::Forecast> forecast;
    std::optional<live::CacheUse> cache;
    std::vector<Metric> metrics;
    std::vector<Message> messages;
  };

 public:
  explicit Bridge(LiveSession& session) : session_(session) {}
  void status(const std::string& node, const live::NodeStatus& status) override {
    tell([&](News& n) { n.statuses[node] = status; });
  }
  void infos(const std::map<std::string, Infos>& by_node) override {
    tell([&](News& n) { n.infos = by_node; });
  }
  void picture(const std::string& view, const live::Picture& picture) override {
    tell([&](News& n) { n.pictures[view] = picture; });
  }
  void thumbnail(const std::string& node, const std::shared_ptr<const live::Image>& image) override {
    tell([&](News& n) { n.thumbnails[node] = image; });
  }
  void value(const live::PlainValue& value) override {
    tell([&](News& n) { n.values.push_back(value); });
  }
  void learning(const learn::Progress& progress) override {
    tell([&](News& n) { n.learning.push_back(progress); });
  }
  void learning_paused() override {
    tell([&](News& n) { n.answers.emplace_back(News::Paused{}); });
  }
  void learned(const live::LearnEnd& end) override {
    tell([&](News& n) { n.answers.emplace_back(end); });
  }
  void landscape(const live::LandscapeEnd& end) override {
    tell([&](News& n) { n.answers.emplace_back(end); });
  }
  void gradients_checked(const live::GradientCheckEnd& end) override {
    tell([&](News& n) { n.answers.emplace_back(end); });
  }
  void node_checked(const live::NodeCheckEnd& end) override {
    tell([&](News& n) { n.answers.emplace_back(end); });
  }
  void run(const live::RunState& state) override {
    tell([&](News& n) { n.run = state; });
  }
  void finished(const live::RunEnd& end) override {
    tell([&](News& n) { n.ends.push_back(end); });
  }
  void forecast(const live::Forecast& forecast) override {
    tell([&](News& n) { n.forecast = forecast; });
  }
  void cache(const live::CacheUse& use) override {
    tell([&](News& n) { n.cache = use; });
  }
  void metric(const std::string& node, const std::string& name, int64_t index, double value) override {
    tell([&](News& n) { n.metrics.push_back({node, name, index, value}); });
  }
  void message(LogLevel level, const std::string& node, const std::string& text) override {
    tell([&](News& n) { n.messages.push_back({level, node, text}); });
  }

  // GUI thread. Drops also thumbnails that are not yet delivered.
  void forget_thumbnails() {
    thumbnails.clear();
    const std::lock_guard lock(mutex_);
    news_.thumbnails.clear();
  }

  // GUI thread only: the newest delivered values.
  std::map<std::string, live::NodeStatus> statuses;
  std::map<std::string, Infos> known;
  std::map<std::string, QImage> thumbnails;

 private:
  template <class F>
  void tell(F write) {
    const std::lock_guard lock(mutex_);
    write(news_);
    if (std::exchange(posted_, true)) return;
    QMetaObject::invokeMethod(
        &session_, [this] { deliver(); }, Qt::QueuedConnection);
  }
  void deliver();
  void deliver_states(News& news);
  void deliver_learning(const News& news);

  LiveSession& session_;
  std::mutex mutex_;
  News news_;
  bool posted_ = false;
};

void LiveSession::Bridge::deliver() {
  News news;
  {
    const std::lock_guard lock(mutex_);
    news = std::exchange(news_, {});
    posted_ = false;
  }
  deliver_states(news);
  for (const auto& [view, picture] : news.pictures)
    Q_EMIT session_.picture_ready(QString::fromStdString(view), picture);
  for (const live::PlainValue& value : news.values) Q_EMIT session_.value_ready(value);
  deliver_learning(news);
  for (const Metric& m : news.metrics)
    Q_EMIT session_.metric(QString::fromStdString(m.node), QString::fromStdString(m.name), m.index, m.value);
  for (const Message& m : news.messages)
    Q_EMIT session_.message(m.level, QString::fromStdString(m.node), QString::fromStdString(m.text));
  if (news.run) {
    session_.run_ = *news.run;
    Q_EMIT session_.run_changed();
  }
  for (const live::RunEnd& end : news.ends) Q_EMIT session_.run_finished(end);
}

void LiveSession::Bridge::deliver_learning(const News& news) {
  for (const learn::Progress& progress : news.learning) Q_EMIT session_.learning(progress);
  for (const auto& answer : news.answers) {
    if (std::holds_alternative<News::Paused>(answer)) Q_EMIT session_.learning_paused();
    if (const auto* end = std::get_if<live::LearnEnd>(&answer)) Q_EMIT session_.learned(*end);
    if (const auto* end = std::get_if<live::LandscapeEnd>(&answer)) Q_EMIT session_.landscape_ready(*end);
    if (const auto* end = std::get_if<live::GradientCheckEnd>(&answer)) Q_EMIT session_.gradients_checked(*end);
    if (const auto* end = std::get_if<live::NodeCheckEnd>(&answer)) Q_EMIT session_.node_checked(*end);
  }
}

void LiveSession::Bridge::deliver_states(News& news) {
  if (news.infos) {
    known = std::move(*news.infos);
    const auto& nodes = session_.document_.graph().nodes;
    std::erase_if(statuses, [&](const auto& s) { return nodes.count(s.first) == 0; });
    std::erase_if(thumbnails, [&](const auto& t) { return nodes.count(t.first) == 0; });
  }
  for (const auto& [node, status] : news.statuses) statuses[node] = status;
  if (!session_.options_.thumbnails) news.thumbnails.clear();  // not yet delivered when thumbnails were switched off
  for (const auto& [node, image] : news.thumbnails) thumbnails[node] = grey_image(*image);
  if (news.forecast) session_.forecast_ = *news.forecast;
  if (news.cache) session_.cache_ = *news.cache;
  for (const auto& [node, status] : news.statuses) Q_EMIT session_.status_changed(QString::fromStdString(node));
  if (news.infos) Q_EMIT session_.infos_changed();
  for (const auto& [node, image] : news.thumbnails) Q_EMIT session_.thumbnail_changed(QString::fromStdString(node));
  if (news.forecast) Q_EMIT session_.forecast_changed();
  if (news.cache) Q_EMIT session_.cache_changed();
}

LiveSession::LiveSession(Document& document, live::EngineOptions options, QObject* parent)
    : QObject(parent),
      document_(document),
      bridge_(std::make_unique<Bridge>(*this)),
      device_(QString::fromStdString(live::device_text(options.device))),
      options_(std::move(options)) {
  engine_ = std::make_unique<live::Engine>(document.registry(), options_, *bridge_);
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
QImage LiveSession::thumbnail(const QString& node) const {
  const auto found = bridge_->thumbnails.find(node.toStdString());
  return found == bridge_->thumbnails.end() ? QImage() : found->second;
}
void LiveSession::show_thumbnails(bool wanted) {
  if (wanted == options_.thumbnails) return;
  options_.thumbnails = wanted;
  engine_->show_thumbnails(wanted);
  bridge_->forget_thumbnails();
  Q_EMIT thumbnails_toggled(wanted);
}
void LiveSession::request(const QString& view, const live::PictureRequest& request) {
  engine_->request(view.toStdString(), request);
}
void LiveSession::forget(const QString& view) { engine_->forget(view.toStdString()); }
void LiveSession::ask(const QString& node, const QString& port, live::Effort effort) {
  engine_->ask(node.toStdString(), port.toStdString(), effort);
}
void LiveSession::learn(const learn::Settings& settings) { engine_->learn(settings); }
void LiveSession::command(learn::LearnCommand command) { engine_->command(command); }
void LiveSession::landscape(const learn::LandscapeRequest& request) { engine_->landscape(request); }
void LiveSession::check_gradients(const learn::Settings& settings) { engine_->check_gradients(settings); }
void LiveSession::check_node(const QString& node) { engine_->check_node(node.toStdString()); }
io::ProtectedFiles LiveSession::pipeline_file() const {
  io::ProtectedFiles file;
  if (!document_.path().isEmpty())
    file.add(document_.path().toStdString(), "the pipeline " + document_.title().toStdString());
  return file;
}
void LiveSession::run_all(live::Existing existing) { engine_->run({}, existing, pipeline_file()); }
void LiveSession::run_outputs(const QStringList& nodes, live::Existing existing) {
  engine_->run(names(nodes), existing, pipeline_file());
}
void LiveSession::run_to(const QStringList& nodes) { engine_->compute(names(nodes)); }
void LiveSession::force_all(live::Existing existing) {
  engine_->free_cache();
  engine_->run({}, existing, pipeline_file());
}
void LiveSession::stop() { engine_->stop(); }
void LiveSession::free_cache() { engine_->free_cache(); }
void LiveSession::free_cache(const QString& node) { engine_->free_cache(node.toStdString()); }
void LiveSession::keep(const QString& node, Keep how) {
  if (how == Keep::pinned)
    engine_->pin(node.toStdString());
  else
    engine_->unpin(node.toStdString());
}
qint64 LiveSession::cached_bytes(const QString& node) const {
  const auto found = cache_.by_node.find(node.toStdString());
  return found == cache_.by_node.end() ? 0 : found->second;
}
bool LiveSession::is_pinned(const QString& node) const { return cache_.pinned.count(node.toStdString()) != 0; }
void LiveSession::drop_all_results() {
  engine_->stop();
  for (const std::string& node : cache_.pinned) engine_->unpin(node);
  engine_->free_cache();
  bridge_->forget_thumbnails();
}
QString LiveSession::device_name() const { return device_; }

}  // namespace tl::ui
