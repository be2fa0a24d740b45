// The question for a file to save in: its name gets the ending of what is written, and an existing file is asked about
// under the name that it then has.
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace tl::ui {

struct SaveQuestion {
  QString title;
  QString name;         // proposed
  QString filter;       // "Tables (*.csv)"
  QStringList endings;  // ".csv"; a name with none of them gets the first; "" there, or no list: it stays as it is
};
// later: whoever writes the file asks about an existing one.
enum class AskReplace { here, later };

// Empty if the user gives it up. Asks again for another name if the existing file is not to be replaced.
QString ask_for_file(QWidget* parent, const SaveQuestion& question, AskReplace replace = AskReplace::here);

// Asks about an existing file.
bool may_replace(QWidget* parent, const QString& path);

// The name with the first ending, unless it has one of them; capitals do not count.
QString with_ending(const QString& name, const QStringList& endings);

}  // namespace tl::ui
