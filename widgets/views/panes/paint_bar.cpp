// PaintBar: a table of tools; buttons send the keys.
#include "widgets/views/panes/paint_bar.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <optional>

#include "widgets/labels/label_colors.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/pane_painter.h"
#include "widgets/views/panes/pane_painting.h"
#include "widgets/views/panes/slice_pane.h"

namespace tl::ui {
namespace {

struct PaintButton {
  Glyph glyph;
  int key;
  Qt::KeyboardModifiers modifiers;
  const char* name;
  std::optional<PaintTool> tool;
};
const std::vector<PaintButton>& paint_buttons() {
  static const std::vector<PaintButton> all{
      {Glyph::brush, Qt::Key_B, Qt::NoModifier, QT_TRANSLATE_NOOP("PaintBar", "Brush on this slice"), PaintTool::brush},
      {Glyph::ball, Qt::Key_B, Qt::ShiftModifier, QT_TRANSLATE_NOOP("PaintBar", "Ball through neighbouring slices"),
       PaintTool::ball},
      {Glyph::eraser, Qt::Key_E, Qt::NoModifier, QT_TRANSLATE_NOOP("PaintBar", "Eraser"), PaintTool::eraser},
      {Glyph::lasso, Qt::Key_L, Qt::NoModifier, QT_TRANSLATE_NOOP("PaintBar", "Lasso: paint the enclosed area"),
       PaintTool::lasso},
      {Glyph::fill, Qt::Key_G, Qt::NoModifier,
       QT_TRANSLATE_NOOP("PaintBar", "Fill the connected region of one label on this slice"), PaintTool::fill},
      {Glyph::threshold,
       Qt::Key_T,
       Qt::NoModifier,
       QT_TRANSLATE_NOOP("PaintBar",
                         "Brush and ball only on grey values near the one under the first click; { and } "
                         "change how near"),
       {}},
      {Glyph::interpolate,
       Qt::Key_I,
       Qt::NoModifier,
       QT_TRANSLATE_NOOP("PaintBar", "Interpolate the label between painted slices"),
       {}},
      {Glyph::cross, Qt::Key_Escape, Qt::NoModifier, QT_TRANSLATE_NOOP("PaintBar", "Stop painting"), {}},
  };
  return all;
}

constexpr int paint_button_size = 26, paint_bar_margin = 3, paint_bar_left = 6, chip_size = 16, size_height = 18;  // px

}  // namespace

PaintBar::PaintBar(SlicePane& pane, PanePainting& painting)
    : QWidget(&pane), pane_(pane), painting_(painting), mode_(new QLabel(&pane)) {
  mode_->setAttribute(Qt::WA_TransparentForMouseEvents);
  mode_->setTextFormat(Qt::PlainText);
  mode_->setProperty("role", "badge");
  mode_->hide();
  setAttribute(Qt::WA_NoMousePropagation);
  setCursor(Qt::ArrowCursor);
  setAccessibleName(QCoreApplication::translate("PaintBar", "Painting tools"));
  for (const PaintButton& tool : paint_buttons()) {
    auto* button = new QToolButton(this);
    const QString name = QCoreApplication::translate("PaintBar", tool.name);
    const QKeySequence keys(QKeyCombination(tool.modifiers, static_cast<Qt::Key>(tool.key)));
    button->setIcon(glyph_icon(tool.glyph, Token::text, GlyphGround::picture));
    button->setFixedSize(paint_button_size, paint_button_size);
    button->setFocusPolicy(Qt::NoFocus);  // the keys do the same
    button->setAccessibleName(name);
    button->setToolTip(QStringLiteral("%1 (%2)").arg(name, keys.toString(QKeySequence::NativeText)));
    button->setCheckable(tool.tool.has_value() || tool.glyph == Glyph::threshold);
    button->setProperty("role", "tool");
    connect(button, &QToolButton::clicked, this, [this, &tool] { press(tool.key, tool.modifiers); });
    buttons_.push_back(button);
  }
  const auto refresh = [this] {
    show_state();
    place();
  };
  connect(&pane.state().painter(), &Painter::changed, this, refresh);
  connect(&pane.state(), &ViewState::label_view_changed, this, refresh);
  connect(&pane, &ImagePane::picture_shown, this, refresh);
  connect(&Theme::instance(), &Theme::changed, this, refresh);
  pane.installEventFilter(this);
  show_state();
  hide();
}

void PaintBar::press(int key, Qt::KeyboardModifiers modifiers) {
  pane_.setFocus(Qt::MouseFocusReason);
  QKeyEvent event(QEvent::KeyPress, key, modifiers);
  QCoreApplication::sendEvent(&pane_, &event);
  show_state();
}

void PaintBar::show_state() {
  const PaintSettings& now = pane_.state().painter().settings();
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const PaintButton& button = paint_buttons()[i];
    if (button.tool) buttons_[i]->setChecked(now.tool == button.tool);
    if (button.glyph == Glyph::threshold) buttons_[i]->setChecked(now.thresholded);
  }
  const int64_t current = pane_.state().label_view().current;
  const QString name = label_name(pane_.state().painter().table_of(pane_.output()), current);
  setToolTip(QCoreApplication::translate("PaintBar",
                                         "Paints %1, %2 voxels wide (1 to 9 choose another label, Alt and a click "
                                         "picks one; [ and ], or Ctrl and the wheel, change the size)")
                 .arg(name)
                 .arg(now.size));
  update();
}

