// JobSpec: contents of the page of one kind of job: texts, form, buttons, result, curves, table of steps.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "widgets/plot/plot_content.h"

class QWidget;

namespace tl::ui {

class JobForm;
class JobPlots;
class ValueRows;

// A button of the page in addition to start, pause, best and stop.
struct JobButton {
  QString text, help;
  // first: before the others; it is the primary button while it is shown
  enum class ButtonPosition { first, last } position = ButtonPosition::last;
  std::function<bool()> is_shown;
  std::function<void()> press;
};

struct ResultButton {
  QString text, help;
  enum class Role { normal, primary } role = Role::normal;
  bool is_enabled = true, is_shown = true;
  std::function<QString(QWidget* asks)> press;  // returns an error text; empty: success
};

struct JobCurves {
  QString name;  // accessible name
  std::function<PlotContent()> content;
  std::function<bool()> is_shown = [] { return true; };
};

struct JobColumn {
  QString title;
  std::function<QString()> help;
  std::function<QString(std::size_t row)> text;
  std::function<bool()> is_shown = [] { return true; };
};

struct JobTableSpec {
  QString name;  // accessible name; empty: the kind has no table
  std::function<std::size_t()> rows;
  std::vector<JobColumn> columns;
  std::function<QString(std::size_t row)> row_help;
};

// Functions are called on the GUI thread while the page exists. Each must be set, unless its comment explains an empty
// one.
struct JobSpec {
  QString page, tab, tab_help;  // accessible name of the page; title and help of its tab in the dock
  // The form above the buttons: adds rows, or widgets of its own.
  std::function<QWidget*(QWidget* parent)> form;

  std::function<QString()> start_text;  // "Train", "Train again"
  QString start_help, pause_help, stop_help;
  QString best_help;                       // empty: a job of this kind cannot end with its best result so far
  QString bar;                             // accessible name of the progress bar; empty: it has none
  std::vector<JobButton> buttons = {};     // may be empty
  std::function<QString()> obstacle = {};  // empty: that of the session
  std::function<void(QWidget*)> start;     // asks the user first if something would be lost
  std::function<QString()> waiting = {};   // may be empty: text about what the job waits for before it starts
  std::function<void()> stop = {};         // empty: cancels

  std::function<QString()> step;       // "epoch 3 of 10 · at most 2 min left"
  std::function<QString()> reading;    // while the data are read
  QString finishing, stopping;         // while it ends
  std::function<QString()> idle = {};  // text before the job starts; empty: the obstacle is shown
  std::function<QString()> best = {};  // may be empty: text of the best result so far
  QString activity, activity_reading;  // "training", for the status line; empty: the job is not shown there
  std::function<QString()> ended;      // message for a page that is not visible; may be empty
  QString failed;                      // "Not trained: %1"; empty: in the messages only
  std::function<QString()> unsaved;    // what would be lost by leaving the page

  QString result;  // accessible name of its card
  std::function<void(ValueRows&)> fill_result;
  std::function<std::vector<ResultButton>()> result_buttons;

  JobTableSpec table = {};
  std::function<JobPlots*(QWidget* parent)> plots = {};  // empty: one for each of
  std::vector<JobCurves> curves = {};
  // Number of points of all curves: they are plotted again when it changes.
  std::function<std::size_t()> curve_points = [] { return std::size_t{0}; };
};

}  // namespace tl::ui
