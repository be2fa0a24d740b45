// TextWalk: reads every text that a window shows, and collects what is cut off, not translated, or without a name for
// screen readers.
#pragma once

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSet>
#include <QSpinBox>
#include <QStyleOption>
#include <QTabBar>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolTip>

namespace tl::test {

class TextWalk {
 public:
  // Words that are equal in every language: identifiers, units, names. In lower case.
  void allow(const QStringList& words) {
    for (const QString& word : words) allowed_.insert(word.toLower());
  }
  [[nodiscard]] const QStringList& problems() const { return problems_; }
  [[nodiscard]] int texts() const { return texts_; }

  // Checks all visible widgets of a window. `where` is the first part of each problem's text.
  void walk(QWidget& window, const QString& where) {
    where_ = where;
    check_words(window.windowTitle(), window, "title");
    QList<QWidget*> all = window.findChildren<QWidget*>();
    for (QWidget* widget : all)
      if (QLayout* layout = widget->layout(); layout != nullptr && widget->isVisible()) layout->activate();
    all.prepend(&window);
    for (QWidget* widget : all)
      if (widget->isVisible() && widget->window() == &window && !is_folded_away(*widget)) check(*widget);
  }
  // Checks all actions of a menu and of its submenus.
  void walk_menu(QMenu& menu, const QString& where) {
    where_ = where;
    Q_EMIT menu.aboutToShow();
    for (QAction* action : menu.actions()) {
      check_words(action->text(), menu, "action");
      check_words(plain(action->toolTip()), menu, "tip of an action");
      if (action->menu() != nullptr) walk_menu(*action->menu(), where + QStringLiteral(" > ") + action->text());
    }
  }

 private:
  void complain(const QWidget& widget, const QString& what) {
    const QString line = QStringLiteral("%1: %2 %3: %4")
                             .arg(where_, QLatin1String(widget.metaObject()->className()), widget.objectName(), what);
    if (!problems_.contains(line)) problems_ << line;
  }
  // A pane with zero size, or a page that is not shown.
  static bool is_folded_away(const QWidget& widget) {
    for (const QWidget* w = &widget; w != nullptr && !w->isWindow(); w = w->parentWidget())
      if (w->width() <= 1 || w->height() <= 1) return true;
    return false;
  }
  static QString plain(const QString& text) {
    if (!Qt::mightBeRichText(text)) return text;
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
  }

  void check_words(const QString& text, const QWidget& widget, const char* what) {
    if (text.isEmpty()) return;
    ++texts_;
    static const QRegularExpression word(QStringLiteral("[\\p{L}_][\\p{L}\\d_.\\-/]*"));
    static const QRegularExpression vowel(QStringLiteral("[aeiouyAEIOUY]"));
    static const QRegularExpression typed(QStringLiteral("\\w+(?:[.=:/]+[\\w\\-]+)+"));  // input: fbp.cutoff=0.2:1:9
    const QString sentence = QString(text).remove(typed);
    for (auto i = word.globalMatch(sentence); i.hasNext();) {
      const QString one = i.next().captured();
      if (!one.contains(vowel) || is_name(one)) continue;
      return complain(
          widget, QStringLiteral("“%1” in %2 “%3” is not translated").arg(one, QLatin1String(what), text.left(120)));
    }
  }
  // Files, identifiers, single letters (axes and keys) and allowed words.
  [[nodiscard]] bool is_name(const QString& word) const {
    if (word.size() == 1) return true;
    if (word.contains('/') || word.contains('_') || word.contains(QRegularExpression("\\.\\w|\\d"))) return true;
    QString bare = word.toLower();
    while (!bare.isEmpty() && !bare.back().isLetter()) bare.chop(1);
    return allowed_.contains(bare);
  }

