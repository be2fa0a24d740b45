// ForecastCard: details of the forecast of a whole run: memory, time, and the slowest nodes.
#pragma once

#include <QFrame>

#include "core/live/notification.h"

namespace tl::ui {

// A popup that deletes itself when it is closed.
class ForecastCard final : public QFrame {
  Q_OBJECT
 public:
  ForecastCard(const live::Forecast& forecast, QWidget* parent);
  void open_below(const QWidget& chip);
};

}  // namespace tl::ui
