// LiveSession: the one adapter between core's live engine and Qt: states of nodes, pictures, runs and messages as
// signals on the GUI thread. Nothing here computes; every call returns at once.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "core/live/engine.h"
#include "core/values/infos.h"
#include "widgets/session/document.h"

namespace tl::ui {

// GUI thread only.
class LiveSession final : public QObject {
  Q_OBJECT
 public:
  explicit LiveSession(Document& document, live::EngineOptions options = {}, QObject* parent = nullptr);
  ~LiveSession() override;  // cancels and joins the compute thread

  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] const live::EngineOptions& options() const { return options_; }
  [[nodiscard]] live::NodeStatus status(const QString& node) const;
  // What is known of an output before it is computed; nullptr while unknown (unsound graph, failed check).
  [[nodiscard]] const Info* info(const QString& node, const QString& port) const;
  [[nodiscard]] QImage thumbnail(const QString& node) const;  // null until something of the node was computed
  // Whether nodes have pictures at all; without them none is computed for its own sake.
  void show_thumbnails(bool wanted);
  [[nodiscard]] bool thumbnails_shown() const { return options_.thumbnails; }

  // Shows a region in the view `view` (any text, one per pane) until another request of the same view replaces it or it
  // is forgotten: when the graph changes, new pictures come unasked. Answers come as picture_ready, coarse ones first.
  void request(const QString& view, const live::PictureRequest& request);
  void forget(const QString& view);

  // Answered by value_ready: a scalar, a curve, a table as plain numbers.
  void ask(const QString& node, const QString& port, live::Effort effort);

  // Learning of the document's parameters: see live::Engine. Answered by learning and learned; landscapes and checks by
  // landscape_ready, gradients_checked and node_checked.
  void learn(const learn::Settings& settings);
  void command(learn::LearnCommand command);
  void landscape(const learn::LandscapeRequest& request);
  void check_gradients(const learn::Settings& settings);
  void check_node(const QString& node);

  // Every output node. Outputs that exist end the run at once with an error of kind invalid unless they may be
  // replaced.
  void run_all(live::Existing existing = live::Existing::refuse);
  void run_outputs(const QStringList& nodes, live::Existing existing);  // these output nodes
  void run_to(const QStringList& nodes);                                // computes these nodes' outputs
  void force_all(live::Existing existing = live::Existing::refuse);     // as run_all, with an empty cache
  void stop();
  void free_cache();
  // Of one node: what the cache keeps of it, whatever its settings were; pinned results are not given up for others.
  void free_cache(const QString& node);
  enum class Keep { while_room, pinned };
  void keep(const QString& node, Keep how);
  [[nodiscard]] qint64 cached_bytes(const QString& node) const;
  [[nodiscard]] bool is_pinned(const QString& node) const;
  void start_over();  // before another pipeline comes: results and thumbnails of this one are forgotten
  [[nodiscard]] const live::RunState& run_state() const { return run_; }
  [[nodiscard]] const live::Forecast& forecast() const { return forecast_; }
  [[nodiscard]] const live::CacheUse& cache_use() const { return cache_; }
  [[nodiscard]] QString device_name() const;  // "CPU · 2 cores · AVX-512"

 Q_SIGNALS:
  void status_changed(const QString& node);
  void thumbnail_changed(const QString& node);
  void thumbnails_toggled(bool shown);
  void infos_changed();  // after a check of a changed graph
  void picture_ready(const QString& view, const tl::live::Picture& picture);
  void run_changed();
  void run_finished(const tl::live::RunEnd& end);
  void forecast_changed();
  void cache_changed();
  void value_ready(const tl::live::PlainValue& value);
  void learning(const tl::learn::Progress& progress);  // every iteration, in order
  void learning_paused();                              // the step under way has ended
  void learned(const tl::live::LearnEnd& end);
  void landscape_ready(const tl::live::LandscapeEnd& end);
  void gradients_checked(const tl::live::GradientCheckEnd& end);
  void node_checked(const tl::live::NodeCheckEnd& end);
  void metric(const QString& node, const QString& name, qint64 index, double value);
  void message(tl::live::MessageLevel level, const QString& node, const QString& text);

 private:
  [[nodiscard]] io::ProtectedFiles pipeline_file() const;  // no run replaces it
  class Bridge;
  Document& document_;
  std::unique_ptr<Bridge> bridge_;
  std::unique_ptr<live::Engine> engine_;
  live::RunState run_;
  live::Forecast forecast_;
  live::CacheUse cache_;
  QString device_;
  live::EngineOptions options_;
};

}  // namespace tl::ui
