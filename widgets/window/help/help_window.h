// HelpWindow: the user guide by chapters, all shortcuts, and the reference of every node.
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;
class QTabWidget;

namespace tl::ui {

class HelpText;

enum class HelpPage { guide, shortcuts, nodes };

// A search field, a list of titles and the text of the selected one, made when it is selected: laying out whole
// references would take too long.
class ListedPages final : public QWidget {
  Q_OBJECT
 public:
  struct Page {
    QString title;
    std::function<QString()> markdown;
  };
  ListedPages(const QString& name, std::vector<Page> pages, QWidget* parent);
  void set_content(const char* content);  // what the pages are about, if not about this window
  void look_for(const QString& words);    // as if the words were typed into the search field

 private:
  void search(const QString& words);
  void show_page(int index);
  void show_next_match();
  std::vector<Page> pages_;
  QLineEdit* words_;
  QListWidget* list_;
  QLabel* nothing_;
  HelpText* text_;
};

class HelpWindow final : public QDialog {
  Q_OBJECT
 public:
  // `actions`: those whose shortcuts are listed.
  HelpWindow(const QList<QAction*>& actions, QWidget* parent);
  void open_page(HelpPage page);
  void explain(const QString& words);  // the first page of the guide that contains all words

 private:
  QTabWidget* pages_;
  ListedPages* guide_;
};

}  // namespace tl::ui
