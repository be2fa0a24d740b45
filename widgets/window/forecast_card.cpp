// ForecastCard: one row per quantity.
#include "widgets/window/forecast_card.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/text/amounts.h"
#include "widgets/text/forecast_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr std::size_t max_nodes = 5;
constexpr int text_width = 300;  // px

void add_row(QGridLayout& grid, const QString& name, const QString& value) {
  const int row = grid.rowCount();
  auto* left = new QLabel(name);
  left->setProperty("role", "second");
  auto* right = new QLabel(value);
  right->setFont(Theme::number_font());
  right->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  grid.addWidget(left, row, 0);
  grid.addWidget(right, row, 1);
}

}  // namespace

ForecastCard::ForecastCard(const live::Forecast& forecast, QWidget* parent) : QFrame(parent, Qt::Popup) {
  setProperty("role", "card");
  setAttribute(Qt::WA_DeleteOnClose);
  setAccessibleName(tr("Forecast of the whole run"));
  auto* grid = framed(new QGridLayout(this), {4, 3, 4, 3});
  grid->setHorizontalSpacing(Theme::space(6));
  auto* heading = as_heading(new QLabel(tr("Whole run"), this));
  grid->addWidget(heading, 0, 0, 1, 2);
  if (forecast.fits)
    add_row(*grid, tr("Memory"), tr("%1 of %2").arg(bytes_text(forecast.peak), bytes_text(forecast.budget)));
  if (forecast.seconds >= 0) add_row(*grid, tr("Time"), forecast_time(forecast));
  auto nodes = forecast.nodes;
  std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  for (std::size_t i = 0; i < std::min(nodes.size(), max_nodes); ++i)
    add_row(*grid, QStringLiteral("    ") + translated(nodes[i].title), about_duration(nodes[i].seconds));
  QString how = tr("From the speed of the nodes in this session.");
  if (!forecast.fits)
    how = translated(forecast.why_not);
  else if (forecast.seconds < 0)
    how = tr("The time is known once every node has computed something.");
  else if (!forecast.unmeasured.empty())
    how += QChar(' ') + tr("Not included, because not measured yet: %1.").arg(unmeasured_text(forecast));
  auto* note = new QLabel(how, this);
  note->setWordWrap(true);
  note->setTextFormat(Qt::PlainText);
  note->setProperty("role", "second");
  note->setMinimumWidth(text_width);
  grid->addWidget(note, grid->rowCount(), 0, 1, 2);
}

void ForecastCard::open_below(const QWidget& chip) {
  adjustSize();
  QPoint corner = chip.mapToGlobal(QPoint(chip.width() - width(), chip.height() + Theme::space(1)));
  move(corner);
  show();
}

}  // namespace tl::ui
