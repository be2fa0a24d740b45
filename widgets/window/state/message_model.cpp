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

void MessageModel::take_back_repeated(const Message& message) {
  if (message.level == LogLevel::error) return;
  const auto begin = messages_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto same = std::find_if(begin, messages_.end(), [&](const Message& m) {
    return m.level == message.level && m.node == message.node && m.text == message.text;
  });
  if (same == messages_.end()) return;
  const int row = static_cast<int>(same - messages_.begin());
  beginRemoveRows({}, row, row);
  messages_.erase(same);
  endRemoveRows();
}

void MessageModel::add(live::MessageLevel level, const QString& node, const QString& text) {
  const bool is_named = !node.isEmpty() && title_of_;
  const Message message{level, node, is_named ? title_of_(node) : node, text, QTime::currentTime()};
  take_back_repeated(message);
  if (messages_.size() == kept) {
    beginRemoveRows({}, 0, 0);
    messages_.pop_front();
    first_ -= std::min<std::size_t>(first_, 1);
    endRemoveRows();
  }
  const int row = rowCount();
  beginInsertRows({}, row, row);
  messages_.push_back(message);
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
  const QString text = m.title.isEmpty() ? typeset(m.text) : m.title + QStringLiteral(": ") + typeset(m.text);
  switch (role) {
    case Qt::DisplayRole: return m.time.toString(QStringLiteral("HH:mm:ss  ")) + text;
    case Qt::DecorationRole: return icon_of(m.level);
    case Qt::ToolTipRole: return text;
    default: return {};
  }
}

}  // namespace tl::ui
