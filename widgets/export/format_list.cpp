// FormatList: headings are items that cannot be chosen.
#include "widgets/export/format_list.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include "widgets/language/translated.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int ending_role = Qt::UserRole + 1;
constexpr int format_list_width = 208;  // px

QString group_title(exports::Group group) {
  switch (group) {
    case exports::Group::volume: return FormatList::tr("Volume");
    case exports::Group::images: return FormatList::tr("Images");
    case exports::Group::meshes: return FormatList::tr("Meshes");
    case exports::Group::numbers: return FormatList::tr("Numbers");
  }
  return {};
}

// The ending at the right, in the second colour.
class FormatDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QString ending = index.data(ending_role).toString();
    if (ending.isEmpty()) return;
    painter->save();
    painter->setPen(
        Theme::instance().color((option.state & QStyle::State_Selected) != 0 ? Token::accent : Token::text_second));
    painter->drawText(option.rect.adjusted(0, 0, -Theme::space(2), 0), Qt::AlignRight | Qt::AlignVCenter, ending);
    painter->restore();
  }

  // Called also before the style sheet is applied to the list, since the list scrolls to the current format while it is
  // made.
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index).expandedTo({0, Theme::space(6)});
  }

 protected:
  // A title that has no room next to the ending is cut.
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QString ending = index.data(ending_role).toString();
    if (ending.isEmpty()) return;
    const int room = option->rect.width() - option->fontMetrics.horizontalAdvance(ending) - Theme::space(6);
    option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight, room);
  }
};

}  // namespace

FormatList::FormatList(ExportSession& session, QWidget* parent) : QListWidget(parent), session_(session) {
  setAccessibleName(tr("Formats"));
  setFixedWidth(format_list_width);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTextElideMode(Qt::ElideRight);
  setItemDelegate(new FormatDelegate(this));
  std::optional<exports::Group> group;
  for (const exports::Format& format : session.formats()) {
    if (format.group != group) {
      group = format.group;
      auto* heading = new QListWidgetItem(group_title(*group), this);
      heading->setFlags(Qt::NoItemFlags);
      heading->setFont(Theme::heading_font());
    }
    auto* item = new QListWidgetItem(translated(format.title), this);
    item->setData(Qt::UserRole, QString::fromStdString(format.id));
    item->setData(ending_role, QString::fromStdString(format.ending));
    item->setToolTip(item->text());
  }
  connect(this, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    const QString id = item == nullptr ? QString() : item->data(Qt::UserRole).toString();
    if (!id.isEmpty() && id.toStdString() != session_.settings().format) session_.choose_format(id.toStdString());
  });
  connect(&session_, &ExportSession::changed, this, &FormatList::show_session);
  show_session();
}

void FormatList::show_session() {
  for (int row = 0; row < count(); ++row)
    if (item(row)->data(Qt::UserRole).toString().toStdString() == session_.settings().format) setCurrentRow(row);
}

}  // namespace tl::ui
