// FoundValues: the values that a node measured, with uncertainty and verdict.
#pragma once

#include <QWidget>
#include <map>
#include <string>

#include "core/live/notification.h"

class QFormLayout;

namespace tl::ui {

class FoundValues final : public QWidget {
  Q_OBJECT
 public:
  explicit FoundValues(QWidget* parent);
  void show_status(const live::NodeStatus& status);  // hidden if nothing was found

 private:
  QFormLayout* rows_;
  std::map<std::string, std::string> shown_;
  Verdict verdict_ = Verdict::none;
};

}  // namespace tl::ui
