// HintLabel: shows a line of text over the canvas for a while, and places it.
#include "widgets/canvas/hint_label.h"

#include <algorithm>

#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int min_notice_ms = 4000, notice_ms_per_letter = 70;
constexpr int widest = 420;
}  // namespace

HintLabel::HintLabel(QWidget* parent) : QLabel(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setWordWrap(true);
  setMargin(Theme::space(2));
  setProperty("role", "hint");
  setAccessibleName(tr("Hint of the canvas"));
  leave_.setSingleShot(true);
  connect(&leave_, &QTimer::timeout, this, &QWidget::hide);
  hide();
}

void HintLabel::put(const QString& words, Tone tone) {
  set_style_property(*this, "tone", tone == Tone::refusal ? "error" : "plain");
  setFont(Theme::text_font());
  setText(words);
  const int wide = std::min(fontMetrics().horizontalAdvance(words) + 4 * margin(), widest);
  resize(wide, heightForWidth(wide));
  show();
  raise();
}

void HintLabel::show_comparison(const QPoint& at, const QString& words, Tone tone) {
  leave_.stop();
  put(words, tone);
  const QRect room = parentWidget()->rect();
  move(std::clamp(at.x() + 18, 0, std::max(0, room.width() - width())),
       std::clamp(at.y() + 18, 0, std::max(0, room.height() - height())));
}

void HintLabel::show_notice(const QString& words, Tone tone) {
  put(words, tone);
  const QRect room = parentWidget()->rect();
  move((room.width() - width()) / 2, room.height() - height() - Theme::space(4));
  leave_.start(std::max(min_notice_ms, notice_ms_per_letter * static_cast<int>(words.size())));
}

EmptyHint::EmptyHint(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::RichText);
  setTextInteractionFlags(Qt::LinksAccessibleByMouse);
  setAlignment(Qt::AlignCenter);
  setAccessibleName(tr("What to do first"));
  connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
    if (link == QLatin1String("node"))
      Q_EMIT node_wanted();
    else
      Q_EMIT template_wanted(mapToGlobal(rect().bottomRight()));
  });
  connect(&Theme::instance(), &Theme::changed, this, &EmptyHint::write);
  write();
  hide();
}

void EmptyHint::write() {
  const Theme& theme = Theme::instance();
  QFont font = Theme::text_font();
  font.setPixelSize(15);
  setFont(font);
  const QString link = QStringLiteral("<a href=\"%1\" style=\"color:%2; text-decoration:none\">%3</a>");
  const QString accent = theme.color(Token::accent).name();
  setText(QStringLiteral("<span style=\"color:%1\">%2 · %3 · %4</span>")
              .arg(theme.color(Token::text_second).name(),
                   link.arg(QStringLiteral("node"), accent, tr("Tab adds a node")), tr("drop a scan"),
                   link.arg(QStringLiteral("template"), accent, tr("from template"))));
  update_position();
}

void EmptyHint::showEvent(QShowEvent* event) {
  QLabel::showEvent(event);
  update_position();
}

void EmptyHint::update_position() {
  adjustSize();
  const QRect room = parentWidget()->rect();
  move((room.width() - width()) / 2, (room.height() - height()) / 2);
}

}  // namespace tl::ui
