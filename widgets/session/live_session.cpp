// LiveSession: adapts the live engine of core to Qt: calls return at once, answers arrive as signals on the GUI thread.
#include "widgets/session/live_session.h"

#include <map>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/live/learning_news.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

std::vector<std::string> names(const QStringList& nodes) {
  std::vector<std::string> ids;
  ids.reserve(static_cast<std::size_t>(nodes.size()));
  for (const QString& node : nodes) ids.push_back(node.toStdString());
  return ids;
}

QImage grey_image(const live::Image& image) {
  const std::vector<uint8_t> grey = live::auto_contrast_8bit(image);
  QImage out(static_cast<int>(image.cols), static_cast<int>(image.rows), QImage::Format_Grayscale8);
  for (int row = 0; row < out.height(); ++row)
    std::copy_n(grey.data() + static_cast<std::ptrdiff_t>(row) * image.cols, image.cols, out.scanLine(row));
  return out;
}

}  // namespace

live::State shown_state(NodeUse use, const live::NodeStatus& status) {
  return use == NodeUse::muted ? live::State::muted : use == NodeUse::bypassed ? live::State::bypassed : status.state;
}

// Carries notifications from the compute thread to the GUI thread. They are collected and delivered together by one Qt
// event.
class LiveSession::Bridge final : public live::Listener {
  // Notifications since the last delivery; of each state and image only the newest.
  struct News {
    std::map<std::string, live::NodeStatus> statuses;
    std::optional<live::InfosChange> infos;
    std::map<std::string, live::Picture> pictures;
    std::map<std::string, std::shared_ptr<const live::Image>> thumbnails;
    std::vector<live::PlainValue> values;
    std::vector<std::shared_ptr<const live::LearningNews>> learning;
    std::optional<live::Activity> activity;
    std::optional<live::RunProgress> run;
    std::vector<live::RunEnd> ends;
    std::optional<live::Forecast> forecast, other_forecast;
    std::optional<live::CacheUse> cache;
    std::optional<live::HintsChange> hints;
    std::vector<live::Metric> metrics;
    std::vector<ComputedWindow> windows;
    std::vector<live::Message> messages;

    void add(live::StatusChange n) { statuses[n.node] = std::move(n.status); }
    void add(live::InfosChange n) { infos = std::move(n); }
    void add(live::PictureReady n) { pictures[n.view] = std::move(n.picture); }
    void add(live::ThumbnailReady n) { thumbnails[n.node] = std::move(n.image); }
    void add(live::PlainValue n) { values.push_back(std::move(n)); }
    void add(std::shared_ptr<const live::LearningNews> n) { learning.push_back(std::move(n)); }
    void add(live::Activity n) { activity = n; }
    void add(live::PipelineForgotten) {}
    void add(live::RunProgress n) { run = std::move(n); }
    void add(live::RunEnd n) { ends.push_back(std::move(n)); }
    void add(live::Forecast n) { (n.of == nullptr ? forecast : other_forecast) = std::move(n); }
    void add(live::CacheUse n) { cache = std::move(n); }
    void add(live::HintsChange n) { hints = std::move(n); }
    void add(live::Metric n) { metrics.push_back(std::move(n)); }
    void add(live::WindowShown n) { windows.push_back(std::move(n.window)); }
    void add(live::Message n) { messages.push_back(std::move(n)); }
  };

 public:
  explicit Bridge(LiveSession& session) : session_(session) {}
  void notify(live::Notification notification) override {
    const std::lock_guard lock(mutex_);
    if (std::holds_alternative<live::PipelineForgotten>(notification)) --forgetting_;
    if (forgetting_ > 0 && is_of_pipeline(notification)) return;
    std::visit([this](auto& n) { news_.add(std::move(n)); }, notification);
    if (std::exchange(posted_, true)) return;
    QMetaObject::invokeMethod(
        &session_, [this] { deliver(); }, Qt::QueuedConnection);
  }

