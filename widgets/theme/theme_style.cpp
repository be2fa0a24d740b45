// ThemeStyle: paints arrows, ticks and slider handles in colours of tokens, on top of Fusion; ends what has no room
// with an ellipsis.
#include "widgets/theme/theme_style.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QHelpEvent>
#include <QIcon>
#include <QLineEdit>
#include <QPainter>
#include <QScreen>
#include <QSlider>
#include <QStyleOption>
#include <QToolTip>
#include <optional>
#include <utility>

#include "widgets/theme/cut_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QColor token(Token t) { return Theme::instance().color(t); }
constexpr int mark_size = 14;    // [px] of arrows
constexpr int handle_size = 12;  // [px] of a slider's handle
constexpr int groove = 4;        // [px]

void paint_box(QPainter& painter, const QStyleOption& option, qreal radius) {
  const bool on = option.state.testFlag(QStyle::State_On) || option.state.testFlag(QStyle::State_NoChange);
  const bool focus = option.state.testFlag(QStyle::State_HasFocus);
  const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QPen(token(focus ? Token::text : on ? Token::accent_fill : Token::text_second), 1));
  painter.setBrush(token(on ? Token::accent_fill : Token::raised));
  painter.drawRoundedRect(box, radius, radius);
}

void paint_slider(const QStyleOptionSlider& option, QPainter& painter) {
  const bool level = option.orientation == Qt::Horizontal;
  const int length = (level ? option.rect.width() : option.rect.height()) - handle_size;
  const int at = QStyle::sliderPositionFromValue(option.minimum, option.maximum, option.sliderPosition, length,
                                                 option.upsideDown) +
                 handle_size / 2;
  const QPoint centre = option.rect.center();
  const QRectF whole = level ? QRectF(handle_size / 2.0, centre.y() - groove / 2.0 + 0.5, length, groove)
                             : QRectF(centre.x() - groove / 2.0 + 0.5, handle_size / 2.0, groove, length);
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const bool focus = option.state.testFlag(QStyle::State_HasFocus);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(token(Token::border));
  painter.drawRoundedRect(whole, groove / 2.0, groove / 2.0);
  QRectF done = whole;
  if (level) done.setRight(at);
  if (!level) done.setTop(at);
  painter.setBrush(token(enabled ? Token::accent : Token::text_second));
  if (enabled) painter.drawRoundedRect(done, groove / 2.0, groove / 2.0);
  painter.setBrush(token(enabled ? Token::text : Token::text_second));
  painter.setPen(focus ? QPen(token(Token::accent), 2) : QPen(token(Token::dock), 1));
  const QPointF middle = level ? QPointF(at, centre.y() + 0.5) : QPointF(centre.x() + 0.5, at);
  painter.drawEllipse(middle, handle_size / 2.0 - 1, handle_size / 2.0 - 1);
}

// The program's glyphs instead of Qt's icons in message boxes and file dialogs.
std::optional<std::pair<Glyph, Token>> own_icon(QStyle::StandardPixmap which) {
  switch (which) {
    case QStyle::SP_MessageBoxInformation:
    case QStyle::SP_MessageBoxQuestion: return std::pair(Glyph::info, Token::accent);
    case QStyle::SP_MessageBoxWarning: return std::pair(Glyph::warning, Token::warning);
    case QStyle::SP_MessageBoxCritical: return std::pair(Glyph::error, Token::error);
    case QStyle::SP_FileIcon:
    case QStyle::SP_FileLinkIcon: return std::pair(Glyph::file, Token::text_second);
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirClosedIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirLinkIcon:
    case QStyle::SP_DirHomeIcon:
    case QStyle::SP_DesktopIcon:
    case QStyle::SP_ComputerIcon:
    case QStyle::SP_DriveHDIcon:
    case QStyle::SP_FileDialogNewFolder: return std::pair(Glyph::folder, Token::text_second);
    case QStyle::SP_FileDialogToParent: return std::pair(Glyph::chevron_up, Token::text_second);
    case QStyle::SP_FileDialogBack:
    case QStyle::SP_ArrowBack:
    case QStyle::SP_ArrowLeft: return std::pair(Glyph::chevron_left, Token::text_second);
    case QStyle::SP_ArrowForward:
    case QStyle::SP_ArrowRight: return std::pair(Glyph::chevron_right, Token::text_second);
    case QStyle::SP_FileDialogListView: return std::pair(Glyph::menu, Token::text_second);
    case QStyle::SP_FileDialogDetailedView: return std::pair(Glyph::table, Token::text_second);
    default: return std::nullopt;
  }
}

