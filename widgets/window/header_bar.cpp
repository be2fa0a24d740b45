// HeaderBar: builds the bar at the top of the window, and keeps its contents up to date.
#include "widgets/window/header_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/text/amounts.h"
#include "widgets/text/forecast_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"
#include "widgets/window/forecast_card.h"

namespace tl::ui {
namespace {

QToolButton* chip(QWidget* parent, const QString& name) {
  auto* button = new QToolButton(parent);
  button->setProperty("role", "chip");
  button->setAccessibleName(name);
  return button;
}

QHBoxLayout* row_in(QWidget* group) {
  auto* row = spaced(new QHBoxLayout(group), 2);
  return row;
}

constexpr int brief_forecast = 112;  // px, width of a chip such as "about 12 min"
constexpr int least_title = 80;      // px

QString run_words() { return HeaderBar::tr("Run all   F5"); }
QString stop_words() { return HeaderBar::tr("Stop   Esc Esc"); }

}  // namespace

HeaderBar::HeaderBar(LiveSession& session, const Actions& actions, QWidget* parent)
    : QWidget(parent),
      session_(session),
      actions_(actions),
      left_(new QWidget(this)),
      tabs_(new QWidget(this)),
      right_(new QWidget(this)),
      mark_(new QToolButton(left_)),
      title_(new QLabel(left_)),
      dirty_(new QLabel(QStringLiteral("●"), left_)),
      search_(chip(right_, tr("Find an action"))),
      device_(chip(right_, tr("Computing device"))),
      forecast_(chip(right_, tr("Time and memory of a whole run"))),
      run_(new QPushButton(right_)) {
  setProperty("role", "header");
  setAttribute(Qt::WA_StyledBackground);
  setFixedHeight(height);
  make_left();
  make_tabs();
  make_right();
  connect(&session_.document(), &Document::title_changed, this, &HeaderBar::show_title);
  connect(&session_, &LiveSession::forecast_changed, this, &HeaderBar::show_forecast);
  connect(&session_, &LiveSession::run_changed, this, &HeaderBar::show_run);
  show_run();
  show_title();
  show_forecast();
}

void HeaderBar::make_left() {
  mark_->setIcon(glyph_icon(Glyph::mark, Token::accent));
  mark_->setIconSize({18, 18});
  mark_->setText(QStringLiteral("Tomoloom"));
  mark_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  mark_->setPopupMode(QToolButton::InstantPopup);
  mark_->setProperty("role", "menu");
  mark_->setToolTip(tr("Menu: all commands"));
  QFont bold = Theme::text_font();
  bold.setWeight(QFont::DemiBold);
  mark_->setFont(bold);
  mark_->setMenu(actions_.menu);
  mark_->setAccessibleName(tr("Menu"));
  // While a menu is open, the button receives no mouse events: without this it stays highlighted after the menu has
  // closed.
  connect(actions_.menu, &QMenu::aboutToHide, mark_, [mark = mark_] {
    mark->setDown(false);
    mark->setAttribute(Qt::WA_UnderMouse, mark->rect().contains(mark->mapFromGlobal(QCursor::pos())));
    mark->update();
  });
  title_->setTextFormat(Qt::PlainText);
  dirty_->setAccessibleName(tr("Changed since it was saved"));
  dirty_->setToolTip(dirty_->accessibleName());
  dirty_->setProperty("role", "second");
  QHBoxLayout* row = row_in(left_);
  row->addWidget(mark_);
  row->addWidget(title_);
  row->addWidget(dirty_);
  row->addStretch(1);
}

void HeaderBar::make_tabs() {
  QHBoxLayout* row = row_in(tabs_);
  row->setSpacing(Theme::space(1));
  for (QAction* action : actions_.workspaces) {
    auto* tab = new QToolButton(tabs_);
    tab->setProperty("role", "tab");
    tab->setDefaultAction(action);
    tab->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(tab);
  }
}

void HeaderBar::make_right() {
  search_->setIcon(glyph_icon(Glyph::search));
  search_->setText(tr("Find an action…   %1").arg(actions_.search->shortcut().toString(QKeySequence::NativeText)));
  search_->setToolTip(search_->text());
  connect(search_, &QToolButton::clicked, actions_.search, &QAction::trigger);
  device_->setToolTip(tr("Device of the computations. Click to choose threads and memory."));
  connect(device_, &QToolButton::clicked, actions_.preferences, &QAction::trigger);
  connect(forecast_, &QToolButton::clicked, this, &HeaderBar::open_forecast);
  run_->setProperty("role", "primary");
  run_->setIcon(glyph_icon(Glyph::run, Token::on_accent));
  run_->setText(run_words());
  connect(run_, &QPushButton::clicked, this,
          [this] { (session_.run_progress().running && queue_.isEmpty() ? actions_.stop : actions_.run)->trigger(); });
  QHBoxLayout* row = row_in(right_);
  row->addStretch(1);
  for (QWidget* w : std::initializer_list<QWidget*>{search_, device_, forecast_, run_}) row->addWidget(w);
}

void HeaderBar::set_workspaces_enabled(bool enabled) { tabs_->setVisible(enabled); }
QSize HeaderBar::minimumSizeHint() const { return {0, height}; }
void HeaderBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
}

