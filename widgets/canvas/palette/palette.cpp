// Palette: shows the popup for adding nodes and choosing a link's target, and handles its keys.
#include "widgets/canvas/palette/palette.h"

#include <QKeyEvent>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/canvas/palette/palette_delegate.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr QSize popup_size(420, 400);
constexpr int page = 8;

QString port_words(const PaletteEntry& entry, PalettePort::Side side) {
  QStringList words;
  for (const PalettePort& p : entry.ports)
    if (p.side == side) words << p.name;
  return words.isEmpty() ? QStringLiteral("–") : words.join(QStringLiteral(", "));
}

}  // namespace

Palette::Palette(QWidget* parent)
    : QFrame(parent, Qt::Popup), line_(new QLineEdit), list_(new QListView), details_(new QLabel) {
  setObjectName(QStringLiteral("palette"));
  setFrameShape(QFrame::Box);
  auto* box = spaced(new QVBoxLayout(this), 2, {2, 2, 2, 2});
  box->addWidget(line_);
  box->addWidget(list_, 1);
  box->addWidget(details_);
  line_->setAccessibleName(tr("Search"));
  line_->installEventFilter(this);
  list_->setModel(&model_);
  list_->setItemDelegate(new PaletteDelegate(list_));
  list_->setAccessibleName(tr("What fits"));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  details_->setWordWrap(true);
  details_->setTextFormat(Qt::PlainText);
  details_->setMinimumHeight(64);
  details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  connect(line_, &QLineEdit::textChanged, this, &Palette::typed);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &Palette::show_details);
  connect(list_, &QListView::clicked, this, &Palette::accept);
  connect(list_, &QListView::entered, list_, &QListView::setCurrentIndex);
}

void Palette::open(const QPoint& global, const QString& prompt, std::vector<PaletteEntry> entries,
                   std::function<void(const QString&)> then) {
  then_ = std::move(then);
  QPalette colors = palette();
  colors.setColor(QPalette::Window, Theme::instance().color(Token::dock));
  colors.setColor(QPalette::Base, Theme::instance().color(Token::dock));
  colors.setColor(QPalette::WindowText, Theme::instance().color(Token::border));
  colors.setColor(QPalette::Text, Theme::instance().color(Token::text));
  setPalette(colors);
  colors.setColor(QPalette::WindowText, Theme::instance().color(Token::text_second));
  details_->setPalette(colors);
  setFont(Theme::text_font());
  model_.set_entries(std::move(entries), recent_nodes());
  line_->clear();
  line_->setPlaceholderText(prompt);
  typed({});
  resize(popup_size);
  QPoint at = global - QPoint(24, 20);
  if (const QScreen* screen = QGuiApplication::screenAt(global)) {
    const QRect room = screen->availableGeometry();
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
    at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  }
  move(at);
  show();
  line_->setFocus(Qt::PopupFocusReason);
}

void Palette::typed(const QString& text) {
  model_.set_typed(text);
  list_->setCurrentIndex(model_.index(0));
  list_->scrollToTop();
  show_details();
}

void Palette::show_details() {
  const PaletteEntry* entry = model_.entry(list_->currentIndex());
  if (entry == nullptr) {
    details_->setText(tr("No match."));
    return;
  }
  QString text = entry->summary;
  if (!entry->ports.empty())
    text += tr("\n%1  →  %2")
                .arg(port_words(*entry, PalettePort::Side::input), port_words(*entry, PalettePort::Side::output));
  details_->setText(text);
}

void Palette::step(int lines) {
  const int rows = model_.rowCount();
  if (rows == 0) return;
  const int row = std::clamp(list_->currentIndex().row() + lines, 0, rows - 1);
  list_->setCurrentIndex(model_.index(row));
}

void Palette::accept() {
  const PaletteEntry* entry = model_.entry(list_->currentIndex());
  if (entry == nullptr) return;
  const QString key = entry->key;
  const auto then = std::move(then_);
  then_ = nullptr;
  hide();
  if (then) then(key);
}

bool Palette::eventFilter(QObject* watched, QEvent* event) {
  // The palette handles every key: Tab and Return must not trigger actions of the window.
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
    case Qt::Key_Tab: step(1); return true;
    case Qt::Key_Up:
    case Qt::Key_Backtab: step(-1); return true;
    case Qt::Key_PageDown: step(page); return true;
    case Qt::Key_PageUp: step(-page); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    case Qt::Key_Escape: hide(); return true;
    default: return QFrame::eventFilter(watched, event);
  }
}

void Palette::hideEvent(QHideEvent* event) {
  then_ = nullptr;
  QFrame::hideEvent(event);
}

}  // namespace tl::ui
