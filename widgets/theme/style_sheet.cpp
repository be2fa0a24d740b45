// Style sheet: generates the application's style sheet from a template whose @names are replaced by token colours.
#include "widgets/theme/style_sheet.h"

#include <array>
#include <utility>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr std::array<std::pair<const char*, Token>, token_count> names{{{"@background", Token::background},
                                                                        {"@dock", Token::dock},
                                                                        {"@bar", Token::bar},
                                                                        {"@raised", Token::raised},
                                                                        {"@line", Token::line},
                                                                        {"@border", Token::border},
                                                                        // Longer names first, since @text is a prefix
                                                                        // of @text_second.
                                                                        {"@text_second", Token::text_second},
                                                                        {"@text", Token::text},
                                                                        {"@accent_fill", Token::accent_fill},
                                                                        {"@accent", Token::accent},
                                                                        {"@good", Token::good},
                                                                        {"@busy", Token::busy},
                                                                        {"@warning", Token::warning},
                                                                        {"@error", Token::error},
                                                                        {"@learnable", Token::learnable},
                                                                        {"@on_accent", Token::on_accent},
                                                                        {"@selection", Token::selection},
                                                                        {"@hover", Token::hover}}};

constexpr const char* regions = R"(
QWidget { color: @text; }
QMainWindow, QDialog, QWidget[role="page"] { background: @background; }
QWidget[role="header"] { background: @bar; border-bottom: 1px solid @line; }
QWidget[role="status"] { background: @bar; border-top: 1px solid @line; }
QWidget[role="dock"] { background: @dock; }
QFrame[role="card"] { background: @dock; border: 1px solid @line; border-radius: 8px; }
QFrame#palette { background: @dock; border: 1px solid @border; border-radius: 8px; }
QFrame[role="error"] { background: @raised; border: 1px solid @error; border-radius: 8px; }
QLabel { background: transparent; }
QLabel[role="heading"], QLabel[role="second"], QLabel[tone="second"] { color: @text_second; }
QLabel[tone="accent"] { color: @accent; }
QLabel[tone="good"], QToolButton[tone="good"] { color: @good; }
QLabel[tone="busy"], QToolButton[tone="busy"] { color: @busy; }
QLabel[tone="warning"], QToolButton[tone="warning"] { color: @warning; }
QLabel[tone="error"], QToolButton[tone="error"] { color: @error; }
QLabel[tone="learnable"], QToolButton[tone="learnable"] { color: @learnable; }
QLabel[role="hint"] { background: @raised; border: 1px solid @border; border-radius: 6px; }
QLabel[role="hint"][tone="error"] { border-color: @error; }
QLabel[role="badge"] { background: @raised; border: 1px solid @border; border-radius: 4px; padding: 1px 8px; }
QLabel[role="badge"][tone="good"] { border-color: @good; }
QLabel[role="badge"][tone="warning"] { border-color: @warning; }
QLabel[role="badge"][tone="error"] { border-color: @error; }
QSplitter::handle { background: @line; }
QSplitter::handle:hover { background: @accent; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 8px; }
)";

constexpr const char* buttons = R"(
QPushButton, QToolButton[role="chip"] {
  background: @raised; border: 1px solid @border; border-radius: 6px; padding: 4px 12px; min-height: 18px; }
QPushButton:hover, QToolButton[role="chip"]:hover { background: @hover; border-color: @text_second; }
QPushButton:pressed, QToolButton[role="chip"]:pressed { background: @selection; }
QPushButton:focus, QToolButton[role="chip"]:focus { border: 1px solid @accent; }
QPushButton:disabled, QToolButton:disabled { color: @text_second; background: @dock; border-color: @line; }
QPushButton[role="primary"] { background: @accent_fill; border-color: @accent_fill; color: @on_accent; font-weight: 600; }
QPushButton[role="primary"]:hover { border-color: @accent; }
QPushButton[role="primary"]:focus { border-color: @text; }
QPushButton[role="primary"]:disabled { color: @text_second; background: @dock; border-color: @line; }
QToolButton[role="chip"] { padding: 2px 8px; }
QToolButton[role="chip"][dense="true"] { padding: 2px 4px; }
QToolButton[role="chip"]:checked { background: @selection; border-color: @accent; }
QToolButton[role="chip"][tone="warning"] { border-color: @warning; }
QToolButton[role="chip"][tone="error"] { border-color: @error; }
QToolButton[role="chip"]::menu-indicator, QToolButton[role="flat"]::menu-indicator { image: none; width: 0; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 2px; }
QToolButton:hover { background: @hover; }
QToolButton:focus { border-color: @accent; }
QToolButton[role="tool"]:hover { background: @picture_hover; }
QToolButton[role="tool"]:checked { background: @picture_selection; border-color: @picture_accent; }
QToolButton[role="tab"] { padding: 4px 12px; color: @text_second; border-bottom: 2px solid transparent; border-radius: 0; }
QToolButton[role="tab"]:hover { color: @text; background: transparent; }
QToolButton[role="tab"]:checked { color: @text; border-bottom: 2px solid @accent; }
QToolButton[role="tab"]:focus { border: 1px solid @accent; border-bottom: 2px solid @border; }
QToolButton[role="tab"]:checked:focus { border-bottom: 2px solid @accent; }
QToolButton[role="tab"][popupMode="2"] { padding-right: 28px; }
QToolButton[role="menu"] { padding-right: 24px; }
QToolButton[role="tab"]::menu-indicator, QToolButton[role="menu"]::menu-indicator { image: url(@pictures/chevron_down.png); width: 14px; height: 14px;
  subcontrol-origin: padding; subcontrol-position: right center; right: 8px; }
