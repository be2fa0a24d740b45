// NodeListModel: all node types by category, filtered by the typed text; rows can be dragged onto the canvas.
#pragma once

#include <QAbstractItemModel>
#include <vector>

#include "core/node/registry.h"

namespace tl::ui {

class NodeListModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  explicit NodeListModel(const Registry& registry, QObject* parent = nullptr);

  void set_typed(const QString& typed);
  [[nodiscard]] QModelIndex best() const;                         // the type that matches the typed text best
  [[nodiscard]] int count() const;                                // node types shown
  [[nodiscard]] QString type_id(const QModelIndex& index) const;  // "" for a category
  static constexpr int category_role = Qt::UserRole;              // the category of a row
  static constexpr int count_role = Qt::UserRole + 1;             // number of types shown in a category

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  [[nodiscard]] QStringList mimeTypes() const override;
  [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;

 private:
  struct Category {
    QString name;
    std::vector<const NodeType*> types;
  };
  [[nodiscard]] const NodeType* node_type(const QModelIndex& index) const;
  const Registry& registry_;
  QString typed_;
  std::vector<Category> categories_;
};

}  // namespace tl::ui
