// HeaderBar: builds the bar at the top of the window, and keeps its contents up to date.
#include "widgets/window/header_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "widgets/text/amounts.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QToolButton* chip(QWidget* parent, const QString& name) {
  auto* button = new QToolButton(parent);
  button->setProperty("role", "chip");
  button->setAccessibleName(name);
  return button;
}

}  // namespace

HeaderBar::HeaderBar(LiveSession& session, const Actions& actions, QWidget* parent)
    : QWidget(parent),
      session_(session),
      actions_(actions),
      tabs_(new QWidget(this)),
      title_(new QLabel(this)),
      dirty_(new QLabel(QStringLiteral("●"), this)),
      search_(chip(this, tr("Find an action"))),
      device_(chip(this, tr("Computing device"))),
      forecast_(chip(this, tr("Time and memory of a whole run"))),
      run_(new QPushButton(this)) {
  setProperty("role", "header");
  setAttribute(Qt::WA_StyledBackground);
  setFixedHeight(height);
  auto* mark = new QToolButton(this);
  mark->setIcon(glyph_icon(Glyph::mark, Token::accent));
  mark->setIconSize({18, 18});
  mark->setText(QStringLiteral("Tomoloom"));
  mark->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  mark->setPopupMode(QToolButton::InstantPopup);
  mark->setProperty("role", "flat");
  QFont bold = Theme::text_font();
  bold.setWeight(QFont::DemiBold);
  mark->setFont(bold);
  mark->setMenu(actions_.menu);
  mark->setAccessibleName(tr("Menu"));
  // While a menu is open the button hears nothing of the mouse: without this it stays lit after the menu has closed.
  connect(actions_.menu, &QMenu::aboutToHide, mark, [mark] {
    mark->setDown(false);
    mark->setAttribute(Qt::WA_UnderMouse, mark->rect().contains(mark->mapFromGlobal(QCursor::pos())));
    mark->update();
  });
  title_->setTextFormat(Qt::PlainText);
  dirty_->setAccessibleName(tr("Changed since it was saved"));
  dirty_->setToolTip(dirty_->accessibleName());
  dirty_->setProperty("role", "second");

  auto* row = new QHBoxLayout(tabs_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(1));
  for (QAction* action : actions_.workspaces) {
    auto* tab = new QToolButton(tabs_);
    tab->setProperty("role", "tab");
    tab->setDefaultAction(action);
    tab->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(tab);
  }
  search_->setIcon(glyph_icon(Glyph::search));
  search_->setText(tr("Find an action…   %1").arg(actions_.search->shortcut().toString(QKeySequence::NativeText)));
  search_->setToolTip(search_->text());
  connect(search_, &QToolButton::clicked, actions_.search, &QAction::trigger);
  run_->setProperty("role", "primary");
  connect(run_, &QPushButton::clicked, this,
          [this] { (session_.run_state().running ? actions_.stop : actions_.run)->trigger(); });

  auto* whole = new QHBoxLayout(this);
  whole->setContentsMargins(Theme::space(2), 0, Theme::space(3), 1);
  whole->setSpacing(Theme::space(2));
  whole->addWidget(mark);
  whole->addWidget(title_);
  whole->addWidget(dirty_);
  whole->addStretch(1);
  whole->addWidget(tabs_);
  whole->addStretch(1);
  whole->addWidget(search_);
  whole->addWidget(device_);
  whole->addWidget(forecast_);
  whole->addWidget(run_);
  connect(&session_.document(), &Document::title_changed, this, &HeaderBar::show_title);
  connect(&session_, &LiveSession::forecast_changed, this, &HeaderBar::show_forecast);
  connect(&session_, &LiveSession::run_changed, this, &HeaderBar::show_run);
  show_title();
  show_forecast();
  show_run();
}

QSize HeaderBar::minimumSizeHint() const { return {0, height}; }
void HeaderBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_chips();
}

void HeaderBar::fit_chips() {
  constexpr int with_words = 1240, with_device = 1120, with_forecast = 880;  // px
  search_->setToolButtonStyle(width() >= with_words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  device_->setVisible(width() >= with_device);
  forecast_->setVisible(session_.forecast().known && width() >= with_forecast);
}

void HeaderBar::set_workspaces_enabled(bool enabled) { tabs_->setVisible(enabled); }

void HeaderBar::show_title() {
  const QString full = session_.document().title();
  title_->setText(title_->fontMetrics().elidedText(full, Qt::ElideMiddle, Theme::space(60)));
  title_->setToolTip(session_.document().path());
  dirty_->setVisible(session_.document().is_modified());
  device_->setText(session_.device_name());
}

void HeaderBar::show_forecast() {
  const live::Forecast& forecast = session_.forecast();
  fit_chips();
  if (!forecast.known) return;
  const QString memory = bytes_text(forecast.peak);
  forecast_->setText(forecast.seconds >= 0 ? tr("whole run: %1 · %2").arg(duration_text(forecast.seconds), memory)
                                           : tr("whole run: %1").arg(memory));
  // fraction of the budget; above it the chip warns, since other programs may need the rest
  constexpr double tight = 0.8;
  const bool close = static_cast<double>(forecast.peak) > tight * static_cast<double>(forecast.budget);
  set_style_property(*forecast_, "tone", !forecast.fits ? "error" : close ? "warning" : "");
  forecast_->setToolTip(forecast.fits
                            ? tr("Memory of the whole run: %1 of %2.").arg(memory, bytes_text(forecast.budget))
                            : QString::fromStdString(forecast.why_not));
}

void HeaderBar::show_run() {
  const bool running = session_.run_state().running;
  run_->setText(running ? tr("Stop   Esc Esc") : tr("Run all   F5"));
  run_->setIcon(glyph_icon(running ? Glyph::stop : Glyph::run, Token::on_accent));
  run_->setAccessibleName(running ? tr("Stop the run") : tr("Run all"));
}

}  // namespace tl::ui
