// Progress text: of the nearest running node.
#include "widgets/views/pictures/progress_text.h"

#include <QCoreApplication>

#include "widgets/text/amounts.h"
#include "widgets/views/pictures/output_finder.h"

namespace tl::ui {

QString progress_text(const PictureSource& source, const QString& node) {
  constexpr double least_left = 1, percent = 100;  // [s]
  for (const std::string& id : upstream_nodes(source.graph(), node.toStdString())) {
    const live::NodeStatus status = source.status(QString::fromStdString(id));
    if (status.state != live::State::running || status.fraction <= 0) continue;
    QString text = QCoreApplication::translate("ImagePane", "%1 %").arg(static_cast<int>(percent * status.fraction));
    if (status.seconds_left >= least_left)
      text += QCoreApplication::translate("ImagePane", " · %1 left").arg(duration_text(status.seconds_left));
    return text;
  }
  return {};
}

}  // namespace tl::ui
