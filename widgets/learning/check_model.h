// CheckModel: table of pairs of numbers that should be equal, such as a gradient and a difference quotient, or the two
// sides of a dot test.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <vector>

namespace tl::ui {

struct CheckRow {
  QString what;
  double left = 0, right = 0, deviation = 0;
  double limit = 0;  // 0 = no limit
};

class CheckModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void set_rows(std::vector<CheckRow> rows, const QString& left, const QString& right);
  [[nodiscard]] const std::vector<CheckRow>& rows() const { return rows_; }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<CheckRow> rows_;
  QString left_, right_;
};

}  // namespace tl::ui