// The tabs are centred, or as far to the left as a brief forecast and the run button need, but not over the menu;
// depends only on the width.
void HeaderBar::place() {
  const int gap = Theme::space(2), edge = Theme::space(3), high = height - 1;
  const int tabs = tabs_->sizeHint().width();
  run_->setMinimumWidth(run_width());
  const int at_right = width() - edge - run_width() - gap - search_icon_width() - 2 * gap;
  const auto fits = [&] { return 4 * gap + mark_->sizeHint().width() + dirty_->sizeHint().width() + tabs <= at_right; };
  mark_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  if (!fits()) mark_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  const int menu = 2 * gap + mark_->sizeHint().width(), least = menu + dirty_->sizeHint().width() + 2 * gap;
  const int wanted = std::max(std::min((width() - tabs) / 2, at_right - brief_forecast - tabs), menu + least_title);
  const int from = std::min(wanted, std::max(at_right - tabs, least));
  tabs_->setGeometry(from, 0, tabs, high);
  left_->setGeometry(gap, 0, from - 2 * gap, high);
  const int right = from + tabs + 2 * gap;
  right_->setGeometry(right, 0, std::max(width() - edge - right, 0), high);
  fit_title(left_->width() - mark_->sizeHint().width() - dirty_->sizeHint().width() - 2 * gap);
  fit_chips(right_->width());
}

// The same for all texts of the button, so that nothing moves when a run begins.
int HeaderBar::run_width() const {
  const QFontMetrics metrics = run_->fontMetrics();
  int widest = 0;
  for (const QString& text : {stop_words(), run_words(), tr("%1   F5").arg(tr("Pause queue"))})
    widest = std::max(widest, metrics.horizontalAdvance(text));
  return widest + run_->sizeHint().width() - metrics.horizontalAdvance(run_->text());
}
int HeaderBar::search_icon_width() {
  search_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  return search_->sizeHint().width();
}

void HeaderBar::fit_title(int room) {
  const QString full = session_.document().title();
  title_->setVisible(room >= Theme::space(5));
  title_->setText(title_->fontMetrics().elidedText(full, Qt::ElideMiddle, std::clamp(room, 0, Theme::space(60))));
}

// In the order of importance: forecast, device, the text of the forecast, the text of the search.
void HeaderBar::fit_chips(int room) {
  const int gap = Theme::space(2);
  const int icon = search_icon_width();
  search_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  const int words = search_->sizeHint().width();
  int left = room - run_width() - gap - icon;
  const auto fits = [&](int width) {
    if (left < width) return false;
    left -= width;
    return true;
  };
  const live::Forecast& forecast = session_.forecast();
  const int device = device_->sizeHint().width() + gap;
  bool shown = false;
  const auto show_with = [&](const QString& text, int others) {
    if (!forecast.known || shown) return;
    forecast_->setText(text);
    const int width = forecast_->sizeHint().width() + gap;
    shown = left - others >= width && fits(width);
  };
  show_with(forecast_text(forecast), device);
  show_with(brief_forecast_text(forecast), device);
  show_with(forecast_text(forecast), 0);
  show_with(brief_forecast_text(forecast), 0);
  forecast_->setVisible(shown);
  device_->setVisible(fits(device));
  search_->setToolButtonStyle(fits(words - icon) ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void HeaderBar::show_title() {
  title_->setToolTip(session_.document().path());
  dirty_->setVisible(session_.document().is_modified());
  device_->setText(session_.device_name());
  place();
}

void HeaderBar::show_forecast() {
  const live::Forecast& forecast = session_.forecast();
  if (forecast.known) {
    // fraction of the memory budget above which the chip warns, since other programs may need the rest
    constexpr double tight = 0.8;
    const bool close = static_cast<double>(forecast.peak) > tight * static_cast<double>(forecast.budget);
    set_style_property(*forecast_, "tone", !forecast.fits ? "error" : close ? "warning" : "");
    forecast_->setToolTip(forecast.fits ? tr("Time and memory of the whole run. Click for more.")
                                        : translated(forecast.why_not));
  }
  fit_chips(right_->width());
}

void HeaderBar::open_forecast() {
  auto* card = new ForecastCard(session_.forecast(), this);
  card->open_below(*forecast_);
}

void HeaderBar::show_queue(const QString& words) {
  queue_ = words;
  show_run();
}

void HeaderBar::show_run() {
  if (!queue_.isEmpty()) {
    run_->setText(tr("%1   F5").arg(queue_));
    run_->setIcon(glyph_icon(Glyph::run, Token::on_accent));
    run_->setAccessibleName(queue_);
    return;
  }
  const bool running = session_.run_progress().running;
  run_->setText(running ? stop_words() : run_words());
  run_->setIcon(glyph_icon(running ? Glyph::stop : Glyph::run, Token::on_accent));
  run_->setAccessibleName(running ? tr("Stop the run") : tr("Run all"));
}

}  // namespace tl::ui