  static bool tip_says(const QWidget& widget, const QString& text) {
    for (const QWidget* w = &widget; w != nullptr && !w->isWindow(); w = w->parentWidget())
      if (!w->toolTip().isEmpty()) return plain(w->toolTip()).contains(text);
    return false;
  }
  // In a narrow form, the choice of a list and the example in an empty line may end with an ellipsis, if the tool tip
  // begins with the complete text.
  static bool tip_begins_with(QWidget& field, const QString& text) {
    const QPoint middle = field.rect().center();
    QToolTip::showText(field.mapToGlobal(middle), QStringLiteral("-"), &field);  // remains if the field has no tip
    QHelpEvent event(QEvent::ToolTip, middle, field.mapToGlobal(middle));
    QCoreApplication::sendEvent(&field, &event);
    const bool says = plain(QToolTip::text()).startsWith(text);
    QToolTip::hideText();
    return says;
  }
  void check_width(const QWidget& widget, const QString& text, int has, int needs) {
    if (has >= needs || tip_says(widget, text)) return;
    complain(widget, QStringLiteral("“%1” is cut: %2 of %3 px").arg(text.left(120)).arg(has).arg(needs));
  }
  // The part that its parents leave visible; in a scroll area, only horizontally.
  void check_room(const QWidget& widget, const QString& text) {
    const QRect seen = widget.visibleRegion().boundingRect();
    bool scrolls = false;
    for (const QWidget* w = widget.parentWidget(); w != nullptr; w = w->parentWidget())
      scrolls = scrolls || qobject_cast<const QAbstractScrollArea*>(w) != nullptr;
    if (scrolls && seen.isEmpty()) return;
    if (seen.width() < widget.width() || (!scrolls && seen.height() < widget.height()))
      complain(widget, QStringLiteral("“%1” is covered: %2×%3 of %4×%5 px are seen")
                           .arg(text.left(120))
                           .arg(seen.width())
                           .arg(seen.height())
                           .arg(widget.width())
                           .arg(widget.height()));
  }

  void check_name(QWidget& widget) {
    const bool is_used = (widget.focusPolicy() & Qt::TabFocus) != 0 || qobject_cast<QAbstractButton*>(&widget);
    if (!is_used || !widget.isEnabled() || widget.focusProxy() != nullptr) return;
    // Parts of Qt's own widgets: their texts belong to their owner.
    for (const QWidget* w = widget.parentWidget(); w != nullptr; w = w->parentWidget())
      if (qobject_cast<const QAbstractSpinBox*>(w) != nullptr || qobject_cast<const QComboBox*>(w) != nullptr ||
          qobject_cast<const QTabBar*>(w) != nullptr || qobject_cast<const QLineEdit*>(w) != nullptr ||
          (qobject_cast<const QAbstractItemView*>(w) != nullptr &&
           QLatin1String(widget.metaObject()->className()).startsWith(QLatin1String("Q"))))
        return;
    if (qobject_cast<QScrollArea*>(&widget) != nullptr || qobject_cast<QTabBar*>(&widget) != nullptr) return;
    QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(&widget);
    if (seen == nullptr || seen->text(QAccessible::Name).trimmed().isEmpty())
      complain(widget, QStringLiteral("has no accessible name (in %1)")
                           .arg(QLatin1String(widget.parentWidget() == nullptr
                                                  ? "nothing"
                                                  : widget.parentWidget()->metaObject()->className())));
  }

