// RunModel: the learning runs stored in the pipeline, newest first; ticked runs are shown in the plots.
#pragma once

#include <QAbstractListModel>
#include <set>

#include "widgets/session/learning_session.h"

namespace tl::ui {

class RunModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit RunModel(LearningSession& learning, QObject* parent = nullptr);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  // indices of LearningSession::records()
  [[nodiscard]] const std::set<std::size_t>& ticked() const { return ticked_; }

 Q_SIGNALS:
  void ticked_changed();

 private:
  [[nodiscard]] std::size_t record_at(int row) const;
  [[nodiscard]] QString text(const learn::RunRecord& record) const;
  LearningSession& learning_;
  std::size_t count_ = 0;
  std::set<std::size_t> ticked_;
};

}  // namespace tl::ui
