// Forecast text: time and memory of a whole run as text.
#pragma once

#include <QString>

#include "core/live/notification.h"

namespace tl::ui {

// "whole run: about 20 s · 21 MB"; without the time while it is not known.
QString forecast_text(const live::Forecast& forecast);
// For narrow places: "about 20 s", or the memory while the time is not known.
QString brief_forecast_text(const live::Forecast& forecast);
// "about 20 s", "about 20 s + writing"
QString forecast_time(const live::Forecast& forecast);
// Rounded to the precision of an estimate: "about 20 s", "about 3 min", "under 1 s".
QString about_duration(double seconds);
QString unmeasured_text(const live::Forecast& forecast);  // the nodes without a measured speed: "Save volume"

}  // namespace tl::ui
