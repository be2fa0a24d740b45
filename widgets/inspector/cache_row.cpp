// CacheRow: shows the size of a node's cached results, and frees or pins them.
#include "widgets/inspector/cache_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/text/amounts.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

CacheRow::CacheRow(LiveSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      amount_(new QLabel(this)),
      free_(new QToolButton(this)),
      pin_(new QToolButton(this)) {
  auto* row = spaced(new QHBoxLayout(this), 1);
  row->addWidget(amount_, 1);
  row->addWidget(free_);
  row->addWidget(pin_);
  as_note(amount_);
  for (QToolButton* button : {free_, pin_}) button->setProperty("role", "chip");
  free_->setText(tr("Free"));
  free_->setToolTip(tr("Removes the cached results of this node; they are computed again when needed."));
  free_->setAccessibleName(tr("Free the cache of this node"));
  pin_->setText(tr("Pin"));
  pin_->setCheckable(true);
  pin_->setToolTip(tr("Pinned results stay in the cache when it is full."));
  pin_->setAccessibleName(tr("Pin the results of this node"));
  connect(free_, &QToolButton::clicked, this, [this] { session_.free_cache(node_); });
  connect(pin_, &QToolButton::clicked, this,
          [this](bool on) { session_.keep(node_, on ? LiveSession::Keep::pinned : LiveSession::Keep::evictable); });
  connect(&session_, &LiveSession::cache_changed, this, &CacheRow::refresh);
}

void CacheRow::show_node(const QString& node) {
  node_ = node;
  refresh();
}

void CacheRow::refresh() {
  const qint64 bytes = session_.cached_bytes(node_);
  amount_->setText(bytes > 0 ? tr("In the cache: %1").arg(bytes_text(bytes)) : tr("Nothing in the cache"));
  free_->setEnabled(bytes > 0);
  pin_->setChecked(session_.is_pinned(node_));
}

}  // namespace tl::ui
