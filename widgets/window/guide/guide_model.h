// GuideModel: the pipeline as a numbered list of steps, in the order of the data flow.
#pragma once

#include <QAbstractListModel>
#include <QStringList>

#include "widgets/session/live_session.h"

namespace tl::ui {

class GuideModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit GuideModel(LiveSession& session, QObject* parent = nullptr);
  [[nodiscard]] QString node(int row) const { return nodes_.value(row); }
  [[nodiscard]] int row_of(const QString& node) const { return static_cast<int>(nodes_.indexOf(node)); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  void rebuild();
  [[nodiscard]] QString title(const QString& node) const;
  [[nodiscard]] live::State state(const QString& node) const;
  LiveSession& session_;
  QStringList nodes_;
};

}  // namespace tl::ui
