// ActionSearch: an input line, and the actions and nodes that match it below, best match first.
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
#include "widgets/canvas/palette/fuzzy.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int action_role = Qt::UserRole, node_role = Qt::UserRole + 1;
// Other words for an action count a little less than its own name; nodes come after actions that match about as well.
constexpr int synonym_malus = 60, node_malus = 300;

QString action_name(const QAction& action) {
  QString text = action.text();
  text.remove(QChar('&'));
  return text;
}

std::optional<int> best_score(const QString& text, const QString& name, const QStringList& synonyms) {
  return score_by_words(text, [&](const QString& phrase) {
    std::optional<int> best = fuzzy_score(phrase, name);
    for (const QString& word : synonyms)
      if (const auto score = fuzzy_score(phrase, word); score && (!best || *score - synonym_malus > *best))
        best = *score - synonym_malus;
    return best;
  });
}

}  // namespace

ActionSearch::ActionSearch(const Registry& registry, QWidget* window)
    : QFrame(window, Qt::Popup),
      window_(window),
      line_(new QLineEdit(this)),
      list_(new QTreeWidget(this)),
      nodes_(node_entries(registry)) {
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
  auto* column = spaced(new QVBoxLayout(this), 2, {2, 2, 2, 2});
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
  // Actions shared by several widgets are not children of the window.
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
  struct Hit {
    int score;
    QAction* action;
    const PaletteEntry* node;
  };
  std::vector<Hit> hits;
  QStringList listed;
  for (QAction* action : actions_) {
    const QString name = action_name(*action);
    const std::optional<int> score = best_score(text, name, synonyms_of(*action));
    if (!score || listed.contains(name)) continue;
    listed << name;
    hits.push_back({*score, action, nullptr});
  }
  // All nodes would hide the actions while nothing is typed.
  if (!text.trimmed().isEmpty())
    for (const PaletteEntry& node : nodes_)
      if (const std::optional<int> score = best_score(text, node.title, node.synonyms))
        hits.push_back(
            {*score - (text.compare(node.title, Qt::CaseInsensitive) == 0 ? 0 : node_malus), nullptr, &node});
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  list_->clear();
  for (const Hit& hit : hits) hit.action != nullptr ? list_action(hit.action) : list_node(*hit.node);
  if (hits.empty()) return say_nothing_found(text);
  list_->setCurrentItem(list_->topLevelItem(0));
}

void ActionSearch::list_action(QAction* action) {
  auto* item =
      new QTreeWidgetItem(list_, {action_name(*action), action->shortcut().toString(QKeySequence::NativeText)});
  item->setData(0, action_role, QVariant::fromValue(QPointer<QAction>(action)));
  item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  item->setForeground(1, Theme::instance().color(Token::text_second));
  if (!action->isEnabled()) item->setDisabled(true);
}

void ActionSearch::list_node(const PaletteEntry& node) {
  auto* item = new QTreeWidgetItem(list_, {node.title, tr("add node")});
  item->setData(0, node_role, node.key);
  item->setToolTip(0, node.summary);
  item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  item->setForeground(1, Theme::instance().color(Token::text_second));
}

void ActionSearch::say_nothing_found(const QString& text) {
  auto* item = new QTreeWidgetItem(list_, {tr("No action or node matches “%1”.").arg(text.simplified()), QString()});
  item->setFirstColumnSpanned(true);
  item->setFlags(Qt::NoItemFlags);
}

void ActionSearch::trigger_current() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  const auto action = item->data(0, action_role).value<QPointer<QAction>>();
  const QString node = item->data(0, node_role).toString();
  hide();
  if (action != nullptr && action->isEnabled()) action->trigger();
  if (!node.isEmpty()) Q_EMIT node_wanted(node);
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
