// WelcomePage: offers how to begin: open a scan, try the example, recent files, templates.
#include "widgets/window/welcome_page.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {
namespace {

constexpr int page_width = 960;      // px
constexpr int icon_size = 28;        // px
constexpr int recent_width = 176;    // px, at least
constexpr int narrowest_link = 120;  // px; a longer text is cut in the middle, and complete in the tool tip
constexpr std::size_t max_recoveries = 3;

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = as_heading(new QLabel(text, parent));
  return label;
}

QToolButton* large_button(Glyph glyph, const QString& title, const QString& what, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setProperty("role", "large");
  button->setIcon(glyph_icon(glyph, Token::accent));
  button->setIconSize({icon_size, icon_size});
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  button->setText(title + QChar('\n') + what);
  button->setAccessibleName(title);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  button->setMinimumHeight(Theme::space(30));
  return button;
}

QToolButton* link_row(Glyph glyph, const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(glyph_icon(glyph));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setText(text);
  button->setAccessibleName(text);
  button->setToolTip(text);
  button->setMinimumWidth(narrowest_link);
  button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  return button;
}

}  // namespace

WelcomePage::WelcomePage(Settings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings), recent_(new QVBoxLayout) {
  setProperty("role", "page");
  setAttribute(Qt::WA_StyledBackground);
  auto* inner = new QWidget;
  inner->setMaximumWidth(page_width);
  auto* column = new QVBoxLayout(inner);
  column->setSpacing(Theme::space(3));
  auto* title = new QLabel(tr("Weave a CT pipeline"), inner);
  QFont font = Theme::text_font();
  font.setPixelSize(26);
  font.setWeight(QFont::DemiBold);
  title->setFont(font);
  auto* text = new QLabel(tr("Drop a scan, a volume or a pipeline anywhere on this window."), inner);
  text->setProperty("role", "second");
  column->addStretch(2);
  column->addWidget(title);
  column->addWidget(text);
  column->addSpacing(Theme::space(2));
  add_recovery(*column);
  add_choices(*column);
  column->addSpacing(Theme::space(3));
  auto* lists = new QGridLayout;
  lists->setHorizontalSpacing(Theme::space(6));
  lists->setColumnMinimumWidth(0, recent_width);
  lists->setColumnStretch(0, 1);  // templates get the width of their titles, recent files the rest
  auto* pipelines = new QVBoxLayout;
  add_templates(*pipelines);
  lists->addWidget(heading(tr("Recent"), inner), 0, 0);
  lists->addWidget(heading(tr("Templates"), inner), 0, 1);
  recent_->setSpacing(Theme::space(1));
  lists->addLayout(recent_, 1, 0, Qt::AlignTop);
  lists->addLayout(pipelines, 1, 1, Qt::AlignTop);
  column->addLayout(lists);
  column->addStretch(3);
  // If templates and unsaved copies need more space than the window has, they scroll instead of being squeezed.
  auto* middle = new QWidget;
  middle->setProperty("role", "page");
  auto* row = new QHBoxLayout(middle);
  row->addStretch(1);
  row->addWidget(inner, 100);
  row->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(middle);
  auto* whole = framed(new QVBoxLayout(this));
  whole->addWidget(scroll);
  refresh();
}

void WelcomePage::add_recovery(QVBoxLayout& column) {
  recovery_ = new QFrame(this);
  recovery_->setProperty("role", "card");
  recovery_->setAccessibleName(tr("Unsaved pipelines"));
  auto* title = new QLabel(tr("Tomoloom ended with unsaved changes"), recovery_);
  QFont bold = Theme::text_font();
  bold.setWeight(QFont::DemiBold);
  title->setFont(bold);
  recovery_rows_ = spaced(new QVBoxLayout(recovery_), 2, {4, 3, 3, 3});
  recovery_rows_->addWidget(title);
  column.addWidget(recovery_);
  recovery_->hide();
}

