// LearnedValues: learned values of one node's parameters, with uncertainty and verdict.
#pragma once

#include <QWidget>

#include "widgets/session/document.h"

class QFormLayout;

namespace tl::ui {

class LearnedValues final : public QWidget {
  Q_OBJECT
 public:
  LearnedValues(const Document& document, QWidget* parent);
  void show_node(const QString& node);  // hidden if nothing was learned, or if values were changed since

 private:
  void refresh();
  const Document& document_;
  QString node_;
  QFormLayout* rows_;
  QString shown_;  // the rows as text
};

}  // namespace tl::ui
