// LearningSession: learning in the studio: settings, progress, result, and history of runs.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "core/learn/history.h"
#include "core/learn/suggest.h"
#include "widgets/session/live_session.h"

namespace tl::ui {

// pausing: the current iteration is completed first. ended: the found values wait to be accepted or rejected.
enum class LearningState { idle, running, pausing, paused, finishing, ended };

// GUI thread only. The settings of learning are stored in the document, so that they are saved and can be undone; the
// current run is stored here until it is accepted or rejected.
class LearningSession final : public QObject {
  Q_OBJECT
 public:
  explicit LearningSession(LiveSession& session, QObject* parent = nullptr);

  [[nodiscard]] LiveSession& live() { return session_; }
  // The document's settings without targets and objectives that are no longer in the graph.
  [[nodiscard]] const learn::Settings& settings() const { return settings_; }
  [[nodiscard]] const ParamDecl* declaration(const std::string& node, const std::string& parameter) const;
  [[nodiscard]] const ParamDecl* declaration(const learn::Target& target) const {
    return declaration(target.node, target.name);
  }
  [[nodiscard]] QString title_of(const std::string& node) const;  // the title of the node's type
  [[nodiscard]] QString title_of(const std::string& node, const std::string& parameter) const;  // "Axis"
  [[nodiscard]] QString title_of(const learn::Target& target) const { return title_of(target.node, target.name); }
  // Objectives ordered by what nodes declare and by traits of the scan's views. The traits are computed once per change
  // of the pipeline; settings_changed follows when they are known.
  [[nodiscard]] std::vector<learn::ObjectiveChoice> objective_choices();
  // Why learning cannot start; nullopt if it can.
  [[nodiscard]] std::optional<Error> obstacle() const;

  // One undoable step each.
  void change(const QString& step, const std::function<void(learn::Settings&)>& edit);
  void unmark(const learn::Target& target);
  void choose(const learn::ObjectiveChoice& choice);

  void start();
  void pause();  // after the current iteration
  void go_on();
  void finish();  // ends the run with the best values so far and their uncertainties
  void stop();    // ends without a result
  void accept();  // one undoable step: stores the values, and the run in the history
  void reject();  // stores the run in the history only
  [[nodiscard]] LearningState state() const { return state_; }
  [[nodiscard]] bool is_busy() const { return state_ != LearningState::idle && state_ != LearningState::ended; }
  [[nodiscard]] const std::vector<learn::Progress>& progress() const { return progress_; }
  [[nodiscard]] const std::optional<live::LearnEnd>& end() const { return end_; }
  [[nodiscard]] const std::vector<learn::RunRecord>& records() const { return records_; }
  [[nodiscard]] QString failure() const { return failure_; }  // of the last run

  // Plots the objective around the parameters' values in the document, or around the values just found if a run has
  // ended.
  void sweep(std::size_t target, const Number& half_width, int64_t points);
  void map(std::size_t first, std::size_t second, const std::array<Number, 2>& half_width, int64_t points);
  void check_gradients();
  void check_gradients_at(const learn::Settings& settings);
  void check_node(const QString& node);

 Q_SIGNALS:
  void settings_changed();
  void state_changed();
  void progressed();
  void records_changed();
  void landscape_ready(const tl::live::LandscapeEnd& end);
  void gradients_checked(const tl::live::GradientCheckEnd& end);
  void node_checked(const tl::live::NodeCheckEnd& end);

 private:
  void read_document();
  [[nodiscard]] std::optional<learn::ScanTraits> traits_at(const std::string& node, const std::string& port);
  void take_traits(const live::PlainValue& value);
  void take(const learn::Progress& progress);
  void take_end(const live::LearnEnd& end);
  void set_state(LearningState state);
  void store(Graph& graph, learn::Outcome outcome) const;
  [[nodiscard]] learn::Settings settings_at_found_values() const;
  LiveSession& session_;
  learn::Settings settings_;
  std::vector<learn::RunRecord> records_;
  std::optional<std::string> read_;  // the JSON in the document that settings_ and records_ were read from
  LearningState state_ = LearningState::idle;
  std::vector<learn::Progress> progress_;
  std::optional<live::LearnEnd> end_;
  QString failure_;
  bool objective_is_known_ = false;  // by the live session
  // Traits requested since the pipeline changed, by node and port; nullopt until the answer arrives.
  std::map<std::pair<std::string, std::string>, std::optional<learn::ScanTraits>> traits_;
};

}  // namespace tl::ui
