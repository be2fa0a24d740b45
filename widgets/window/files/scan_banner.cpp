// ScanBanner: watches the document; choosing a file is one undo step.
#include "widgets/window/files/scan_banner.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/language/translated.h"
#include "widgets/session/document.h"
#include "widgets/session/missing_inputs.h"
#include "widgets/session/stream_session.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/pipeline_templates.h"

namespace tl::ui {
namespace {

constexpr int picture_height = 64;  // px: the window is low

}  // namespace

ScanBanner::ScanBanner(Document& document, const StreamSession& stream, QWidget* parent)
    : QFrame(parent),
      document_(document),
      stream_(stream),
      picture_(new QLabel(this)),
      text_(new QLabel(this)),
      choose_(new QPushButton(this)) {
  setProperty("role", "status");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("The pipeline has no scan"));
  text_->setTextFormat(Qt::PlainText);
  text_->setMinimumWidth(1);  // a long title is cut, and does not widen the window
  choose_->setProperty("role", "primary");
  auto* row = spaced(new QHBoxLayout(this), 2, {3, 1, 3, 1});
  row->addWidget(picture_);
  row->addWidget(text_, 1);
  row->addWidget(choose_);
  connect(choose_, &QPushButton::clicked, this, &ScanBanner::choose);
  connect(&document_, &Document::graph_changed, this, &ScanBanner::follow);
  connect(&stream_, &StreamSession::state_changed, this, &ScanBanner::follow);
  follow();
}

QString ScanBanner::text() const { return text_->text(); }

void ScanBanner::follow() {
  const Graph& graph = document_.graph();
  const auto node = input_to_choose(graph, document_.registry());
  const bool is_volume = node && document_.registry().has_role(graph.nodes.at(*node).type, NodeRole::load_volume);
  // While a stream is open its frames are the scan.
  const bool is_needed = node && (is_volume || !stream_.is_open());
  setVisible(is_needed);
  if (!is_needed) return;
  node_ = *node;
  choose_->setText(is_volume ? tr("Choose a volume…") : tr("Choose a scan…"));
  choose_->setToolTip(tr("Sets the file of %1").arg(document_.card_title(QString::fromStdString(node_))));
  const QString what = is_volume ? tr("It needs a volume.") : tr("It needs a scan.");
  text_->setText(graph.title.empty()
                     ? (is_volume ? tr("This pipeline needs a volume.") : tr("This pipeline needs a scan."))
                     : QStringLiteral("%1. %2").arg(translated(graph.title), what));
  text_->setToolTip(text_->text());
  const NodePicture picture = telling_picture(graph, document_.registry());
  picture_->setVisible(!picture.image.isNull());
  if (picture.image.isNull()) return;
  const double ratio = devicePixelRatioF();
  QPixmap shown =
      QPixmap::fromImage(picture.image.scaledToHeight(qRound(picture_height * ratio), Qt::SmoothTransformation));
  shown.setDevicePixelRatio(ratio);
  picture_->setPixmap(shown);
  picture_->setAccessibleName(tr("What %1 does: before and after").arg(picture.title));
  picture_->setToolTip(picture_->accessibleName());
}

void ScanBanner::choose() {
  const QString file = QFileDialog::getOpenFileName(this, choose_->text().remove(QChar(0x2026)));
  const std::string node = node_;
  // The dialog may have been open while the pipeline changed.
  if (file.isEmpty() || !document_.graph().nodes.contains(node)) return;
  document_.edit(tr("Choose %1").arg(QFileInfo(file).fileName()),
                 [&](Graph& graph) { graph.nodes.at(node).params["file"] = file.toStdString(); });
}

}  // namespace tl::ui
