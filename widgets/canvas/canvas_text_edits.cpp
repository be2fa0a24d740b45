// Canvas: editing of titles, comments and values in place.
#include <QFileDialog>

#include "widgets/canvas/canvas.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {

void Canvas::edit_title(const QString& node) {
  const NodeItem* item = scene_->node(node);
  if (item == nullptr) return;
  reveal(node);
  inline_->edit(on_view(*item, item->card().title_area()), editor_.title(node), tr("Title"),
                [this, node](const QString& text) {
                  editor_.rename(node, text);
                  return QString();
                });
}

void Canvas::edit_comment(int frame) {
  const auto index = static_cast<std::size_t>(frame);
  if (index >= scene_->frames().size()) return;
  const FrameItem* item = scene_->frames()[index];
  inline_->edit(view_->mapFromScene(item->title_area()).boundingRect(), item->frame().comment, tr("Comment"),
                [this, index](const QString& text) {
                  editor_.set_comment(index, text);
                  return QString();
                });
}

void Canvas::edit_row(const QString& node, int row) {
  const NodeItem* item = scene_->node(node);
  if (item == nullptr || row < 0 || static_cast<std::size_t>(row) >= item->card().rows.size()) return;
  const CardRow& line = item->card().rows[static_cast<std::size_t>(row)];
  const GraphNode& in_graph = editor_.document().graph().nodes.at(node.toStdString());
  const NodeType* type = editor_.document().registry().find(in_graph.type);
  const ParamDecl* decl = type == nullptr ? nullptr : type->param(line.param.toStdString());
  if (decl == nullptr) return;
  if (line.driven) return notice_->show_notice(tr("This value is set by a link"), HintLabel::Tone::plain);
  if (line.to_choose) return choose_file(node, *decl);
  const QRectF area = item->card().row_area(static_cast<std::size_t>(row));
  if (decl->kind == ParamKind::choice || decl->kind == ParamKind::flag)
    return choose_value(node, *decl, global(item->mapToScene(area.center())));
  const auto set = in_graph.params.find(decl->name);
  const ParamValue value = set == in_graph.params.end() ? decl->initial : set->second;
  QRectF half = area;
  half.setLeft(area.left() + area.width() * 0.35);
  inline_->edit(on_view(*item, half), QString::fromStdString(to_text(value)), line.label,
                [this, node, decl](const QString& text) -> QString {
                  const bool is_number = decl->kind == ParamKind::number;
                  const auto read = parse_value(*decl, is_number ? typed_number(text) : text.toStdString());
                  const auto valid = read.ok() ? decl->validate(read.value()) : Result<void>(read.error());
                  if (!valid.ok()) return reason_text(valid.error());
                  editor_.set_parameter(node, QString::fromStdString(decl->name), read.value());
                  return {};
                });
}

void Canvas::choose_value(const QString& node, const ParamDecl& decl, const QPoint& at) {
  const QString name = QString::fromStdString(decl.name);
  if (decl.kind == ParamKind::flag) {
    const GraphNode& in_graph = editor_.document().graph().nodes.at(node.toStdString());
    const auto set = in_graph.params.find(decl.name);
    const ParamValue& value = set == in_graph.params.end() ? decl.initial : set->second;
    const bool* now = std::get_if<bool>(&value);
    return editor_.set_parameter(node, name, ParamValue{now == nullptr || !*now});
  }
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const Choice& choice : decl.choices)
    menu->addAction(translated(choice.title), this,
                    [this, node, name, value = choice.name] { editor_.set_parameter(node, name, ParamValue{value}); });
  menu->popup(at);
}

void Canvas::choose_file(const QString& node, const ParamDecl& decl) {
  const QString title = QStringLiteral("%1: %2").arg(editor_.title(node), translated(decl.title));
  const QString name = QString::fromStdString(decl.name);
  const QString path = decl.path == PathRole::output ? QFileDialog::getSaveFileName(this, title, {}, {}, nullptr,
                                                                                    QFileDialog::DontConfirmOverwrite)
                                                     : QFileDialog::getOpenFileName(this, title);
  if (!path.isEmpty()) editor_.set_parameter(node, name, ParamValue{path.toStdString()});
}

// One click on "choose…" opens the dialog; existing values need a double click.
void Canvas::row_clicked(const QString& node, int row) {
  const NodeItem* item = scene_->node(node);
  if (item == nullptr || static_cast<std::size_t>(row) >= item->card().rows.size()) return;
  if (item->card().rows[static_cast<std::size_t>(row)].to_choose) edit_row(node, row);
}

}  // namespace tl::ui
