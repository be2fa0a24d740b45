// LiveSession: the only adapter between the live engine of core and Qt. Delivers states of nodes, images, runs and
// messages as signals on the GUI thread. Calls compute nothing and return at once.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

#include "core/live/engine.h"
#include "core/values/infos.h"
#include "widgets/session/document.h"

namespace tl::learn {
struct Progress;
}
namespace tl::live {
struct LearnEnd;
struct LandscapeEnd;
struct GradientCheckEnd;
struct NodeCheckEnd;
struct FollowEnd;
}  // namespace tl::live

namespace tl::ui {

// The state to show for a node: its use as soon as it is set, else the state reported by the compute thread.
live::State shown_state(NodeUse use, const live::NodeStatus& status);

// GUI thread only.
class LiveSession final : public QObject {
  Q_OBJECT
 public:
  explicit LiveSession(Document& document, live::EngineOptions options = {}, QObject* parent = nullptr);
  ~LiveSession() override;  // cancels the work and joins the compute thread

  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] const live::EngineOptions& options() const { return options_; }
  [[nodiscard]] live::NodeStatus status(const QString& node) const;
  // The info of an output before it is computed; nullptr while unknown (invalid graph, failed check).
  [[nodiscard]] const Info* info(const QString& node, const QString& port) const;
  [[nodiscard]] QImage thumbnail(const QString& node) const;  // null until an output of the node was computed
  // Options that the user turns on and off, see widgets/session/switches.h. While thumbnails are off, no image is
  // computed only for a thumbnail.
  void set_switches(const live::Switches& switches);
  [[nodiscard]] const live::Switches& switches() const { return options_.switches; }

  // Shows a region in the pane named `view` (any text, one per pane) until the next request with that name or forget().
  // When the graph changes, new images follow without a new request. Answers arrive as picture_ready, coarse images
  // first.
  void request(const QString& view, const live::PictureRequest& request);
  void forget(const QString& view);

  // Requests a scalar, a curve or a table as plain numbers; the answer is value_ready.
  void ask(const QString& node, const QString& port, live::Effort effort);

  // Learning of the document's parameters, see live::Requests. Answers: learning and learned; landscape_ready,
  // gradients_checked and node_checked.
  void learn(const learn::Settings& settings);
  void command(learn::LearnCommand command);
  void show_pipeline();  // shows the values of the pipeline again, instead of learned ones
  void show_values(const std::vector<learn::TargetValue>& values);
  // Images show the pipeline with this change until another change or nullptr is set; runs and learning use the
  // pipeline without it. The document does not change.
  void set_preview(std::function<void(Graph&)> change);
  void landscape(const learn::LandscapeRequest& request);
  void check_gradients(const learn::Settings& settings);
  void check_node(const QString& node);

  // A stream replaces the scan that the pipeline loads, see live::Requests. The function may be called from any thread
  // while this session lives.
  using WindowSink = std::function<void(std::shared_ptr<const stream::Window>)>;
  WindowSink begin_arrivals();
  void end_arrivals();
  [[nodiscard]] qint64 windows_replaced() const;
  void follow(const std::optional<learn::Settings>& settings);  // answers: followed
  void measure_again();                                         // in the newest window

  // Runs every output node. Unless `existing` allows replacement, existing output files end the run at once with an
  // error of kind invalid.
  void run_all(live::Existing existing = live::Existing::refuse);
  // Runs output nodes of another graph, which shares results with the pipeline: for an export.
  void run_graph(const Graph& graph, const std::vector<std::string>& outputs, live::Existing existing);
  // Requests time and memory of another graph, answered by forecast_ready; null: none any more.
  void forecast(std::shared_ptr<const Graph> graph);
  void run_to(const QStringList& nodes);                             // computes these nodes' outputs
  void force_all(live::Existing existing = live::Existing::refuse);  // as run_all, after emptying the cache
  void stop();
  void free_cache();
  // Deletes the cached results of one node, for all its settings so far. Pinned results are never evicted.
  void free_cache(const QString& node);
  enum class Keep { evictable, pinned };
  void keep(const QString& node, Keep how);
  [[nodiscard]] qint64 cached_bytes(const QString& node) const;
  [[nodiscard]] bool is_pinned(const QString& node) const;
  // Call before another pipeline is loaded: stops all work and drops results, states and thumbnails. Nothing computed
  // for the former pipeline is delivered afterwards, even if its nodes have the same names.
  void forget_pipeline();
  // The number of the document's graph; each image has the number of its graph.
  [[nodiscard]] uint64_t graph_number() const { return graph_number_; }
  [[nodiscard]] live::Activity activity() const { return activity_; }
  // Of the newest learn().
  [[nodiscard]] const learn::Settings& learning_settings() const { return *learning_settings_; }
  [[nodiscard]] const live::RunProgress& run_progress() const { return run_; }
  // A run is in progress or waiting.
  [[nodiscard]] bool has_run() const { return runs_ > 0; }
  [[nodiscard]] const live::Forecast& forecast() const { return forecast_; }
  // Problems of the scans, whether or not the pipeline handles them; empty until the engine has analysed them.
  [[nodiscard]] const std::vector<Hint>& hints() const { return hints_; }
  [[nodiscard]] const live::CacheUse& cache_use() const { return cache_; }
  [[nodiscard]] QString device_name() const;  // "CPU · 2 cores · AVX-512"

 Q_SIGNALS:
  void status_changed(const QString& node);
  void thumbnail_changed(const QString& node);
  void switches_changed();
  void infos_changed();  // after a changed graph was checked
  void picture_ready(const QString& view, const tl::live::Picture& picture);
  void activity_changed();
  void run_changed();
  void run_finished(const tl::live::RunEnd& end);
  void forecast_changed();
  void forecast_ready(const tl::live::Forecast& forecast);  // of what forecast() asked for
  void cache_changed();
  void hints_changed();
  void value_ready(const tl::live::PlainValue& value);
  void learning(const tl::learn::Progress& progress);  // every iteration, in order
  void learning_paused();                              // the current iteration has ended
  void learned(const tl::live::LearnEnd& end);
  void landscape_ready(const tl::live::LandscapeEnd& end);
  void gradients_checked(const tl::live::GradientCheckEnd& end);
  void node_checked(const tl::live::NodeCheckEnd& end);
  void followed(const tl::live::FollowEnd& end);
  void window_shown(const tl::ComputedWindow& window);  // see live::WindowShown
  void metric(const QString& node, const QString& name, qint64 index, double value);
  void message(tl::live::MessageLevel level, const QString& node, const QString& text);

 private:
  [[nodiscard]] io::ProtectedFiles pipeline_file() const;  // no run may replace it
  void begin_run();
  void use_set_pipeline();  // for a run: without the preview until it has ended
  class Bridge;
  Document& document_;
  std::unique_ptr<Bridge> bridge_;
  std::unique_ptr<live::Engine> engine_;
  uint64_t graph_number_ = 0;
  live::Activity activity_;
  std::shared_ptr<const learn::Settings> learning_settings_;  // never null
  live::RunProgress run_;
  int runs_ = 0;  // that have not ended
  live::Forecast forecast_;
  live::CacheUse cache_;
  std::vector<Hint> hints_;
  QString device_;
  live::EngineOptions options_;
  std::function<void(Graph&)> preview_;
  bool preview_waits_ = false;  // the preview waits for the end of a run
};

}  // namespace tl::ui
