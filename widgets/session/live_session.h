// LiveSession: the one adapter between core's live engine and Qt: states of nodes, pictures, runs and messages as
// signals on the GUI thread. Nothing here computes; every call returns at once.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "core/infos.h"
#include "core/live/engine.h"
#include "widgets/session/document.h"

namespace tl::ui {

// GUI thread only.
class LiveSession final : public QObject {
  Q_OBJECT
 public:
  explicit LiveSession(Document& document, live::EngineOptions options = {}, QObject* parent = nullptr);
  ~LiveSession() override;  // cancels and joins the compute thread

  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] live::NodeStatus status(const QString& node) const;
  // What is known of an output before it is computed; nullptr while unknown (unsound graph, failed check).
  [[nodiscard]] const Info* info(const QString& node, const QString& port) const;
  [[nodiscard]] QImage thumbnail(const QString& node) const;  // null until something of the node was computed

  // Shows a region in the view `view` (any text, one per pane). A newer request of the same view replaces an older one
  // that is waiting or running. Answers come as picture_ready, coarse ones first where that is quicker.
  void request(const QString& view, const live::PictureRequest& request);
  void forget(const QString& view);

  void run_all();                         // every output node
  void run_to(const QStringList& nodes);  // computes these nodes' outputs
  void force_all();                       // the same as run_all with an empty cache
  void stop();
  void free_cache();
  [[nodiscard]] const live::RunState& run_state() const { return run_; }
  [[nodiscard]] const live::Forecast& forecast() const { return forecast_; }
  [[nodiscard]] QString device_name() const;  // "CPU · 2 cores · AVX-512"

 Q_SIGNALS:
  void status_changed(const QString& node);
  void thumbnail_changed(const QString& node);
  void infos_changed();  // after a check of a changed graph
  void picture_ready(const QString& view, const tl::live::Picture& picture);
  void run_changed();
  void run_finished(const tl::live::RunEnd& end);
  void forecast_changed();
  void message(tl::live::MessageLevel level, const QString& node, const QString& text);

 private:
  class Bridge;
  Document& document_;
  std::unique_ptr<Bridge> bridge_;
  std::unique_ptr<live::Engine> engine_;
  live::RunState run_;
  live::Forecast forecast_;
};

}  // namespace tl::ui
