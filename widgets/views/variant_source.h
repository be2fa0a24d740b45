// VariantSource: the pipeline of another source with one parameter changed, computed by its own session.
#pragma once

#include <memory>

#include "widgets/session/live_session.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// Follows changes of `base`, which must outlive it. The session starts with the first call of set().
class VariantSource final : public PictureSource {
  Q_OBJECT
 public:
  VariantSource(PictureSource& base, live::EngineOptions options, QObject* parent = nullptr);
  ~VariantSource() override;

  // `value`: text with unit, as on the command line. An empty `node` makes the graph equal to the base's. Errors:
  // unknown names, values out of range; then nothing changes.
  Result<void> set(const QString& node, const QString& param, const QString& value);
  // The node and parameter that differ from the base.
  [[nodiscard]] Output changed() const { return {node_, param_}; }

  [[nodiscard]] const Graph& graph() const override;
  [[nodiscard]] const Registry& registry() const override { return base_.registry(); }
  [[nodiscard]] const Info* info(const Output& output) const override;
  [[nodiscard]] live::NodeStatus status(const QString& node) const override;
  [[nodiscard]] io::OutputRules export_rules() const override { return base_.export_rules(); }
  void request(const QString& view, const live::PictureRequest& request) override;
  void forget(const QString& view) override;

 private:
  Result<void> rebuild();
  PictureSource& base_;
  live::EngineOptions options_;
  QString node_, param_, value_;
  std::unique_ptr<Document> document_;
  std::unique_ptr<LiveSession> session_;
};

}  // namespace tl::ui
