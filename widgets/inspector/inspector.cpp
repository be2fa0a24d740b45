// Inspector: shows the current node: builds its parts and follows selection, document and node states.
#include "widgets/inspector/inspector.h"

#include <QAbstractTextDocumentLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/node/reference.h"
#include "widgets/inspector/cache_row.h"
#include "widgets/inspector/clipping_row.h"
#include "widgets/inspector/dialogs/sweep_dialog.h"
#include "widgets/inspector/error_card.h"
#include "widgets/inspector/evidence_panel.h"
#include "widgets/inspector/found_values.h"
#include "widgets/inspector/learned_values.h"
#include "widgets/inspector/node_form.h"
#include "widgets/inspector/special_tools.h"
#include "widgets/language/translated.h"
#include "widgets/session/layout.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
Inspector::Inspector(LiveSession& session, Selection& selection, QWidget* parent)
    : QScrollArea(parent), session_(session), selection_(selection), body_(new QWidget), empty_(new QWidget) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Inspector"));
  auto* whole = new QWidget(this);
  auto* column = framed(new QVBoxLayout(whole), {3, 3, 3, 3});
  auto* hint = as_note(new QLabel(tr("Select a node to see its parameters."), empty_));
  auto* empty_column = framed(new QVBoxLayout(empty_));
  empty_column->addWidget(hint);
  auto* inner = spaced(new QVBoxLayout(body_), 3);
  make_head(*inner);
  form_column_ = new QVBoxLayout;
  inner->addLayout(form_column_);
  clipping_ = new ClippingRow(session_, body_);
  inner->addWidget(clipping_);
  make_reference(*inner);
  column->addWidget(empty_);
  column->addWidget(body_);
  column->addStretch(1);
  setWidget(whole);

  connect(&selection_, &Selection::changed, this, &Inspector::show_node);
  connect(&session_.document(), &Document::graph_changed, this, &Inspector::refresh_graph);
  connect(&session_.document(), &Document::layout_changed, this, &Inspector::show_title);
  connect(&session_, &LiveSession::status_changed, this, [this](const QString& node) {
    if (node == selection_.current()) show_status();
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    show_status();
    if (reference_->isVisible()) fill_reference();
  });
  show_node();
}

void Inspector::make_head(QVBoxLayout& column) {
  title_ = new QLabel(body_);
  QFont font = Theme::text_font();
  font.setPixelSize(15);
  font.setWeight(QFont::DemiBold);
  title_->setFont(font);
  title_->setWordWrap(true);
  id_ = as_note(new QLabel(body_));
  state_ = new QLabel(body_);
  summary_ = as_note(new QLabel(body_));
  error_ = new ErrorCard(body_);
  connect(error_, &ErrorCard::pressed, this, &Inspector::show_problem);
  found_ = new FoundValues(body_);
  learned_ = new LearnedValues(session_.document(), body_);
  evidence_ = new EvidencePanel(session_, body_);
  tools_ = new SpecialTools(session_, body_);
  auto* first = new QHBoxLayout;
  first->addWidget(title_, 1);
  first->addWidget(state_, 0, Qt::AlignTop);
  column.addLayout(first);
  column.addWidget(summary_);
  column.addWidget(error_);
  column.addWidget(found_);
  column.addWidget(learned_);
  column.addWidget(evidence_);
  column.addWidget(tools_);
}

void Inspector::make_reference(QVBoxLayout& column) {
  reference_fold_ = new QToolButton(body_);
  reference_fold_->setProperty("role", "fold");
  reference_fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  reference_fold_->setText(tr("About this node"));
  reference_fold_->setCheckable(true);
  reference_fold_->setIcon(glyph_icon(Glyph::chevron_right));
  reference_ = new QTextBrowser(body_);
  reference_->setOpenLinks(false);
  reference_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  reference_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  reference_->setAccessibleName(tr("Reference page"));
  reference_->hide();
  // The field is as tall as its text: the inspector scrolls instead of the field.
  connect(
      reference_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, reference_,
      [this](const QSizeF& size) { reference_->setFixedHeight(static_cast<int>(size.height()) + Theme::space(2)); });
  connect(reference_fold_, &QToolButton::toggled, this, [this](bool open) {
    reference_fold_->setIcon(glyph_icon(open ? Glyph::chevron_down : Glyph::chevron_right));
    if (open) fill_reference();
    reference_->setVisible(open);
  });
  cache_ = new CacheRow(session_, body_);
  column.addWidget(cache_);
  column.addWidget(id_);
  column.addWidget(reference_fold_, 0, Qt::AlignLeft);
  column.addWidget(reference_);
}

