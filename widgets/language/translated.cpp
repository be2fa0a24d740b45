// Translated: looks texts of core up in the translators of the application.
#include "widgets/language/translated.h"

#include <QCoreApplication>
#include <string>

#include "core/base/wording.h"

namespace tl::ui {

QString translated(std::string_view text) {
  const std::string words = wording_for(FrontEnd::window, text);
  // A translator answers the empty text with the head of its file.
  return words.empty() ? QString() : QCoreApplication::translate(core_context, words.c_str());
}

QString translated(const Error& error) {
  QString text = translated(error.what);
  if (!error.where.empty())
    text += QStringLiteral(" (%1)").arg(QString::fromStdString(wording_for(FrontEnd::window, error.where)));
  if (!error.hint.empty()) text += QStringLiteral(". ") + translated(error.hint);
  return text;
}

}  // namespace tl::ui
