// Writes reports: HTML unchanged, PDF by Qt's text document, which cannot show SVG drawings.
#include "widgets/history/report_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>

#include "widgets/session/save_dialog.h"

namespace tl::ui {
namespace {

// The document is laid out in pixels, with this many per inch of the page: texts are then as large as on screen.
constexpr int dots_per_inch = 96;
constexpr int widest = 620, highest = 880;  // px of an image on A4 within the margins of QTextDocument
constexpr int picture_width = 380;          // px of a slice
constexpr int finer = 3;                    // pixels of a drawing per px of the page

QImage drawn(const QByteArray& svg, const QSize& size) {
  QSvgRenderer renderer(svg);
  QImage image(size * finer, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  renderer.render(&painter, QRectF(image.rect()));
  return image;
}

QSize size_on_page(QSizeF natural, int width) {
  if (natural.isEmpty()) return {1, 1};
  natural.scale(width, highest, Qt::KeepAspectRatio);
  return natural.toSize().expandedTo({1, 1});
}

// Replaces each part of the page between `begin` and `end` by an image that the document has.
template <class MakeImage>
void replace_images(QString& html, QTextDocument& document, const QString& begin, const QString& end,
                    const MakeImage& make) {
  int number = 0;
  for (qsizetype from = html.indexOf(begin); from >= 0; from = html.indexOf(begin, from + 1)) {
    const qsizetype to = html.indexOf(end, from + begin.size());
    if (to < 0) return;
    const auto [image, size] = make(html.mid(from, to + end.size() - from));
    const QString name = QStringLiteral("report:%1%2").arg(begin.mid(1, 3)).arg(number++);
    document.addResource(QTextDocument::ImageResource, QUrl(name), image);
    html.replace(
        from, to + end.size() - from,
        QStringLiteral("<img src=\"%1\" width=\"%2\" height=\"%3\">").arg(name).arg(size.width()).arg(size.height()));
  }
}

}  // namespace

QString ask_for_report_file(QWidget* parent, const QString& name) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("tl::ui::ReportFile", text); };
  return ask_for_file(parent, {tr("Export a report"),
                               name + QStringLiteral(".html"),
                               tr("Pages (*.html);;PDF (*.pdf)"),
                               {".html", ".htm", ".pdf"}});
}

QByteArray report_pdf(const history::Report& report) {
  return page_pdf(QString::fromStdString(history::report_html(report)), QString::fromStdString(report.title));
}

QByteArray page_pdf(const QString& page, const QString& title) {
  QTextDocument document;
  QString html = page;
  const QString picture_begin = QStringLiteral("<img alt="), picture_end = QStringLiteral("\">");
  replace_images(html, document, picture_begin, picture_end, [](const QString& tag) {
    const qsizetype data = tag.indexOf(QStringLiteral("base64,")) + 7;
    const QImage image =
        QImage::fromData(QByteArray::fromBase64(tag.mid(data, tag.size() - data - 2).toLatin1()), "PNG");
    return std::pair(image, size_on_page(image.size(), std::min(picture_width, std::max(image.width(), 1))));
  });
  replace_images(html, document, QStringLiteral("<svg "), QStringLiteral("</svg>"), [](const QString& element) {
    const QByteArray svg = element.toUtf8();
    const QSizeF natural = QSvgRenderer(svg).viewBoxF().size();
    const QSize size = size_on_page(natural, std::min(widest, std::max(qRound(natural.width()), 1)));
    return std::pair(drawn(svg, size), size);
  });
  document.setHtml(html);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF());
  writer.setResolution(dots_per_inch);
  writer.setTitle(title);
  document.print(&writer);
  return bytes;
}

Result<void> write_report_file(const history::Report& report, const QString& path, const ExportRules& rules) {
  const bool is_pdf = path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
  return write_export(path, is_pdf ? report_pdf(report) : QByteArray::fromStdString(history::report_html(report)),
                      rules);
}

}  // namespace tl::ui
