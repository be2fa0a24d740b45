// ActionSearch: finds a window's action by letters of its name: an input line, and the matching actions below it, best
// match first.
#include "widgets/window/action_search.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/canvas/graph_actions.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int action_role = Qt::UserRole;

QString action_name(const QAction& action) {
  QString text = action.text();
  text.remove(QChar('&'));
  return text;
}

// An action's own name counts a little more than the other words for it.
int best_score(const QAction& action, const QString& text) {
  constexpr int synonym_malus = 10;
  int best = match_score(action_name(action), text);
  for (const QString& word : synonyms_of(action)) {
    const int score = match_score(word, text);
    if (score > synonym_malus) best = std::max(best, score - synonym_malus);
  }
  return best;
}

bool in_order(const QString& name, const QString& letters) {
  qsizetype at = 0;
  for (const QChar c : letters) {
    if (c.isSpace()) continue;
    at = name.indexOf(c, at, Qt::CaseInsensitive);
    if (at < 0) return false;
    ++at;
  }
  return true;
}

}  // namespace

int match_score(const QString& name, const QString& text) {
  if (text.trimmed().isEmpty()) return 1;
  if (name.startsWith(text, Qt::CaseInsensitive)) return 100;
  if (name.contains(text, Qt::CaseInsensitive)) return 80;
  const QStringList words = text.split(QChar(' '), Qt::SkipEmptyParts);
  if (std::all_of(words.begin(), words.end(), [&](const QString& w) { return name.contains(w, Qt::CaseInsensitive); }))
    return 60;
  return in_order(name, text) ? 20 : 0;
}

ActionSearch::ActionSearch(QWidget* window)
    : QFrame(window, Qt::Popup), window_(window), line_(new QLineEdit(this)), list_(new QTreeWidget(this)) {
  setProperty("role", "card");
  setAccessibleName(tr("Find an action"));
  line_->setPlaceholderText(tr("Find an action…"));
  line_->setAccessibleName(tr("Find an action"));
  line_->setClearButtonEnabled(false);
  line_->installEventFilter(this);
  list_->setColumnCount(2);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setAccessibleName(tr("Actions"));
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Theme::space(2), Theme::space(2), Theme::space(2), Theme::space(2));
  column->setSpacing(Theme::space(2));
  column->addWidget(line_);
  column->addWidget(list_);
  connect(line_, &QLineEdit::textChanged, this, &ActionSearch::filter);
  connect(line_, &QLineEdit::returnPressed, this, &ActionSearch::trigger_current);
  connect(list_, &QTreeWidget::itemClicked, this, &ActionSearch::trigger_current);
}

void ActionSearch::open() {
  actions_.clear();
  const auto consider = [this](QAction* action) {
    if (!action->isSeparator() && action->menu() == nullptr && !action_name(*action).isEmpty() && action->isVisible() &&
        !actions_.contains(action))
      actions_ << action;
  };
  for (QAction* action : window_->findChildren<QAction*>()) consider(action);
  // Actions that several widgets share are not children of the window.
  for (const QWidget* widget : window_->findChildren<QWidget*>())
    for (QAction* action : widget->actions()) consider(action);
  const QSize size(Theme::space(120), Theme::space(100));
  const QPoint top = window_->mapToGlobal(QPoint((window_->width() - size.width()) / 2, Theme::space(12)));
  setGeometry(QRect(top, size));
  line_->clear();
  filter({});
  show();
  line_->setFocus();
}

void ActionSearch::filter(const QString& text) {
  QList<std::pair<int, QAction*>> hits;
  QStringList listed;
  for (QAction* action : actions_) {
    const QString name = action_name(*action);
    const int score = best_score(*action, text);
    if (score == 0 || listed.contains(name)) continue;
    listed << name;
    hits.append({score, action});
  }
  std::stable_sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  list_->clear();
  for (const auto& [score, action] : hits) {
    auto* item =
        new QTreeWidgetItem(list_, {action_name(*action), action->shortcut().toString(QKeySequence::NativeText)});
    item->setData(0, action_role, QVariant::fromValue(QPointer<QAction>(action)));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setForeground(1, Theme::instance().color(Token::text_second));
    if (!action->isEnabled()) item->setDisabled(true);
  }
  if (list_->topLevelItemCount() > 0) list_->setCurrentItem(list_->topLevelItem(0));
}

void ActionSearch::trigger_current() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  const auto action = item->data(0, action_role).value<QPointer<QAction>>();
  hide();
  if (action != nullptr && action->isEnabled()) action->trigger();
}

bool ActionSearch::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const int rows = list_->topLevelItemCount();
    const int by = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
    if (by != 0 && rows > 0) {
      const int row = list_->indexOfTopLevelItem(list_->currentItem());
      list_->setCurrentItem(list_->topLevelItem((row + by + rows) % rows));
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace tl::ui
