// PathEditor: edits the path of a file or folder by typing, browsing or dropping.
#include "widgets/inspector/editors/path_editor.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>
#include <QToolButton>

#include "widgets/language/translated.h"
#include "widgets/text/entry_line.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

PathEditor::PathEditor(const ParamDecl& decl, QWidget* parent) : ValueEditor(decl, parent), line_(new EntryLine(this)) {
  auto* row = spaced(new QHBoxLayout(this), 1);
  row->addWidget(line_, 1);
  setFocusProxy(line_);
  setAcceptDrops(true);
  line_->setAccessibleName(translated(decl.title));
  line_->setPlaceholderText(decl.path == PathRole::output ? tr("file to write") : tr("drop a file here"));
  auto* button = new QToolButton(this);
  button->setIcon(glyph_icon(Glyph::folder));
  button->setToolTip(tr("Browse"));
  button->setAccessibleName(tr("Browse for %1").arg(translated(decl.title)));
  row->addWidget(button);
  connect(button, &QToolButton::clicked, this, [this, button] {
    QMenu menu;
    menu.addAction(tr("File…"), this, [this] { browse(Kind::file); });
    menu.addAction(tr("Folder…"), this, [this] { browse(Kind::folder); });
    menu.exec(button->mapToGlobal(QPoint(0, button->height())));
  });
  connect(line_, &EntryLine::committed, this, [this](const QString& text) { enter_path(text); });
  connect(line_, &EntryLine::editing_cancelled, this, &ValueEditor::left);
}

void PathEditor::enter_path(const QString& path) { Q_EMIT entered(ParamValue{path.toStdString()}, Change::step); }

void PathEditor::browse(Kind kind) {
  const QString title = translated(decl().title);
  QString path;
  if (kind == Kind::folder) {
    path = QFileDialog::getExistingDirectory(this, title, line_->text());
  } else if (decl().path == PathRole::output) {
    path = QFileDialog::getSaveFileName(this, title, line_->text(), {}, nullptr, QFileDialog::DontConfirmOverwrite);
  } else {
    path = QFileDialog::getOpenFileName(this, title, line_->text());
  }
  if (!path.isEmpty()) enter_path(path);
}

void PathEditor::show_value(const ParamValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  line_->show_text(text != nullptr ? QString::fromStdString(*text) : QString());
  line_->setToolTip(line_->text());
  if (!line_->hasFocus()) line_->end(false);  // shows the end of the path: the file name matters more than its folders
}
void PathEditor::show_validity(Validity validity) { line_->show_validity(validity); }

void PathEditor::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile()) event->acceptProposedAction();
}
void PathEditor::dropEvent(QDropEvent* event) {
  enter_path(event->mimeData()->urls().front().toLocalFile());
  event->acceptProposedAction();
}

}  // namespace tl::ui
