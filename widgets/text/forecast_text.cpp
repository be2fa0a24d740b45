// Forecast text: estimates are rounded, so that they do not look like measurements.
#include "widgets/text/forecast_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "widgets/language/translated.h"
#include "widgets/text/amounts.h"

namespace tl::ui {
namespace {

QString forecast_tr(const char* text) { return QCoreApplication::translate("tl::ui::Forecast", text); }

// One significant figure below 20, steps of 5 up to 60.
double rounded(double value) {
  if (value < 10) return std::max(std::round(value), 1.0);
  return 5 * std::round(value / 5);
}

}  // namespace

QString about_duration(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 1) return forecast_tr("under 1 s");
  if (rounded(seconds) < minute) return forecast_tr("about %1 s").arg(rounded(seconds));
  if (rounded(seconds / minute) < minute) return forecast_tr("about %1 min").arg(rounded(seconds / minute));
  return forecast_tr("about %1 h").arg(seconds / hour, 0, 'f', seconds < 10 * hour ? 1 : 0);
}

QString forecast_time(const live::Forecast& forecast) {
  const QString time = about_duration(forecast.seconds);
  return forecast.unmeasured.empty() ? time : forecast_tr("%1 + writing").arg(time);
}

QString forecast_text(const live::Forecast& forecast) {
  if (!forecast.fits) return forecast_tr("whole run: does not fit");
  const QString memory = bytes_text(forecast.peak);
  return forecast.seconds >= 0 ? forecast_tr("whole run: %1 · %2").arg(forecast_time(forecast), memory)
                               : forecast_tr("whole run: %1").arg(memory);
}

QString brief_forecast_text(const live::Forecast& forecast) {
  if (!forecast.fits) return forecast_tr("does not fit");
  return forecast.seconds >= 0 ? about_duration(forecast.seconds) : bytes_text(forecast.peak);
}

QString unmeasured_text(const live::Forecast& forecast) {
  QStringList titles;
  for (const std::string& title : forecast.unmeasured) titles << translated(title);
  return titles.join(QStringLiteral(", "));
}

}  // namespace tl::ui
