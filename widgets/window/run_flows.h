// RunFlows: dialogs and messages around a run: replacing existing outputs, exporting one output, the result at the end.
#pragma once

#include <QObject>
#include <QStringList>

#include "widgets/session/live_session.h"

class QMenu;
class QWidget;

namespace tl::ui {

class MessageModel;

class RunFlows final : public QObject {
  Q_OBJECT
 public:
  RunFlows(LiveSession& session, MessageModel& messages, QWidget* window);

  void run_all();
  void run_all_again();  // with an empty cache
  // Asks for a file name, sets it in this output node and runs the node.
  void export_output(const QString& node);
  void fill_export_menu(QMenu& menu);  // one entry per output node
  // The newest run writes one file that was asked for by its name.
  [[nodiscard]] bool is_export() const { return asked_ == Asked::outputs; }

  // A file is being opened: a run that is asked for now is of its pipeline, and begins once that is there.
  void wait_for_pipeline(const QString& file);
  void pipeline_is_there();
  void stay_with_pipeline();  // the file was not opened: nothing runs

 Q_SIGNALS:
  void started();
  void failed(const QString& node, const QString& why);  // node: the one to blame; may be empty
  void wrote(const QStringList& files, double seconds);  // a run that wrote files ended well

 private:
  [[nodiscard]] QString failed_node() const;
  enum class Asked { none, all, all_again, outputs };
  void begin(Asked what);
  void finished(const live::RunEnd& end);
  void run(live::Existing existing);
  LiveSession& session_;
  MessageModel& messages_;
  QWidget* window_;
  Asked asked_ = Asked::none;
  Asked waits_ = Asked::none;  // for the file
  QString opening_;            // the file; empty: none
  QStringList outputs_;
};

}  // namespace tl::ui
