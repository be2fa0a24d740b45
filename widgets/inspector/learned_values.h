// LearnedValues: what learning found for the parameters of one node, as they stand: value, uncertainty, verdict.
#pragma once

#include <QWidget>

#include "widgets/session/document.h"

class QFormLayout;

namespace tl::ui {

class LearnedValues final : public QWidget {
  Q_OBJECT
 public:
  LearnedValues(const Document& document, QWidget* parent);
  void show_node(const QString& node);  // hidden where nothing was learned, or it was changed since

 private:
  void refresh();
  const Document& document_;
  QString node_;
  QFormLayout* rows_;
  QString shown_;  // what stands there, as text
};

}  // namespace tl::ui