  // GUI thread. Also drops undelivered notifications, and those that the compute thread sends until it has forgotten
  // the pipeline.
  void forget_pipeline() {
    statuses.clear();
    known.clear();
    thumbnails.clear();
    const std::lock_guard lock(mutex_);
    ++forgetting_;
    News kept;
    kept.activity = news_.activity;
    kept.run = std::move(news_.run);
    kept.ends = std::move(news_.ends);
    kept.cache = std::move(news_.cache);
    kept.messages = std::move(news_.messages);
    news_ = std::move(kept);
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
  static bool is_of_pipeline(const live::Notification& notification);
  void deliver();
  void deliver_states(News& news);
  void deliver_learning(const learn::Progress& progress) { Q_EMIT session_.learning(progress); }
  void deliver_learning(const live::LearningPaused&) { Q_EMIT session_.learning_paused(); }
  void deliver_learning(const live::LearnEnd& end) { Q_EMIT session_.learned(end); }
  void deliver_learning(const live::LandscapeEnd& end) { Q_EMIT session_.landscape_ready(end); }
  void deliver_learning(const live::GradientCheckEnd& end) { Q_EMIT session_.gradients_checked(end); }
  void deliver_learning(const live::NodeCheckEnd& end) { Q_EMIT session_.node_checked(end); }
  void deliver_learning(const live::FollowEnd& end) { Q_EMIT session_.followed(end); }

  LiveSession& session_;
  std::mutex mutex_;
  News news_;
  bool posted_ = false;
  int forgetting_ = 0;  // number of pipelines that the compute thread has not yet forgotten
};

// False for notifications about an earlier pipeline. Ends of runs are reported in any case.
bool LiveSession::Bridge::is_of_pipeline(const live::Notification& notification) {
  return std::visit(
      [](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        return !(std::is_same_v<T, live::Activity> || std::is_same_v<T, live::PipelineForgotten> ||
                 std::is_same_v<T, live::RunProgress> || std::is_same_v<T, live::RunEnd> ||
                 std::is_same_v<T, live::CacheUse> || std::is_same_v<T, live::Message>);
      },
      notification);
}

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
  for (const auto& learning : news.learning)
    std::visit([this](const auto& of_kind) { deliver_learning(of_kind); }, learning->what);
  for (const live::Metric& m : news.metrics)
    Q_EMIT session_.metric(QString::fromStdString(m.node), QString::fromStdString(m.name), m.index, m.value);
  for (const ComputedWindow& window : news.windows) Q_EMIT session_.window_shown(window);
  for (const live::Message& m : news.messages)
    Q_EMIT session_.message(m.level, QString::fromStdString(m.node), translated(m.text));
  if (news.activity) {
    session_.activity_ = *news.activity;
    Q_EMIT session_.activity_changed();
  }
  if (news.run) {
    session_.run_ = *news.run;
    Q_EMIT session_.run_changed();
  }
  for (const live::RunEnd& end : news.ends) {
    --session_.runs_;
    Q_EMIT session_.run_finished(end);
  }
}

void LiveSession::Bridge::deliver_states(News& news) {
  if (news.infos) {
    known = std::move(news.infos->by_node);
    const auto& nodes = session_.document_.graph().nodes;
    std::erase_if(statuses, [&](const auto& s) { return nodes.count(s.first) == 0; });
    std::erase_if(thumbnails, [&](const auto& t) { return nodes.count(t.first) == 0; });
  }
  for (const auto& [node, status] : news.statuses) statuses[node] = status;
  if (!session_.options_.switches.thumbnails)
    news.thumbnails.clear();  // thumbnails not yet delivered when they were switched off
  for (const auto& [node, image] : news.thumbnails) thumbnails[node] = grey_image(*image);
  if (news.forecast) session_.forecast_ = *news.forecast;
  if (news.cache) session_.cache_ = *news.cache;
  if (news.hints) session_.hints_ = std::move(news.hints->hints);
  for (const auto& [node, status] : news.statuses) Q_EMIT session_.status_changed(QString::fromStdString(node));
  if (news.infos) Q_EMIT session_.infos_changed();
  for (const auto& [node, image] : news.thumbnails) Q_EMIT session_.thumbnail_changed(QString::fromStdString(node));
  if (news.forecast) Q_EMIT session_.forecast_changed();
  if (news.other_forecast) Q_EMIT session_.forecast_ready(*news.other_forecast);
  if (news.cache) Q_EMIT session_.cache_changed();
  if (news.hints) Q_EMIT session_.hints_changed();
}

