// Lists nodes, parameters and links that only one of two pipelines has, or that differ.
#include "widgets/window/files/pipeline_differences.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"

namespace tl::ui {
namespace {

QString words(const char* text) { return QCoreApplication::translate("PipelineDifferences", text); }

enum class OnlyIn { file, window };
QString only_in(OnlyIn side) { return side == OnlyIn::file ? words("only in the file") : words("only here"); }

// As set, else the default.
const ParamValue& param_value(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  return set == node.params.end() ? decl.initial : set->second;
}

QString value_text(const ParamDecl& decl, const ParamValue& value) {
  const QString text = shown_value(decl, value);
  return text.isEmpty() ? words("nothing") : text;
}

void add_node_differences(QStringList& lines, const std::string& id, const GraphNode& file, const GraphNode& window,
                          const Registry& registry) {
  const QString name = QString::fromStdString(id);
  const NodeType* type = registry.find(window.type);
  if (file.type != window.type)
    lines << words("%1: %2 in the file, %3 here")
                 .arg(name, QString::fromStdString(file.type), QString::fromStdString(window.type));
  if (file.use != window.use) lines << words("%1: bypassed or muted differently").arg(name);
  if (file.type != window.type || type == nullptr) return;
  for (const ParamDecl& decl : type->params) {
    const ParamValue &there = param_value(file, decl), &here = param_value(window, decl);
    if (there != here)
      lines << words("%1 of %2: %3 in the file, %4 here")
                   .arg(translated(decl.title), name, value_text(decl, there), value_text(decl, here));
  }
}

void add_link_differences(QStringList& lines, const Graph& of, const Graph& other, OnlyIn side) {
  for (const Link& link : of.links)
    if (std::find(other.links.begin(), other.links.end(), link) == other.links.end())
      lines << words("Link from %1 to %2: %3")
                   .arg(QString::fromStdString(link.from_node), QString::fromStdString(link.to_node), only_in(side));
}

}  // namespace

QStringList pipeline_differences(const Graph& file, const Graph& window, const Registry& registry) {
  QStringList lines;
  std::set<std::string> ids;
  for (const Graph* graph : {&file, &window})
    for (const auto& [id, node] : graph->nodes) ids.insert(id);
  for (const std::string& id : ids) {
    const auto there = file.nodes.find(id), here = window.nodes.find(id);
    if (there == file.nodes.end() || here == window.nodes.end())
      lines << QStringLiteral("%1: %2").arg(QString::fromStdString(id),
                                            only_in(here == window.nodes.end() ? OnlyIn::file : OnlyIn::window));
    else
      add_node_differences(lines, id, there->second, here->second, registry);
  }
  add_link_differences(lines, file, window, OnlyIn::file);
  add_link_differences(lines, window, file, OnlyIn::window);
  if (file.title != window.title)
    lines << words("Title: \"%1\" in the file, \"%2\" here")
                 .arg(QString::fromStdString(file.title), QString::fromStdString(window.title));
  if (file.learning != window.learning) lines << words("Settings or results of learning differ");
  if (lines.isEmpty()) lines << words("Only the layout of the canvas or of the views differs");
  return lines;
}

void show_lines(QWidget* parent, const LinesToShow& what) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(words("Difference"));
  dialog->resize(Theme::space(160), Theme::space(90));
  auto* text = new QPlainTextEdit(what.lines.join(QLatin1Char('\n')), dialog);
  text->setReadOnly(true);
  text->setAccessibleName(what.title);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* title = new QLabel(what.title, dialog);
  title->setWordWrap(true);
  auto* column = spaced(new QVBoxLayout(dialog), 3, {4, 4, 4, 4});
  column->addWidget(title);
  column->addWidget(text, 1);
  column->addWidget(buttons);
  dialog->show();
}

}  // namespace tl::ui