// In one column, or in two if the pane is low.
void PaintBar::place() {
  constexpr int caption = 34, foot = 30;  // px kept free for the captions
  constexpr int besides = chip_size + 8 + size_height + 2 * paint_bar_margin;
  const int max_rows = (pane_.height() - caption - foot - besides) / paint_button_size;
  const int count = static_cast<int>(buttons_.size());
  const int columns = max_rows >= count ? 1 : 2, rows = (count + columns - 1) / columns;
  const bool is_wanted = painting_.is_active() && (pane_.hasFocus() || pane_.underMouse());
  place_mode(columns * paint_button_size + 2 * paint_bar_margin + 2 * paint_bar_left, caption);
  if (!is_wanted || rows > max_rows || !pane_.picture()) return hide();
  resize(columns * paint_button_size + 2 * paint_bar_margin, rows * paint_button_size + besides);
  for (int i = 0; i < count; ++i)
    buttons_[static_cast<std::size_t>(i)]->move(paint_bar_margin + i % columns * paint_button_size,
                                                paint_bar_margin + chip_size + 8 + i / columns * paint_button_size);
  move(paint_bar_left, caption);
  show();
  raise();
}

// All panes that can be painted show the mode as long as it lasts; narrow ones in fewer words.
void PaintBar::place_mode(int left, int top) {
  const int room = pane_.width() - left - paint_bar_left;
  const QString name = label_name(pane_.state().painter().table_of(pane_.output()), pane_.state().label_view().current);
  for (const QString& text : {tr("Painting %1 · B, E, L, G, T, I and 1 to 9 choose how · Esc ends it").arg(name),
                              tr("Painting %1 · Esc ends it").arg(name), tr("Painting")}) {
    mode_->setText(text);
    if (mode_->sizeHint().width() <= room) break;
  }
  mode_->resize(mode_->sizeHint());
  mode_->move(left, top);
  mode_->setVisible(painting_.is_active() && pane_.picture() && mode_->width() <= room);
  mode_->raise();
}

bool PaintBar::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Enter:
    case QEvent::Leave:
    case QEvent::FocusIn:
    case QEvent::FocusOut:
    case QEvent::Resize:
      // After the pane itself has handled the key.
      QMetaObject::invokeMethod(
          this, [this] { place(); }, Qt::QueuedConnection);
      break;
    default: break;
  }
  return QWidget::eventFilter(watched, event);
}

// The current label as a chip of its colour above the tools, and the size of the brush below them.
void PaintBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_bar_ground(painter, rect());
  const QRectF chip(0.5 * (width() - chip_size), paint_bar_margin + 3.0, chip_size, chip_size);
  const int64_t current = pane_.state().label_view().current;
  const QColor color(label_rgb(pane_.state().painter().table_of(pane_.output()), current));
  painter.setBrush(color);
  painter.drawRoundedRect(chip, 4, 4);
  painter.setPen(color.lightnessF() > 0.5 ? Qt::black : Qt::white);
  QFont font = Theme::number_font();
  font.setPixelSize(11);
  painter.setFont(font);
  painter.drawText(chip, Qt::AlignCenter, QString::number(current));
  painter.setPen(Theme::instance().picture_color(Token::text));
  painter.drawText(QRect(0, height() - size_height - paint_bar_margin, width(), size_height), Qt::AlignCenter,
                   QString::number(pane_.state().painter().settings().size));
}

}  // namespace tl::ui