LiveSession::LiveSession(Document& document, live::EngineOptions options, QObject* parent)
    : QObject(parent),
      document_(document),
      bridge_(std::make_unique<Bridge>(*this)),
      learning_settings_(std::make_shared<const learn::Settings>()),
      device_(QString::fromStdString(live::device_text(options.device))),
      options_(std::move(options)) {
  engine_ = std::make_unique<live::Engine>(document.registry(), options_, *bridge_);
  connect(&document_, &Document::graph_changed, this, &LiveSession::show_pipeline);
  connect(&document_, &Document::was_reset, this, [this] { preview_ = nullptr; });
  const auto show_preview_again = [this] {
    if (std::exchange(preview_waits_, false) && preview_) show_pipeline();
  };
  connect(this, &LiveSession::run_finished, this, show_preview_again);
  connect(this, &LiveSession::learned, this, show_preview_again);
  show_pipeline();
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
void LiveSession::set_switches(const live::Switches& switches) {
  const live::Switches before = std::exchange(options_.switches, switches);
  if (switches == before) return;
  engine_->set_switches(switches);
  if (switches.thumbnails != before.thumbnails) bridge_->forget_thumbnails();
  Q_EMIT switches_changed();
}
void LiveSession::request(const QString& view, const live::PictureRequest& request) {
  engine_->request(view.toStdString(), request);
}
void LiveSession::forget(const QString& view) { engine_->forget(view.toStdString()); }
void LiveSession::ask(const QString& node, const QString& port, live::Effort effort) {
  engine_->ask(node.toStdString(), port.toStdString(), effort);
}
void LiveSession::learn(const learn::Settings& settings) {
  learning_settings_ = std::make_shared<const learn::Settings>(settings);
  use_set_pipeline();
  engine_->learn(settings);
}
void LiveSession::show_pipeline() {
  Graph shown = document_.graph();
  if (preview_ && !preview_waits_) preview_(shown);
  graph_number_ = engine_->set_graph(shown);
}
void LiveSession::set_preview(std::function<void(Graph&)> change) {
  if (!preview_ && !change) return;
  preview_ = std::move(change);
  if (!preview_waits_) show_pipeline();
}
void LiveSession::use_set_pipeline() {
  if (!std::exchange(preview_waits_, true) && preview_) show_pipeline();
}
void LiveSession::begin_run() {
  ++runs_;
  use_set_pipeline();
}
void LiveSession::command(learn::LearnCommand command) { engine_->command(command); }
void LiveSession::show_values(const std::vector<learn::TargetValue>& values) { engine_->show_values(values); }
void LiveSession::landscape(const learn::LandscapeRequest& request) { engine_->landscape(request); }
void LiveSession::check_gradients(const learn::Settings& settings) { engine_->check_gradients(settings); }
void LiveSession::check_node(const QString& node) { engine_->check_node(node.toStdString()); }
LiveSession::WindowSink LiveSession::begin_arrivals() {
  engine_->begin_arrivals();
  return [engine = engine_.get()](std::shared_ptr<const stream::Window> window) { engine->arrive(std::move(window)); };
}
void LiveSession::end_arrivals() { engine_->end_arrivals(); }
qint64 LiveSession::windows_replaced() const { return engine_->windows_replaced(); }
void LiveSession::follow(const std::optional<learn::Settings>& settings) { engine_->follow(settings); }
void LiveSession::measure_again() { engine_->measure_again(); }
io::ProtectedFiles LiveSession::pipeline_file() const {
  io::ProtectedFiles file;
  if (!document_.path().isEmpty())
    file.add(document_.path().toStdString(), "the pipeline " + document_.title().toStdString());
  return file;
}
void LiveSession::run_all(live::Existing existing) {
  begin_run();
  engine_->run({}, existing, pipeline_file());
}
void LiveSession::run_graph(const Graph& graph, const std::vector<std::string>& outputs, live::Existing existing) {
  begin_run();
  engine_->run_graph(graph, outputs, existing, pipeline_file());
}
void LiveSession::forecast(std::shared_ptr<const Graph> graph) { engine_->forecast(std::move(graph)); }
void LiveSession::run_to(const QStringList& nodes) {
  begin_run();
  engine_->compute(names(nodes));
}
void LiveSession::force_all(live::Existing existing) {
  begin_run();
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
void LiveSession::forget_pipeline() {
  bridge_->forget_pipeline();
  engine_->forget_pipeline();
  forecast_ = {};
  hints_.clear();
  Q_EMIT forecast_changed();
  Q_EMIT hints_changed();
}
QString LiveSession::device_name() const { return translated(device_.toStdString()); }

}  // namespace tl::ui
