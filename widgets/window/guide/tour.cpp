// Tour: a card next to the widget that it explains, inside the window, and a frame that ignores the mouse.
#include "widgets/window/guide/tour.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int card_width = 340, card_gap = 12;  // px

class TourRim final : public QWidget {
 public:
  explicit TourRim(QWidget& window) : QWidget(&window) { setAttribute(Qt::WA_TransparentForMouseEvents); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().color(Token::accent), 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), Theme::button_radius, Theme::button_radius);
  }
};

// To the right of the widget, to the left, below, above: the first position with enough space, otherwise over its
// middle.
QPoint card_position(const QRect& place, const QSize& card, const QRect& room) {
  const int middle_x = place.center().x() - card.width() / 2, middle_y = place.center().y() - card.height() / 2;
  const QPoint corners[] = {{place.right() + card_gap, middle_y},
                            {place.left() - card_gap - card.width(), middle_y},
                            {middle_x, place.bottom() + card_gap},
                            {middle_x, place.top() - card_gap - card.height()}};
  for (std::size_t i = 0; i < std::size(corners); ++i) {
    QPoint at = corners[i];
    const bool is_left_or_right = i < 2;
    if (is_left_or_right) at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - card.height())));
    if (!is_left_or_right) at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - card.width())));
    if (room.contains(QRect(at, card))) return at;
  }
  return {middle_x, middle_y};
}

}  // namespace

Tour::Tour(QWidget& window, std::vector<TourStop> stops)
    : QFrame(&window),
      window_(window),
      stops_(std::move(stops)),
      rim_(new TourRim(window)),
      title_(new QLabel(this)),
      text_(new QLabel(this)),
      back_(new QPushButton(tr("Back"), this)),
      next_(new QPushButton(this)) {
  setProperty("role", "card");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Tour of the window"));
  setFocusPolicy(Qt::StrongFocus);
  setFixedWidth(card_width);
  as_heading(title_);
  text_->setWordWrap(true);
  next_->setProperty("role", "primary");
  auto* out = new QPushButton(tr("Leave the tour"), this);
  auto* row = new QHBoxLayout;
  row->addWidget(out);
  row->addStretch(1);
  row->addWidget(back_);
  row->addWidget(next_);
  auto* column = spaced(new QVBoxLayout(this), 2, {4, 3, 4, 3});
  column->addWidget(title_);
  column->addWidget(text_);
  column->addLayout(row);
  connect(out, &QPushButton::clicked, this, &Tour::leave);
  connect(back_, &QPushButton::clicked, this, [this] { go(stop_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { stop_ + 1 < stops_.size() ? go(stop_ + 1) : leave(); });
  window.installEventFilter(this);
  rim_->hide();
  hide();
}
Tour::~Tour() { delete rim_; }

void Tour::begin() { go(0); }

void Tour::leave() {
  hide();
  rim_->hide();
  Q_EMIT left();
}

void Tour::go(std::size_t stop) {
  stop_ = std::min(stop, stops_.size() - 1);
  const TourStop& now = stops_[stop_];
  if (now.show) now.show();
  title_->setText(tr("%1 of %2 · %3").arg(stop_ + 1).arg(stops_.size()).arg(now.title));
  text_->setText(now.text);
  back_->setEnabled(stop_ > 0);
  next_->setText(stop_ + 1 < stops_.size() ? tr("Next") : tr("Done"));
  show();
  place();
  setFocus(Qt::OtherFocusReason);
  // Splitters move once more after a change of the workspace.
  QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
}

void Tour::place() {
  if (isHidden()) return;
  const QWidget* about = stops_[stop_].place;
  const QRect room = window_.rect();
  const bool is_seen = about->isVisible();
  const QRect area = is_seen ? QRect(about->mapTo(&window_, QPoint()), about->size()).intersected(room) : QRect();
  resize(card_width, std::max(layout()->totalHeightForWidth(card_width), layout()->minimumSize().height()));
  rim_->setGeometry(area);
  rim_->setVisible(is_seen);
  rim_->raise();
  move(card_position(is_seen ? area : QRect(room.center(), QSize(1, 1)), size(),
                     room.adjusted(card_gap, card_gap, -card_gap, -card_gap)));
  raise();
}

void Tour::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape: leave(); return;
    case Qt::Key_Right: next_->click(); return;
    case Qt::Key_Left: back_->click(); return;
    default: QFrame::keyPressEvent(event);
  }
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_ && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
  return QFrame::eventFilter(watched, event);
}

}  // namespace tl::ui
