// DatasetsDialog: the tree of an HDF5 file, from which the datasets of a scan are chosen: frames, their kinds, flats,
// darks, angles.
#pragma once

#include <QDialog>
#include <array>
#include <optional>

#include "core/io/hdf5/dataset_choice.h"
#include "widgets/inspector/dialogs/dataset_model.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;

namespace tl::ui {

// GUI thread only. The file is read on another thread; until then the dialog says that it is reading.
class DatasetsDialog final : public QDialog {
  Q_OBJECT
 public:
  DatasetsDialog(const QString& file, QWidget* parent);
  // Reads the tree of the file; an error is shown.
  void read();
  void show_tree(const io::Hdf5Tree& tree);
  // The initial choice; without it, a choice by shapes and names is suggested.
  void set_choice(const io::DatasetChoice& choice);
  // Data of this role come from another file, as its line says: nothing is suggested. Call before the tree is read.
  void leave_to(io::DatasetRole role, const QString& other_file);
  void show_reason(const QString& text);  // why the dialog was opened; empty: the user opened it

  [[nodiscard]] const DatasetModel& model() const { return *model_; }
  [[nodiscard]] QTreeView& tree_view() { return *view_; }
  [[nodiscard]] QLineEdit& line(io::DatasetRole role) { return *rows_[static_cast<std::size_t>(role)].line; }
  [[nodiscard]] QPushButton& use_button(io::DatasetRole role) { return *rows_[static_cast<std::size_t>(role)].use; }
  [[nodiscard]] QPushButton& accept_button() { return *accept_; }

 Q_SIGNALS:
  // `layout`: the fingerprint of the file's layout.
  void chosen(const tl::io::DatasetChoice& choice, const QString& layout);

 private:
  struct Row {
    QLineEdit* line = nullptr;
    QPushButton* use = nullptr;
    bool is_elsewhere = false;  // in another file
  };
  [[nodiscard]] QWidget* make_rows();
  void use_selected(io::DatasetRole role);
  void refresh();
  void follow_selection();
  void finish();
  [[nodiscard]] io::DatasetChoice choice() const;

  QString file_;
  DatasetModel* model_;
  QTreeView* view_;
  QLabel *reason_, *status_, *problem_;
  std::array<Row, 5> rows_;
  QPushButton* accept_;
  std::optional<io::DatasetChoice> given_;
  bool is_read_ = false;
};

}  // namespace tl::ui