// The name, the time of the last change, and buttons.
QWidget* WelcomePage::recovery_row(const WindowRecord& gone) {
  auto* whole = new QWidget(recovery_);
  const QString name = gone.pipeline.isEmpty() ? tr("untitled") : QFileInfo(gone.pipeline).fileName();
  auto* text = new QLabel(
      tr("%1 · last change %2").arg(name, gone.changed.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))),
      whole);
  text->setProperty("role", "second");
  text->setTextFormat(Qt::PlainText);
  text->setToolTip(gone.pipeline);
  text->setMinimumWidth(1);  // a long name is cut
  auto* recover = new QPushButton(tr("Recover"), whole);
  recover->setProperty("role", "primary");
  recover->setToolTip(tr("Shows %1 with its unsaved changes").arg(name));
  auto* refuse = new QPushButton(tr("Discard"), whole);
  refuse->setToolTip(tr("Removes the unsaved changes of %1").arg(name));
  auto* row = spaced(new QHBoxLayout(whole), 2);
  row->addWidget(text, 1);
  row->addWidget(refuse);
  row->addWidget(recover);
  connect(recover, &QPushButton::clicked, this, [this, gone] { Q_EMIT recovery_wanted(gone); });
  connect(refuse, &QPushButton::clicked, this, [this, gone] { Q_EMIT recovery_refused(gone); });
  return whole;
}

void WelcomePage::offer_recovery(const std::vector<WindowRecord>& copies) {
  while (QLayoutItem* item = recovery_rows_->takeAt(1)) {
    item->widget()->hide();
    item->widget()->deleteLater();  // this function may be called by one of its buttons
    delete item;
  }
  const auto shown = std::min(copies.size(), max_recoveries);
  for (std::size_t i = 0; i < shown; ++i) recovery_rows_->addWidget(recovery_row(copies[i]));
  if (shown < copies.size()) {
    auto* more = new QLabel(tr("%n older ones follow", nullptr, static_cast<int>(copies.size() - shown)), recovery_);
    more->setProperty("role", "second");
    recovery_rows_->addWidget(more);
  }
  recovery_->setVisible(!copies.empty());
}

void WelcomePage::add_choices(QVBoxLayout& column) {
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(3));
  auto* open = large_button(Glyph::folder, tr("Open a scan"),
                            tr("NXtomo, Data Exchange, EDF, Nikon, SkyScan, TIFF, Zeiss"), this);
  auto* example = large_button(Glyph::sparkle, tr("Try the example"), tr("a simulated scan"), this);
  auto* fresh = large_button(Glyph::file, tr("New pipeline"), tr("an empty canvas"), this);
  for (QToolButton* button : {open, example, fresh}) row->addWidget(button);
  connect(open, &QToolButton::clicked, this, &WelcomePage::open_wanted);
  connect(example, &QToolButton::clicked, this, &WelcomePage::example_wanted);
  connect(fresh, &QToolButton::clicked, this, &WelcomePage::new_wanted);
  column.addLayout(row);
}

void WelcomePage::add_templates(QVBoxLayout& column) {
  column.setSpacing(Theme::space(1));
  for (const PipelineTemplate& t : pipeline_templates()) {
    if (t.name == example_template) continue;
    auto* button = link_row(Glyph::mark, t.title, this);
    connect(button, &QToolButton::clicked, this, [this, name = t.name] { Q_EMIT template_wanted(name); });
    column.addWidget(button, 0, Qt::AlignLeft);
  }
}

void WelcomePage::refresh() {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  for (const QString& path : settings_.recent()) {
    auto* button = link_row(Glyph::file, QFileInfo(path).fileName(), this);
    button->setToolTip(path);
    connect(button, &QToolButton::clicked, this, [this, path] { Q_EMIT file_wanted(path); });
    recent_->addWidget(button, 0, Qt::AlignLeft);
  }
  if (recent_->count() == 0) {
    auto* none = new QLabel(tr("No recent files."), this);
    none->setProperty("role", "second");
    recent_->addWidget(none);
  }
  auto* runs = link_row(Glyph::table, tr("Queue and history"), this);
  connect(runs, &QToolButton::clicked, this, &WelcomePage::runs_wanted);
  recent_->addSpacing(Theme::space(2));
  recent_->addWidget(runs, 0, Qt::AlignLeft);
}

}  // namespace tl::ui
