// Notices: a banner over the page, whose position follows its size, and a line below it.
#include "widgets/window/notices.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int widest = 680;      // px
constexpr int notice_icon = 18;  // px
constexpr int done_stays_ms = 20000;

}  // namespace

Notice::Notice(Kind kind, QWidget* parent)
    : QFrame(parent), kind_(kind), icon_(new QLabel(this)), text_(new QLabel(this)), buttons_(new QHBoxLayout) {
  const bool is_error = kind == Kind::error;
  setProperty("role", is_error ? "error" : "status");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(is_error ? tr("Error") : tr("End of the run"));
  const QIcon icon = glyph_icon(is_error ? Glyph::error : Glyph::tick, is_error ? Token::error : Token::good);
  icon_->setPixmap(icon.pixmap(notice_icon, notice_icon));
  connect(&Theme::instance(), &Theme::changed, this,
          [this, icon] { icon_->setPixmap(icon.pixmap(notice_icon, notice_icon)); });
  text_->setTextFormat(Qt::PlainText);  // may quote names of files
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QToolButton(this);
  close->setIcon(glyph_icon(Glyph::cross));
  close->setAccessibleName(is_error ? tr("Close this error") : tr("Close this note"));
  close->setToolTip(close->accessibleName());
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  buttons_->setSpacing(Theme::space(2));
  is_error ? lay_out_banner(close) : lay_out_line(close);
  timer_.setSingleShot(true);
  timer_.setInterval(done_stays_ms);
  connect(&timer_, &QTimer::timeout, this, &QWidget::hide);
  hide();
}

void Notice::lay_out_banner(QWidget* close) {
  text_->setWordWrap(true);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  row->addWidget(icon_, 0, Qt::AlignTop);
  row->addWidget(text_, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  auto* column = spaced(new QVBoxLayout(this), 2, {3, 2, 2, 2});
  column->addLayout(row);
  column->addLayout(buttons_);
}

void Notice::lay_out_line(QWidget* close) {
  text_->setMinimumWidth(1);  // a long file name is cut, and does not widen the window
  auto* row = spaced(new QHBoxLayout(this), 2, {3, 1, 2, 1});
  row->addWidget(icon_);
  row->addWidget(text_);
  row->addLayout(buttons_);
  row->addStretch(1);
  row->addWidget(close);
}

void Notice::clear_buttons() {
  while (QLayoutItem* item = buttons_->takeAt(0)) {
    if (item->widget() != nullptr) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
}

void Notice::open(const QString& text, const std::vector<NoticeButton>& buttons) {
  clear_buttons();
  text_->setText(text);
  text_->setToolTip(text);
  if (kind_ == Kind::error) buttons_->addSpacing(notice_icon + Theme::space(2));
  for (const NoticeButton& b : buttons) {
    auto* button = new QPushButton(b.text, this);
    connect(button, &QPushButton::clicked, this, [this, does = b.does] {
      hide();
      does();
    });
    buttons_->addWidget(button);
    button->show();  // shown now, because the height depends on it
  }
  if (kind_ == Kind::error) buttons_->addStretch(1);
  show();
  raise();
  if (kind_ == Kind::done) timer_.start();
  Q_EMIT opened();
}

QString Notice::text() const { return text_->text(); }

void Notice::place(const QRect& area) {
  const int margin = Theme::space(3);
  const int room = std::max(area.width() - 2 * margin, 0);
  // As wide as its text on one line, if there is space.
  const int line = text_->fontMetrics().horizontalAdvance(text_->text()) + notice_icon + Theme::space(20);
  const int wide = std::min({std::max(line, layout()->minimumSize().width()), widest, room});
  const int high = std::max(layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(wide) : 0,
                            layout()->minimumSize().height());
  setGeometry(area.left() + (area.width() - wide) / 2, area.top() + margin, wide, high);
}

void Notice::enterEvent(QEnterEvent* /*event*/) { timer_.stop(); }
void Notice::leaveEvent(QEvent* /*event*/) {
  if (kind_ == Kind::done) timer_.start();
}

Notices::Notices(QWidget& page, QWidget& centre)
    : QObject(&page),
      page_(page),
      centre_(centre),
      error_(new Notice(Notice::Kind::error, &page)),
      done_(new Notice(Notice::Kind::done, page.window())) {
  page_.installEventFilter(this);
  centre_.installEventFilter(this);
  connect(error_, &Notice::opened, this, &Notices::place);
}

void Notices::show_error(const QString& text, const std::vector<NoticeButton>& buttons, const QString& node) {
  node_ = node;
  error_->open(text, buttons);
}
void Notices::show_done(const QString& text, const std::vector<NoticeButton>& buttons) { done_->open(text, buttons); }
void Notices::close_error() {
  node_.clear();
  error_->hide();
}

void Notices::place() {
  if (!error_->isVisible()) return;
  error_->place(centre_.isVisibleTo(&page_) ? QRect(centre_.mapTo(&page_, QPoint()), centre_.size()) : page_.rect());
  error_->raise();  // above a page that was shown later
}

bool Notices::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show || type == QEvent::Hide ||
      type == QEvent::ChildAdded)
    place();
  return QObject::eventFilter(watched, event);
}

}  // namespace tl::ui