QToolButton[role="fold"] { color: @text_second; padding: 2px 4px; text-align: left; }
QToolButton[role="fold"]:hover { color: @text; }
QToolButton[role="large"] { background: @dock; border: 1px solid @border; border-radius: 8px; padding: 12px; }
QToolButton[role="large"]:hover { background: @hover; border-color: @accent; }
QToolButton[role="large"]:focus { border-color: @accent; }
QTabBar::tab { background: transparent; color: @text_second; padding: 4px 12px; border-radius: 6px; border: 1px solid transparent; }
QTabBar::tab:hover { color: @text; background: @hover; }
QTabBar::tab:selected { color: @text; background: @raised; }
QTabBar:focus::tab:selected, QTabBar::tab:selected:focus { border-color: @accent; }
QTabWidget::pane { border: none; }
)";

constexpr const char* fields = R"(
QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: @raised; border: 1px solid @border; border-radius: 6px; padding: 2px 8px; min-height: 20px;
  selection-background-color: @accent_fill; selection-color: @on_accent; }
QTextEdit, QPlainTextEdit { padding: 4px; }
QLineEdit:hover, QComboBox:hover { border-color: @text_second; }
QLineEdit:focus, QTextEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 1px solid @accent; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { background: @dock; border-color: @line; color: @text_second; }
QLineEdit[invalid="true"], QComboBox[invalid="true"], QTableView[invalid="true"] { border: 1px solid @error; }
QLineEdit[tone="learnable"] { border: 1px solid @learnable; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow { image: none; width: 0; height: 0; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url(@pictures/chevron_down.png); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @border; outline: none; padding: 4px; }
QTextBrowser { background: transparent; border: none; padding: 0; }
QSlider { min-height: 14px; max-height: 14px; }
QProgressBar { background: @line; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; text-align: center; }
QProgressBar::chunk { background: @busy; border-radius: 2px; }
)";

constexpr const char* lists = R"(
QAbstractItemView { background: @dock; border: none; outline: none; alternate-background-color: @dock;
  selection-background-color: @selection; selection-color: @text; }
QTreeView::item, QListView::item { min-height: 24px; padding: 0 4px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: @hover; }
QTreeView::item:selected, QListView::item:selected { background: @selection; color: @text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:selected { background: @selection; }
QTableView { background: @raised; border: 1px solid @border; border-radius: 6px; gridline-color: @line; }
QHeaderView::section { background: @bar; color: @text_second; border: none; border-right: 1px solid @line; border-bottom: 1px solid @line; padding: 4px; }
QTableCornerButton::section { background: @bar; border: none; }
QMenu { background: @raised; border: 1px solid @border; border-radius: 8px; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 28px; border-radius: 4px; }
QMenu::item:selected { background: @selection; }
QMenu::item:disabled { color: @text_second; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @text_second; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

}  // namespace

QString style_sheet(const Theme& theme, const QString& pictures) {
  QString sheet = QString::fromLatin1(regions) + QString::fromLatin1(buttons) + QString::fromLatin1(fields) +
                  QString::fromLatin1(lists);
  sheet.replace(QStringLiteral("@pictures"), pictures);
  // Colours on images, which are dark in every theme.
  for (const auto& [name, token] : names)
    sheet.replace(QStringLiteral("@picture_") + QLatin1String(name + 1), theme.picture_color(token).name());
  for (const auto& [name, token] : names) sheet.replace(QLatin1String(name), theme.color(token).name());
  return sheet;
}

}  // namespace tl::ui