  void check(QWidget& widget) {
    check_words(plain(widget.toolTip()), widget, "tip");
    check_words(widget.accessibleName(), widget, "accessible name");
    check_name(widget);
    if (auto* label = qobject_cast<QLabel*>(&widget)) return check_label(*label);
    if (auto* button = qobject_cast<QAbstractButton*>(&widget)) return check_button(*button);
    if (auto* box = qobject_cast<QComboBox*>(&widget)) return check_box(*box);
    if (auto* box = qobject_cast<QAbstractSpinBox*>(&widget)) return check_spin_box(*box);
    if (auto* line = qobject_cast<QLineEdit*>(&widget)) return check_line(*line);
    if (auto* bar = qobject_cast<QTabBar*>(&widget)) return check_tabs(*bar);
    if (auto* header = qobject_cast<QHeaderView*>(&widget)) return check_header(*header);
    if (auto* group = qobject_cast<QGroupBox*>(&widget)) return check_words(group->title(), widget, "title");
    if (auto* view = qobject_cast<QAbstractItemView*>(&widget)) return check_items(*view, {});
  }
  void check_label(QLabel& label) {
    const QString text = plain(label.text());
    if (text.isEmpty()) return;
    check_words(text, label, "label");
    check_room(label, text);
    const QRect room = label.contentsRect();
    if (!label.wordWrap()) {
      const int needs = Qt::mightBeRichText(label.text()) ? label.sizeHint().width() - label.width() + room.width()
                                                          : label.fontMetrics().size(0, text).width();
      return check_width(label, text, room.width(), needs);
    }
    if (label.heightForWidth(label.width()) > label.height() + 1 && !tip_says(label, text))
      complain(label, QStringLiteral("“%1” is cut: %2 of %3 px high")
                          .arg(text.left(120))
                          .arg(label.height())
                          .arg(label.heightForWidth(label.width())));
    for (const QString& word : text.split(QRegularExpression(QStringLiteral("\\s+"))))
      check_width(label, word, room.width(), label.fontMetrics().horizontalAdvance(word));
  }
  void check_button(QAbstractButton& button) {
    if (button.text().isEmpty()) return;
    auto* tool = qobject_cast<QToolButton*>(&button);
    if (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()) return;
    check_words(button.text(), button, "button");
    check_room(button, button.text());
    check_width(button, button.text(), button.width(), button.minimumSizeHint().width());
    if (button.height() + 1 < button.minimumSizeHint().height())
      complain(button, QStringLiteral("“%1” is cut: %2 of %3 px high")
                           .arg(button.text())
                           .arg(button.height())
                           .arg(button.minimumSizeHint().height()));
  }
  void check_box(QComboBox& box) {
    for (int i = 0; i < box.count(); ++i) check_words(box.itemText(i), box, "choice");
    check_room(box, box.currentText());
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = box.isEditable();
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    const int icon = box.itemIcon(box.currentIndex()).isNull() ? 0 : box.iconSize().width();
    check_field(box, box.currentText(), field.width() - icon);
  }
  void check_spin_box(QAbstractSpinBox& box) {
    check_words(box.text(), box, "number");
    check_room(box, box.text());
    if (auto* line = box.findChild<QLineEdit*>())
      check_width(box, box.text(), line->contentsRect().width(), box.fontMetrics().horizontalAdvance(box.text()));
  }
  // Text typed by the user is not translated.
  void check_line(QLineEdit& line) {
    check_words(line.placeholderText(), line, "placeholder");
    if (qobject_cast<QAbstractSpinBox*>(line.parentWidget()) != nullptr) return;
    check_room(line, line.placeholderText());
    QStyleOptionFrame option;
    option.initFrom(&line);
    const QRect field = line.style()->subElementRect(QStyle::SE_LineEditContents, &option, &line);
    if (line.text().isEmpty()) check_field(line, line.placeholderText(), field.width() - 4);  // 2 px at each side
  }
  void check_field(QWidget& field, const QString& text, int has) {
    const int needs = field.fontMetrics().horizontalAdvance(text);
    if (has < needs && !tip_begins_with(field, text)) check_width(field, text, has, needs);
  }
  void check_tabs(QTabBar& bar) {
    for (int i = 0; i < bar.count(); ++i) {
      if (!bar.isTabVisible(i)) continue;
      check_words(bar.tabText(i), bar, "tab");
      check_words(bar.tabToolTip(i), bar, "tip of a tab");
      const QRect seen = bar.tabRect(i) & bar.rect();
      if (bar.tabToolTip(i).contains(bar.tabText(i))) continue;
      check_width(bar, bar.tabText(i), seen.width(), bar.fontMetrics().horizontalAdvance(bar.tabText(i)));
    }
  }
  void check_header(QHeaderView& header) {
    if (header.model() == nullptr || header.orientation() == Qt::Vertical) return;
    for (int i = 0; i < header.count(); ++i) {
      if (header.isSectionHidden(i)) continue;
      const QString text = header.model()->headerData(i, Qt::Horizontal).toString();
      const QString tip = header.model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString();
      check_words(text, header, "header");
      check_words(plain(tip), header, "tip of a header");
      if (!tip.contains(text))
        check_width(header, text, header.sectionSize(i), header.fontMetrics().horizontalAdvance(text));
    }
  }
  // Cut texts of items end with an ellipsis, and are seen whole when the column is dragged.
  void check_items(QAbstractItemView& view, const QModelIndex& parent) {
    const QString content = view.property("content").toString();
    if (view.model() == nullptr || content == QLatin1String("user") || content == QLatin1String("document")) return;
    constexpr int most = 200;
    for (int row = 0; row < std::min(view.model()->rowCount(parent), most); ++row)
      for (int col = 0; col < view.model()->columnCount(parent); ++col) {
        const QModelIndex index = view.model()->index(row, col, parent);
        check_words(plain(index.data().toString()), view, "item");
        check_words(plain(index.data(Qt::ToolTipRole).toString()), view, "tip of an item");
        if (col == 0) check_items(view, index);
      }
  }

  QSet<QString> allowed_;
  QStringList problems_;
  QString where_;
  int texts_ = 0;
};

}  // namespace tl::test
