// DatasetModel: groups, datasets and links of an HDF5 file as a tree, with the role in which each one is used.
#pragma once

#include <QAbstractItemModel>
#include <vector>

#include "core/io/hdf5/dataset_choice.h"

namespace tl::ui {

// "Frames", "Kinds of the frames", ...
QString role_title(io::DatasetRole role);

class DatasetModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { name_column, contents_column, use_column, details_column, column_count };
  using QAbstractItemModel::QAbstractItemModel;
  void set_tree(io::Hdf5Tree tree);
  [[nodiscard]] const io::Hdf5Tree& tree() const { return tree_; }
  void set_choice(const io::DatasetChoice& choice);

  // The entry of a row; an index of the tree's top has none.
  [[nodiscard]] const io::TreeEntry* entry(const QModelIndex& index) const;
  // The row of a path; invalid if the tree does not list it.
  [[nodiscard]] QModelIndex index_of(const std::string& path) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct TreePosition {
    int parent = -1;  // entry
    int row = 0;
    std::vector<int> children;
  };
  [[nodiscard]] const std::vector<int>& children_of(const QModelIndex& parent) const;
  [[nodiscard]] QString use_of(const std::string& path) const;
  io::Hdf5Tree tree_;
  std::vector<TreePosition> positions_;  // by entry
  std::vector<int> top_;
  io::DatasetChoice choice_;
};

}  // namespace tl::ui
