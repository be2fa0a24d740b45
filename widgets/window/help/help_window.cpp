// HelpWindow: one tab per subject; links lead to the system's browser.
#include "widgets/window/help/help_window.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>
#include <algorithm>

#include "core/node/reference.h"
#include "core/node/registry.h"
#include "widgets/language/translated.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

// The macro declares a function of the global namespace.
static void load_guide() { Q_INIT_RESOURCE(guide); }

namespace tl::ui {

// Shows Markdown, with images from the resources at a width that fits.
class HelpText final : public QTextBrowser {
 public:
  static constexpr int picture_width = 580;  // px at most
  explicit HelpText(const QString& name, QWidget* parent) : QTextBrowser(parent) {
    setOpenExternalLinks(true);
    setAccessibleName(name);
    setViewportMargins(Theme::space(3), 0, Theme::space(2), 0);
  }

  void show_markdown(const QString& text) {
    setMarkdown(text);
    // Qt lays out Markdown's paragraphs without space between them.
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
      QTextCursor cursor(block);
      if (QTextTable* table = cursor.currentTable()) {
        remove_borders(*table);
        continue;
      }
      QTextBlockFormat format = block.blockFormat();
      const bool is_code = format.hasProperty(QTextFormat::BlockCodeFence);
      const int gap = Theme::space(format.headingLevel() > 0 ? 3 : is_code ? 0 : 1);
      format.setTopMargin(gap);
      format.setBottomMargin(is_code ? 0 : Theme::space(1));
      cursor.setBlockFormat(format);
    }
    moveCursor(QTextCursor::Start);
  }

 private:
  static void remove_borders(QTextTable& table) {
    QTextTableFormat format = table.format();
    if (format.border() == 0) return;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(Theme::space(1));
    table.setFormat(format);
  }

 protected:
  QVariant loadResource(int type, const QUrl& url) override {
    if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, url);
    // Relative to the folder of the chapters.
    const QImage picture(QDir::cleanPath(QStringLiteral(":/docs/guide/") + url.path()));
    return picture.width() > picture_width ? picture.scaledToWidth(picture_width, Qt::SmoothTransformation) : picture;
  }
};

namespace {

constexpr QSize help_size(960, 700);
constexpr int list_width = 220;  // px

// The guide's chapters, a file each, whose first line is the title.
std::vector<ListedPages::Page> chapters() {
  load_guide();
  std::vector<ListedPages::Page> pages;
  const QDir folder(QStringLiteral(":/docs/guide"));
  for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) continue;
    const QString text = QString::fromUtf8(file.readAll());
    pages.push_back({text.section(QChar('\n'), 0, 0).mid(2), [text] { return text; }});
  }
  return pages;
}

std::vector<ListedPages::Page> node_pages() {
  std::vector<ListedPages::Page> pages;
  for (const NodeType& type : Registry::all().types())
    pages.push_back({translated(type.title), [&type] { return QString::fromStdString(node_markdown(type)); }});
  return pages;
}

QString shortcuts_text(const QList<QAction*>& actions) {
  QString text = HelpWindow::tr("Keys within views and on the canvas are in the guide.\n\n") +
                 QStringLiteral("| %1 | %2 |\n|---|---|\n").arg(HelpWindow::tr("keys"), HelpWindow::tr("do"));
  QSet<QString> listed;
  for (const QAction* action : actions) {
    const QString keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
    const QString row =
        QStringLiteral("| %1 | %2 |\n").arg(keys.toHtmlEscaped(), action->text().remove(QChar('&')).toHtmlEscaped());
    if (keys.isEmpty() || listed.contains(row)) continue;
    listed.insert(row);
    text += row;
  }
  return text;
}

}  // namespace

