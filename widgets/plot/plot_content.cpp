// PlotContent: writes the contents of a plot as CSV and as text for screen readers.
#include "widgets/plot/plot_content.h"

#include <QCoreApplication>
#include <QStringList>

namespace tl::ui {
namespace {

QString csv_cell(QString text) {
  if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')))
    return text;
  text.replace(QLatin1String("\""), QLatin1String("\"\""));
  return QLatin1Char('"') + text + QLatin1Char('"');
}
QString csv_cell(double value) { return QString::number(value == 0 ? 0 : value, 'g', 12); }  // no "-0"
QString csv_row(const QStringList& cells) { return cells.join(QLatin1Char(',')) + QLatin1Char('\n'); }

QString map_csv(const PlotContent& content) {
  const PlotMap& map = *content.map;
  QString text = csv_row({csv_cell(content.x.label()), csv_cell(content.y.label()), csv_cell(map.axis.label())});
  for (std::size_t j = 0; j < map.y.size(); ++j)
    for (std::size_t i = 0; i < map.x.size(); ++i)
      text += csv_row({csv_cell(map.x[i]), csv_cell(map.y[j]), csv_cell(map.values.at(j * map.x.size() + i))});
  return text;
}

}  // namespace

QString PlotAxis::label() const { return unit.isEmpty() ? title : title + QStringLiteral(" [%1]").arg(unit); }

QString plot_csv(const PlotContent& content) {
  if (content.map) return map_csv(content);
  const bool several = content.series.size() > 1;
  bool bands = false;
  for (const PlotSeries& s : content.series) bands = bands || !s.sigma.empty();
  QStringList head{csv_cell(content.x.label()), csv_cell(content.y.label())};
  if (several) head.prepend(QStringLiteral("series"));
  if (bands) head << QStringLiteral("uncertainty");
  QString text = csv_row(head);
  for (const PlotSeries& s : content.series)
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      QStringList cells{csv_cell(s.x[i]), csv_cell(s.y[i])};
      if (several) cells.prepend(csv_cell(s.name));
      if (bands) cells << (i < s.sigma.size() ? csv_cell(s.sigma[i]) : QString());
      text += csv_row(cells);
    }
  return text;
}

QString plot_summary(const PlotContent& content) {
  QStringList parts;
  for (const PlotSeries& s : content.series) {
    if (s.x.empty()) continue;
    parts << QCoreApplication::translate("Plot", "%1: %n points, from %2 to %3", nullptr, static_cast<int>(s.x.size()))
                 .arg(s.name.isEmpty() ? content.y.label() : s.name)
                 .arg(s.y.front(), 0, 'g', 5)
                 .arg(s.y.back(), 0, 'g', 5);
  }
  if (content.map)
    parts << QCoreApplication::translate("Plot", "Map of %1 by %2 points")
                 .arg(content.map->x.size())
                 .arg(content.map->y.size());
  return parts.isEmpty() ? QCoreApplication::translate("Plot", "Nothing to show yet")
                         : parts.join(QStringLiteral("; "));
}

}  // namespace tl::ui