bool takes_wheel(const QWidget& widget) {
  return qobject_cast<const QComboBox*>(&widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr || qobject_cast<const QSlider*>(&widget) != nullptr;
}

// The list of a combo box is at least as wide as its longest item.
void widen_list(QWidget& popup) {
  const auto* list = popup.findChild<QAbstractItemView*>();
  if (list == nullptr) return;
  constexpr int around = 32;  // px: padding of items and list, and a scroll bar
  QRect place = popup.geometry();
  place.setWidth(std::max(place.width(), list->sizeHintForColumn(0) + around));
  const QRect screen = popup.screen()->availableGeometry();
  place.setWidth(std::min(place.width(), screen.width()));
  place.moveLeft(std::min(place.left(), screen.right() + 1 - place.width()));
  popup.setGeometry(place);
}

}  // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  const auto arrow = [&](Glyph glyph) {
    const QRectF rect(0, 0, mark_size, mark_size);
    paint_glyph(*painter, glyph, rect.translated(QRectF(option->rect).center() - rect.center()),
                token(Token::text_second));
  };
  const bool open = option->state.testFlag(State_Open);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  switch (element) {
    case PE_IndicatorArrowDown: arrow(Glyph::chevron_down); break;
    case PE_IndicatorArrowUp: arrow(Glyph::chevron_up); break;
    case PE_IndicatorArrowRight: arrow(Glyph::chevron_right); break;
    case PE_IndicatorBranch:
      if (option->state.testFlag(State_Children)) arrow(open ? Glyph::chevron_down : Glyph::chevron_right);
      break;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
    case PE_IndicatorMenuCheckMark:
      if (element != PE_IndicatorMenuCheckMark) paint_box(*painter, *option, 4);
      if (option->state.testFlag(State_On) || element == PE_IndicatorMenuCheckMark)
        paint_glyph(*painter, Glyph::tick, option->rect,
                    token(element == PE_IndicatorMenuCheckMark ? Token::text : Token::on_accent));
      break;
    case PE_IndicatorRadioButton: paint_box(*painter, *option, option->rect.width() / 2.0); break;
    case PE_FrameFocusRect: break;  // the style sheet draws focus as a border
    default:
      painter->restore();
      QProxyStyle::drawPrimitive(element, option, painter, widget);
      return;
  }
  painter->restore();
}

void ThemeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
  const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (control != CC_Slider || slider == nullptr) {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    return;
  }
  painter->save();
  paint_slider(*slider, *painter);
  painter->restore();
}

QIcon ThemeStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  const auto own = own_icon(which);
  return own ? glyph_icon(own->first, own->second) : QProxyStyle::standardIcon(which, option, widget);
}
QPixmap ThemeStyle::standardPixmap(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  const auto own = own_icon(which);
  if (!own) return QProxyStyle::standardPixmap(which, option, widget);
  const int size = pixelMetric(PM_SmallIconSize, option, widget);
  return glyph_icon(own->first, own->second).pixmap(size, size);
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* result) const {
  switch (hint) {
    case SH_ToolTip_WakeUpDelay: return 400;
    case SH_Slider_AbsoluteSetButtons:  // a click moves the slider to that position
      return Qt::LeftButton;
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_ComboBox_Popup: return 0;
    default: return QProxyStyle::styleHint(hint, option, widget, result);
  }
}

// If a one-line text does not fit, it ends with an ellipsis, wherever the style draws it.
void ThemeStyle::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                              const QString& text, QPalette::ColorRole role) const {
  constexpr int rounding = 1;  // px
  const int mnemonic = flags & (Qt::TextShowMnemonic | Qt::TextHideMnemonic);
  const QFontMetrics metrics = painter->fontMetrics();
  const bool is_cut = (flags & Qt::TextWordWrap) == 0 && !text.contains(QLatin1Char('\n')) &&
                      metrics.size(mnemonic, text).width() > rect.width() + rounding;
  QProxyStyle::drawItemText(painter, rect, flags, palette, enabled,
                            is_cut ? metrics.elidedText(text, Qt::ElideRight, rect.width(), mnemonic) : text, role);
}

// Called for every widget of the program: the wheel must not change a value unnoticed when it scrolls over it, and the
// tool tip must contain texts that are cut.
void ThemeStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (takes_wheel(*widget) || qobject_cast<QLineEdit*>(widget) != nullptr ||
      widget->inherits("QComboBoxPrivateContainer"))
    widget->installEventFilter(this);
}
bool ThemeStyle::eventFilter(QObject* watched, QEvent* event) {
  auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr) return QProxyStyle::eventFilter(watched, event);
  if (event->type() == QEvent::Wheel && takes_wheel(*widget)) {
    event->ignore();  // the event is passed on to the parent widget
    return true;
  }
  if (event->type() == QEvent::Show && widget->inherits("QComboBoxPrivateContainer")) widen_list(*widget);
  if (event->type() == QEvent::ToolTip)
    if (const QString tip = tip_with_cut_text(*widget); !tip.isEmpty()) {
      QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, widget);
      return true;
    }
  return QProxyStyle::eventFilter(watched, event);
}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_SliderLength:
    case PM_SliderControlThickness: return handle_size;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_TreeViewIndentation: return 16;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

}  // namespace tl::ui
