// PerViewDialog: table with one number per view, which can be typed, pasted or loaded from a text file.
#pragma once

#include <QDialog>

#include "core/node/params.h"

class QLabel;

namespace tl::ui {

class PerViewModel;

class PerViewDialog final : public QDialog {
  Q_OBJECT
 public:
  PerViewDialog(const ParamDecl& decl, const NumberList& list, QWidget* parent);
  void load(const QString& file);  // numbers separated by white space, commas or semicolons

 Q_SIGNALS:
  void chosen(const tl::NumberList& list);

 private:
  void take_text(const QString& text);
  void accept_list();
  const ParamDecl& decl_;
  PerViewModel* model_;
  QLabel* problem_;
};

}  // namespace tl::ui
