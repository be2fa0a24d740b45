// ViewBar: a table of tools; buttons send the keys.
#include "widgets/views/panes/view_bar.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>

#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/panes/pane_painter.h"
#include "widgets/views/panes/slice_pane.h"

namespace tl::ui {
namespace {

struct Tool {
  Glyph glyph;
  int key;
  const char* name;
  std::optional<MeasureKind> kind;
};
// Most important tools first: narrow panes show only these.
const std::vector<Tool>& view_tools() {
  static const std::vector<Tool> all{
      {Glyph::contrast, Qt::Key_A, QT_TRANSLATE_NOOP("ViewBar", "Automatic window"), {}},
      {Glyph::fit, Qt::Key_F, QT_TRANSLATE_NOOP("ViewBar", "Fit the image into the pane"), {}},
      {Glyph::profile, Qt::Key_L, QT_TRANSLATE_NOOP("ViewBar", "Line profile"), MeasureKind::profile},
      {Glyph::region, Qt::Key_R, QT_TRANSLATE_NOOP("ViewBar", "Statistics of a region"), MeasureKind::region},
      {Glyph::distance, Qt::Key_D, QT_TRANSLATE_NOOP("ViewBar", "Distance"), MeasureKind::distance},
      {Glyph::angle, Qt::Key_G, QT_TRANSLATE_NOOP("ViewBar", "Angle"), MeasureKind::angle},
      {Glyph::probe, Qt::Key_P, QT_TRANSLATE_NOOP("ViewBar", "Value probe"), MeasureKind::probe},
      {Glyph::brush, Qt::Key_W, QT_TRANSLATE_NOOP("ViewBar", "Paint labels"), {}},
      {Glyph::colors, Qt::Key_C, QT_TRANSLATE_NOOP("ViewBar", "Colours"), {}},
      {Glyph::camera, Qt::Key_S, QT_TRANSLATE_NOOP("ViewBar", "Export the view as an image"), {}},
      {Glyph::link, Qt::Key_K, QT_TRANSLATE_NOOP("ViewBar", "Zoom together with views of the same kind"), {}},
      {Glyph::zoom_out, Qt::Key_Minus, QT_TRANSLATE_NOOP("ViewBar", "Zoom out"), {}},
      {Glyph::zoom_in, Qt::Key_Plus, QT_TRANSLATE_NOOP("ViewBar", "Zoom in"), {}},
  };
  return all;
}

// Keys that choose a painting tool while painting: lasso, fill.
bool has_painting_key(int key) { return key == Qt::Key_L || key == Qt::Key_G; }

constexpr int button_size = 26, bar_margin = 3, bar_gap = 6, top_room = 32;  // px

}  // namespace

ViewBar::ViewBar(ImagePane& pane) : QWidget(&pane), pane_(pane) {
  setAttribute(Qt::WA_NoMousePropagation);
  setCursor(Qt::ArrowCursor);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(bar_margin, bar_margin, bar_margin, bar_margin);
  row->setSpacing(0);
  for (const Tool& tool : view_tools()) {
    auto* button = new QToolButton;
    const QString name = QCoreApplication::translate("ViewBar", tool.name);
    button->setIcon(glyph_icon(tool.glyph, Token::text, GlyphGround::picture));
    button->setFixedSize(button_size, button_size);
    button->setFocusPolicy(Qt::NoFocus);  // the keys do the same
    button->setAccessibleName(name);
    button->setCheckable(tool.kind.has_value() || tool.glyph == Glyph::link || tool.glyph == Glyph::brush);
    button->setProperty("role", "tool");
    connect(button, &QToolButton::clicked, this, [this, key = tool.key] {
      pane_.setFocus(Qt::MouseFocusReason);
      if (pane_.paints() && has_painting_key(key)) send(Qt::Key_Escape);
      send(key);
      show_state();
    });
    row->addWidget(button);
    buttons_.push_back(button);
  }
  connect(&pane, &ImagePane::tool_changed, this, &ViewBar::show_state);
  connect(&pane, &ImagePane::linking_changed, this, &ViewBar::show_state);
  connect(&pane, &ImagePane::measurements_changed, this, &ViewBar::place);
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
  pane.installEventFilter(this);
  show_state();
  hide();
}

void ViewBar::send(int key) {
  QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
  QCoreApplication::sendEvent(&pane_, &press);
}

void ViewBar::show_state() {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const Tool& tool = view_tools()[i];
    const QString name = buttons_[i]->accessibleName();
    const QString key = QKeySequence(tool.key).toString(QKeySequence::NativeText);
    buttons_[i]->setToolTip(pane_.paints() && has_painting_key(tool.key)
                                ? tr("%1. Ends painting: the key %2 has another meaning while you paint").arg(name, key)
                                : QStringLiteral("%1 (%2)").arg(name, key));
    if (tool.kind) buttons_[i]->setChecked(pane_.tool() == tool.kind);
    if (tool.glyph == Glyph::brush) buttons_[i]->setChecked(pane_.paints());
    if (tool.glyph == Glyph::link) buttons_[i]->setChecked(pane_.linking() == Linking::linked);
  }
}

// At the lower right, above the scale bar: the captions at the top may have two lines.
void ViewBar::place() {
  const QRectF room = pane_.label_area();
  const int most = (static_cast<int>(room.width()) - 2 * bar_margin) / button_size;
  const auto* slice = qobject_cast<SlicePane*>(&pane_);
  const bool is_painted = slice != nullptr && slice->may_be_painted();
  int count = 0;
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const bool fits = count < most && (view_tools()[i].glyph != Glyph::brush || is_painted);
    buttons_[i]->setVisible(fits);
    if (fits) ++count;
  }
  resize(count * button_size + 2 * bar_margin, button_size + 2 * bar_margin);
  move(static_cast<int>(room.right()) - width() - bar_gap + 4,
       static_cast<int>(room.bottom()) + strip_height - height());
  raise();
}

void ViewBar::look(QEvent::Type event) {
  // Shown in the focused pane only: with a bar in two panes it would be unclear which one the keys act on.
  const auto* other = qobject_cast<ImagePane*>(QApplication::focusWidget());
  const bool is_elsewhere = other != nullptr && other != &pane_ && other->window() == pane_.window();
  const bool is_wanted = pane_.hasFocus() || (event != QEvent::Leave && pane_.underMouse() && !is_elsewhere);
  const bool has_room = pane_.height() > 2 * top_room + button_size && pane_.picture().has_value();
  if (is_wanted && has_room) place();
  setVisible(is_wanted && has_room);
}

bool ViewBar::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Enter:
    case QEvent::Leave:
    case QEvent::FocusIn:
    case QEvent::FocusOut:
    case QEvent::Resize:
    case QEvent::MouseMove:
      // After the pane itself has handled the key.
      QMetaObject::invokeMethod(
          this, [this, type = event->type()] { look(type); }, Qt::QueuedConnection);
      break;
    default: break;
  }
  return QWidget::eventFilter(watched, event);
}

void ViewBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_bar_ground(painter, rect());
}

}  // namespace tl::ui
