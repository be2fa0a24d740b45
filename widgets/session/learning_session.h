// LearningSession: learning as the studio sees it: what is asked, how it goes, what came out, and what became of it.
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

// pausing: the step under way goes on to its end. ended: what was found waits to be accepted or rejected.
enum class LearningState { idle, running, pausing, paused, finishing, ended };

// GUI thread only. Everything that is asked lives in the document, so that it is saved and can be undone; a run lives
// here until it is decided.
class LearningSession final : public QObject {
  Q_OBJECT
 public:
  explicit LearningSession(LiveSession& session, QObject* parent = nullptr);

  [[nodiscard]] LiveSession& live() { return session_; }
  // What the document asks for: the marked parameters that are still there, and the objective if it is.
  [[nodiscard]] const learn::Settings& settings() const { return settings_; }
  [[nodiscard]] const ParamDecl* declaration(const learn::Target& target) const;
  [[nodiscard]] QString title_of(const std::string& node) const;      // of a node, as the canvas shows it
  [[nodiscard]] QString title_of(const learn::Target& target) const;  // "Axis"
  // By what is declared and by what the views show. That is asked for once per change of the pipeline, and
  // settings_changed follows when it is known.
  [[nodiscard]] std::vector<learn::ObjectiveChoice> objective_choices();
  // Why learning cannot begin; nothing: it can.
  [[nodiscard]] std::optional<Error> obstacle() const;

  // One undoable step each.
  void change(const QString& step, const std::function<void(learn::Settings&)>& edit);
  void unmark(const learn::Target& target);
  void choose(const learn::ObjectiveChoice& choice);

  void start();
  void pause();  // after the step under way
  void go_on();
  void take_best();  // ends with the best so far and its uncertainty
  void stop();       // ends without a result
  void accept();     // one undoable step: the values, and the run in the history
  void reject();     // the run in the history alone
  [[nodiscard]] LearningState state() const { return state_; }
  [[nodiscard]] bool is_busy() const { return state_ != LearningState::idle && state_ != LearningState::ended; }
  [[nodiscard]] const std::vector<learn::Progress>& progress() const { return progress_; }
  [[nodiscard]] const std::optional<live::LearnEnd>& end() const { return end_; }
  [[nodiscard]] const std::vector<learn::RunRecord>& records() const { return records_; }
  [[nodiscard]] QString failure() const { return failure_; }  // of the last run

  // The objective around the parameters as they are in the document, or as they were just found.
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
  [[nodiscard]] learn::Settings around_optimum() const;
  LiveSession& session_;
  learn::Settings settings_;
  std::vector<learn::RunRecord> records_;
  std::optional<std::string> read_;  // the block of the document that the two above were read from
  LearningState state_ = LearningState::idle;
  std::vector<learn::Progress> progress_;
  std::optional<live::LearnEnd> end_;
  QString failure_;
  // What was asked about outputs since the pipeline changed; empty: no answer yet.
  std::map<std::pair<std::string, std::string>, std::optional<learn::ScanTraits>> traits_;
};

}  // namespace tl::ui
