// FlowLayout: breaks its items into rows, and distributes the remaining width of each row among its expanding items.
#include "widgets/theme/flow_layout.h"

#include <QSpacerItem>
#include <algorithm>
#include <utility>

namespace tl::ui {
namespace {

bool expands(const QLayoutItem& item) { return item.expandingDirections().testFlag(Qt::Horizontal); }
int height_of(const QLayoutItem& item, int width) {
  return item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height();
}

struct Placed {
  QLayoutItem* item;
  int width;
};

// Distributes the remaining width of the row among the items that expand.
void fill_row(std::vector<Placed>& row, int left) {
  auto expanding = std::count_if(row.begin(), row.end(), [](const Placed& one) { return expands(*one.item); });
  for (Placed& one : row) {
    if (left <= 0 || !expands(*one.item)) continue;
    const int share = left / static_cast<int>(expanding--);
    one.width += share;
    left -= share;
  }
}

}  // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}
FlowLayout::~FlowLayout() = default;

void FlowLayout::add_stretch() { addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum)); }
void FlowLayout::addItem(QLayoutItem* item) {
  items_.emplace_back(item);
  invalidate();
}
int FlowLayout::count() const { return static_cast<int>(items_.size()); }
QLayoutItem* FlowLayout::itemAt(int index) const {
  return index < 0 || index >= count() ? nullptr : items_[static_cast<std::size_t>(index)].get();
}
QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* taken = items_[static_cast<std::size_t>(index)].release();
  items_.erase(items_.begin() + index);
  invalidate();
  return taken;
}

Qt::Orientations FlowLayout::expandingDirections() const { return Qt::Horizontal; }
bool FlowLayout::hasHeightForWidth() const { return true; }
int FlowLayout::heightForWidth(int width) const { return place(QRect(0, 0, width, 0), Placing::measured); }

QSize FlowLayout::sizeHint() const {
  QSize whole(0, 0);
  for (const auto& item : items_) {
    if (item->isEmpty() && item->spacerItem() == nullptr) continue;
    const QSize size = item->sizeHint();
    const int gap = size.width() > 0 && whole.width() > 0 ? spacing() : 0;
    whole = {whole.width() + gap + size.width(), std::max(whole.height(), size.height())};
  }
  return whole.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
  QSize widest(0, 0);
  for (const auto& item : items_)
    if (!item->isEmpty()) widest = widest.expandedTo(item->minimumSize());
  const QSize all = widest.grownBy(contentsMargins());
  return {all.width(), std::max(all.height(), height_)};
}

// Tells the parent that another number of rows needs another height: splitters do not call heightForWidth().
void FlowLayout::setGeometry(const QRect& area) {
  QLayout::setGeometry(area);
  const int height = place(area, Placing::done);
  if (std::exchange(height_, height) != height) update();
}

int FlowLayout::place(const QRect& area, Placing placing) const {
  const QRect room = area.marginsRemoved(contentsMargins());
  int top = room.top();
  std::vector<Placed> row;
  int used = 0;
  const auto end_row = [&] {
    if (row.empty()) return;
    fill_row(row, room.width() - used);
    int high = 0, left = room.left();
    for (const Placed& one : row) high = std::max(high, height_of(*one.item, one.width));
    for (const Placed& one : row) {
      if (placing == Placing::done) one.item->setGeometry(QRect(left, top, one.width, high));
      left += one.width + (one.item->spacerItem() == nullptr ? spacing() : 0);
    }
    top += high + spacing();
    row.clear();
    used = 0;
  };
  for (const auto& item : items_) {
    const bool is_spacer = item->spacerItem() != nullptr;
    if (item->isEmpty() && !is_spacer) continue;
    const int least = item->minimumSize().width();
    const int width = is_spacer ? 0 : std::max(least, std::min(item->sizeHint().width(), room.width()));
    if (used > 0 && used + spacing() + width > room.width()) end_row();
    used += width + (used > 0 && !is_spacer ? spacing() : 0);
    row.push_back({item.get(), width});
  }
  end_row();
  return std::max(top - spacing(), room.top()) - room.top() + area.height() - room.height();
}

}  // namespace tl::ui
