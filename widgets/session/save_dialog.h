// Asks for a file to save in: the ending is added to its name, and the question about an existing file refers to the
// name with ending.
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace tl::ui {

struct SaveQuestion {
  QString title;
  QString name;         // proposed
  QString filter;       // "Tables (*.csv)"
  QStringList endings;  // ".csv"; a name with none of them gets the first; if that is "" or none is given, unchanged
};
// later: the code that writes the file asks about an existing one.
enum class AskReplace { here, later };

// Empty if the user cancels. Asks again for another name if the existing file is not to be replaced.
QString ask_for_file(QWidget* parent, const SaveQuestion& question, AskReplace replace = AskReplace::here);

// Asks about an existing file.
bool may_replace(QWidget* parent, const QString& path);

// The name with the first ending, unless it has one of them (case-insensitive).
QString with_ending(const QString& name, const QStringList& endings);

}  // namespace tl::ui