ListedPages::ListedPages(const QString& name, std::vector<Page> pages, QWidget* parent)
    : QWidget(parent),
      pages_(std::move(pages)),
      words_(new QLineEdit),
      list_(new QListWidget),
      nothing_(new QLabel(tr("Nothing found."))),
      text_(new HelpText(name, this)) {
  list_->setAccessibleName(tr("Contents of %1").arg(name));
  list_->setMinimumWidth(list_width);
  list_->setMaximumWidth(list_width);
  list_->setUniformItemSizes(true);
  for (const Page& page : pages_) (new QListWidgetItem(page.title, list_))->setToolTip(page.title);
  words_->setPlaceholderText(tr("Search…"));
  words_->setAccessibleName(tr("Search in %1").arg(name));
  words_->setClearButtonEnabled(true);
  nothing_->setProperty("role", "second");
  nothing_->hide();
  auto* left = new QVBoxLayout;
  left->setSpacing(Theme::space(2));
  left->addWidget(words_);
  left->addWidget(nothing_);
  left->addWidget(list_, 1);
  auto* row = framed(new QHBoxLayout(this), {0, 2, 0, 0});
  row->addLayout(left);
  row->addWidget(text_, 1);
  connect(list_, &QListWidget::currentRowChanged, this, &ListedPages::show_page);
  connect(words_, &QLineEdit::textChanged, this, &ListedPages::search);
  connect(words_, &QLineEdit::returnPressed, this, &ListedPages::show_next_match);
  list_->setCurrentRow(0);
}

void ListedPages::set_content(const char* content) { list_->setProperty("content", content); }
void ListedPages::look_for(const QString& words) { words_->setText(words); }

void ListedPages::show_page(int index) {
  if (index < 0) return;
  text_->show_markdown(pages_.at(static_cast<std::size_t>(index)).markdown());
  const QStringList wanted = words_->text().split(QChar(' '), Qt::SkipEmptyParts);
  if (!wanted.isEmpty()) text_->find(wanted.constFirst());
}

// Lists the pages that contain all words; pages with the words in their title first.
void ListedPages::search(const QString& words) {
  const QStringList wanted = words.split(QChar(' '), Qt::SkipEmptyParts);
  const auto has_all = [&wanted](const QString& text) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  };
  int shown = -1;
  bool by_title = false;
  for (int i = 0; i < list_->count(); ++i) {
    const Page& page = pages_.at(static_cast<std::size_t>(i));
    const bool titled = has_all(page.title);
    const bool found = titled || has_all(page.markdown());
    list_->item(i)->setHidden(!found);
    if (found && (shown < 0 || (titled && !by_title))) {
      shown = i;
      by_title = titled;
    }
  }
  nothing_->setVisible(shown < 0);
  if (shown == list_->currentRow()) return show_page(shown);
  list_->setCurrentRow(shown);
}

// Enter: moves to the next match in the text, and after the last one to the next page found.
void ListedPages::show_next_match() {
  const QStringList wanted = words_->text().split(QChar(' '), Qt::SkipEmptyParts);
  if (wanted.isEmpty() || text_->find(wanted.constFirst())) return;
  for (int i = list_->currentRow() + 1; i < list_->count(); ++i)
    if (!list_->item(i)->isHidden()) return list_->setCurrentRow(i);
}

HelpWindow::HelpWindow(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), pages_(new QTabWidget(this)) {
  setWindowTitle(tr("Help"));
  resize(parent == nullptr ? help_size : help_size.boundedTo(parent->window()->size()));
  auto* column = framed(new QVBoxLayout(this), {3, 2, 3, 3});
  column->addWidget(pages_);
  auto* shortcuts = new HelpText(tr("Shortcuts"), this);
  shortcuts->show_markdown(shortcuts_text(actions));
  guide_ = new ListedPages(tr("Guide"), chapters(), this);
  guide_->set_content("document");  // in English, as all documents are
  pages_->addTab(guide_, tr("Guide"));
  pages_->addTab(shortcuts, tr("Shortcuts"));
  pages_->addTab(new ListedPages(tr("Nodes"), node_pages(), this), tr("Nodes"));
}

void HelpWindow::explain(const QString& words) {
  guide_->look_for(words);
  open_page(HelpPage::guide);
}

void HelpWindow::open_page(HelpPage page) {
  pages_->setCurrentIndex(static_cast<int>(page));
  show();
  raise();
  activateWindow();
}

}  // namespace tl::ui