void Inspector::fill_reference() {
  if (form_ == nullptr) return;
  reference_->document()->setDefaultFont(Theme::text_font());
  reference_->document()->setMarkdown(QString::fromStdString(node_markdown(form_->type())));
}

void Inspector::refresh_graph() {
  const auto& nodes = session_.document().graph().nodes;
  const auto now = nodes.find(selection_.current().toStdString());
  const bool same = form_ != nullptr && now != nodes.end() && form_->node() == selection_.current() &&
                    now->second.type == form_->type().id;
  if (same) {
    show_status();
  } else {
    show_node();
  }
}

void Inspector::show_node() {
  const Document& document = session_.document();
  const NodeType* type = find_node_type(document.graph(), document.registry(), selection_.current().toStdString());
  if (form_ != nullptr) {
    form_->hide();
    form_->deleteLater();  // deleted later, since a signal of the form may still be on the call stack
    form_ = nullptr;
  }
  empty_->setVisible(type == nullptr);
  body_->setVisible(type != nullptr);
  if (type == nullptr) return;
  id_->setText(tr("Node %1, type %2").arg(selection_.current(), QString::fromStdString(type->id)));
  summary_->setText(translated(type->summary));
  form_ = new NodeForm(session_.document(), selection_.current(), body_);
  form_column_->addWidget(form_);
  connect(form_, &NodeForm::sweep_wanted, this, &Inspector::sweep);
  evidence_->show_node(form_->node(), *type);
  clipping_->show_node(form_->node());
  cache_->show_node(form_->node());
  learned_->show_node(form_->node());
  tools_->show_node(form_->node(), *type);
  show_title();
  if (reference_->isVisible()) fill_reference();
  verticalScrollBar()->setValue(0);
  show_status();
}

// Shows the user's title of the node, otherwise the title of its type.
void Inspector::show_title() {
  if (form_ == nullptr) return;
  const QString own = Layout(session_.document().graph().ui).card(form_->node().toStdString()).title;
  title_->setText(own.isEmpty() ? translated(form_->type().title) : own);
}

void Inspector::show_status() {
  if (form_ == nullptr) return;
  const live::NodeStatus status = session_.status(form_->node());
  state_->setText(Theme::state_glyph(status.state) + QChar(' ') + Theme::state_word(status.state));
  set_style_property(*state_, "tone", Theme::state_tone(status.state));
  found_->show_status(status);
  std::optional<Error> error = status.error;
  // Problems of the graph are known before the engine checks it. Problems of parameters are shown at their fields.
  for (const GraphProblem& p : session_.document().problems())
    if (!error && p.node == form_->node().toStdString()) error = p.error;
  error_->setVisible(error.has_value());
  if (error) error_->show_error(*error);
  tools_->show_error(error);
}

void Inspector::focus_form() {
  if (form_ != nullptr && !form_->type().params.empty())
    show_param(QString::fromStdString(form_->type().params.front().name));
}
void Inspector::sweep(const QString& param) {
  const ParamDecl* decl = form_ == nullptr ? nullptr : form_->type().param(param.toStdString());
  if (decl != nullptr) (new SweepDialog(session_, form_->node(), *decl, window()))->show();
}

bool Inspector::show_problem() {
  if (form_ == nullptr) return false;
  const std::string id = form_->node().toStdString();
  for (const GraphProblem& p : session_.document().problems())
    if (p.node == id && form_->field(QString::fromStdString(p.name)) != nullptr) {
      show_param(QString::fromStdString(p.name));
      return true;
    }
  const live::NodeStatus status = session_.status(form_->node());
  if (!status.error) return false;
  // Errors name parameters as files do; the function searches `where` first, then the texts.
  for (const std::string& text : {status.error->where, status.error->what, status.error->hint})
    for (const ParamDecl& decl : form_->type().params) {
      const QRegularExpression word(QStringLiteral("\\b%1\\b").arg(QString::fromStdString(decl.name)));
      if (!word.match(QString::fromStdString(text)).hasMatch()) continue;
      show_param(QString::fromStdString(decl.name));
      return true;
    }
  return false;
}
void Inspector::show_param(const QString& param) {
  ParamField* field = form_ == nullptr ? nullptr : form_->field(param);
  if (field == nullptr) return;
  if (field->decl().level == ParamLevel::advanced) form_->show_advanced(true);
  ensureWidgetVisible(field);
  field->setFocus(Qt::TabFocusReason);
}

}  // namespace tl::ui
