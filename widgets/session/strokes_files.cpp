// Names files of strokes, and copies them next to pipelines.
#include "widgets/session/strokes_files.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <map>
#include <set>

#include "core/strokes/painted_labels.h"
#include "widgets/session/document.h"

namespace tl::ui {
namespace {

const QString ending = QStringLiteral(".strokes");

// The names of files of strokes in a graph.
std::set<std::string> strokes_files_of(const Graph& graph) {
  std::set<std::string> files;
  for (const auto& [id, node] : graph.nodes) {
    if (!Registry::all().has_role(node.type, NodeRole::painted_labels)) continue;
    const auto file = node.params.find("file");
    const auto* name = file == node.params.end() ? nullptr : std::get_if<std::string>(&file->second);
    if (name != nullptr && !name->empty()) files.insert(*name);
  }
  return files;
}

void rename_in(Graph& graph, const std::map<std::string, std::string>& names) {
  for (auto& [id, node] : graph.nodes) {
    if (!Registry::all().has_role(node.type, NodeRole::painted_labels)) continue;
    const auto file = node.params.find("file");
    auto* name = file == node.params.end() ? nullptr : std::get_if<std::string>(&file->second);
    if (name == nullptr) continue;
    if (const auto renamed = names.find(*name); renamed != names.end()) *name = renamed->second;
  }
}

QString strokes_path_for(const QString& pipeline) {
  const QFileInfo info(pipeline);
  return info.absoluteDir().filePath(info.completeBaseName() + ending);
}

}  // namespace

QString folder_of_unsaved() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/tomoloom");
}

QString new_strokes_file(const Document& document) {
  QString wanted;
  if (document.path().isEmpty()) {
    const QString folder = folder_of_unsaved() + QStringLiteral("/strokes");
    QDir().mkpath(folder);
    wanted = QStringLiteral("%1/unsaved-%2-%3.strokes")
                 .arg(folder, QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")))
                 .arg(QCoreApplication::applicationPid());
  } else {
    wanted = strokes_path_for(document.path());
  }
  QString name = wanted;
  for (int i = 2; QFileInfo::exists(name); ++i)
    name = wanted.chopped(ending.size()) + QStringLiteral("-%1").arg(i) + ending;
  return name;
}

Result<void> put_strokes_next_to(Document& document, const QString& path) {
  const QString folder = QFileInfo(path).absolutePath();
  const bool same_pipeline = !document.path().isEmpty() && QFileInfo(path) == QFileInfo(document.path());
  std::map<std::string, std::string> names;
  for (const std::string& file : strokes_files_of(document.graph())) {
    const QFileInfo now(QString::fromStdString(file));
    // The file does not exist yet, or no longer: the node reports it, and saving the pipeline must not fail because of
    // it.
    if (!now.exists() || (same_pipeline && now.absolutePath() == folder)) continue;
    TL_TRY(const std::filesystem::path copy,
           strokes::copy_strokes(std::filesystem::path(file), strokes_path_for(path).toStdString()));
    if (copy != file) names[file] = copy.string();
  }
  if (!names.empty()) document.change_everywhere([&names](Graph& graph) { rename_in(graph, names); });
  return ok();
}

}  // namespace tl::ui
