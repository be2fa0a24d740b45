// Learning marks: {"learn": {"NODE": ["PARAMETER", ...]}}.
#include "widgets/inspector/learn_marks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tl::ui {
namespace {

const QString key = QStringLiteral("learn");

QJsonObject block(const std::string& ui) { return QJsonDocument::fromJson(QByteArray::fromStdString(ui)).object(); }

enum class Mark { set, cleared };
std::string marked(const std::string& ui, const std::string& node, const std::string& param, Mark mark) {
  QJsonObject all = block(ui), nodes = all[key].toObject();
  const QString id = QString::fromStdString(node);
  QJsonArray kept;
  for (const QJsonValue& name : nodes[id].toArray())
    if (name.toString().toStdString() != param) kept.append(name);
  if (mark == Mark::set) kept.append(QString::fromStdString(param));
  nodes.insert(id, kept);
  if (kept.isEmpty()) nodes.remove(id);
  all.insert(key, nodes);
  if (nodes.isEmpty()) all.remove(key);
  return all.isEmpty() ? std::string() : QJsonDocument(all).toJson(QJsonDocument::Compact).toStdString();
}

}  // namespace

bool is_learned(const std::string& ui, const std::string& node, const std::string& param) {
  const QJsonArray names = block(ui)[key].toObject()[QString::fromStdString(node)].toArray();
  return names.contains(QJsonValue(QString::fromStdString(param)));
}
std::string with_learned(const std::string& ui, const std::string& node, const std::string& param) {
  return marked(ui, node, param, Mark::set);
}
std::string without_learned(const std::string& ui, const std::string& node, const std::string& param) {
  return marked(ui, node, param, Mark::cleared);
}

}  // namespace tl::ui
