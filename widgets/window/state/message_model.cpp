// MessageModel: lists the program's messages, one per row.
#include "widgets/window/state/message_model.h"

#include <algorithm>

#include "widgets/text/typeset.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr std::size_t kept = 1000;

QIcon icon_of(live::MessageLevel level) {
  if (level == LogLevel::error) return glyph_icon(Glyph::error, Token::error);
  if (level == LogLevel::warning) return glyph_icon(Glyph::warning, Token::warning);
  return glyph_icon(Glyph::info, Token::text_second);
}
}  // namespace

void MessageModel::add(live::MessageLevel level, const QString& node, const QString& text) {
  if (const Message* before = last(); level == LogLevel::info && before != nullptr && before->level == level &&
                                      before->node == node && before->text == text) {
    messages_.back().time = QTime::currentTime();
    Q_EMIT dataChanged(index(rowCount() - 1), index(rowCount() - 1));
    return;
  }
  if (messages_.size() == kept) {
    beginRemoveRows({}, 0, 0);
    messages_.pop_front();
    first_ -= std::min<std::size_t>(first_, 1);
    endRemoveRows();
  }
  const int row = rowCount();
  beginInsertRows({}, row, row);
  messages_.push_back({level, node, text, QTime::currentTime()});
  endInsertRows();
}

void MessageModel::clear() {
  beginResetModel();
  messages_.clear();
  first_ = 0;
  endResetModel();
}

void MessageModel::begin_pipeline() {
  first_ = messages_.size();
  Q_EMIT pipeline_begun();
}

const Message* MessageModel::last() const { return messages_.size() == first_ ? nullptr : &messages_.back(); }

int MessageModel::count(live::MessageLevel level) const {
  return static_cast<int>(std::count_if(messages_.begin() + static_cast<std::ptrdiff_t>(first_), messages_.end(),
                                        [&](const Message& m) { return m.level == level; }));
}

int MessageModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(messages_.size());
}

QVariant MessageModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Message& m = at(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return m.node.isEmpty() ? typeset(m.text) : m.node + QStringLiteral(": ") + typeset(m.text);
    case Qt::DecorationRole:
      return icon_of(m.level);
    case Qt::ToolTipRole:
      return m.time.toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  ") + typeset(m.text);
    default:
      return {};
  }
}

}  // namespace tl::ui
