// PerViewModel: one number per view as a table of one column; typing into the last, empty row appends a number.
#pragma once

#include <QAbstractTableModel>

#include "core/node/params.h"

namespace tl::ui {

class PerViewModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  PerViewModel(const ParamDecl& decl, NumberList list, QObject* parent = nullptr);
  [[nodiscard]] const NumberList& list() const { return list_; }
  void set_list(NumberList list);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  // False if the text is not a number; an empty text removes the row.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  const ParamDecl& decl_;
  NumberList list_;
};

}  // namespace tl::ui
