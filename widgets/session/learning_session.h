// LearningSession: learning in the studio: settings, progress, result, and history of runs.
#pragma once

#include <map>

#include "core/learn/history.h"
#include "core/learn/learner/learning_candidates.h"
#include "core/learn/learner/suggest.h"
#include "core/live/learning_news.h"
#include "widgets/session/job_session.h"

namespace tl::ui {

// GUI thread only. The settings of learning are stored in the document, so that they are saved and can be undone; the
// current run is stored here until it is accepted or rejected.
class LearningSession final : public JobSession {
  Q_OBJECT
 public:
  explicit LearningSession(LiveSession& session, QObject* parent = nullptr);

  // The document's settings without targets and objectives that are no longer in the graph.
  [[nodiscard]] const learn::Settings& settings() const { return settings_; }
  [[nodiscard]] const ParamDecl* declaration(const std::string& node, const std::string& parameter) const;
  [[nodiscard]] const ParamDecl* declaration(const learn::Target& target) const {
    return declaration(target.node, target.name);
  }
  // The title of the node's type; with the id if the pipeline has several nodes of the type.
  [[nodiscard]] QString title_of(const std::string& node) const;
  [[nodiscard]] QString title_of(const std::string& node, const std::string& parameter) const;  // "Axis"
  [[nodiscard]] QString title_of(const learn::Target& target) const { return title_of(target.node, target.name); }
  // Objectives ordered by what nodes declare and by traits of the scan's views. The traits are computed once per change
  // of the pipeline; settings_changed follows when they are known.
  [[nodiscard]] std::vector<learn::ObjectiveChoice> objective_choices();
  // Whether data that affect this order are still missing: infos about the targets' outputs after a change of the
  // pipeline, or the requested traits. settings_changed follows when they arrive.
  [[nodiscard]] bool is_looking() const;
  void forget_questions();  // to be called after LiveSession::stop(), which does not answer waiting requests
  // The name of the objective in use: of the shown run, else of the settings; empty if there is none.
  [[nodiscard]] QString objective_title() const;
  // Value of a target set to "auto" according to the scan's geometry, in the unit of its declaration.
  [[nodiscard]] std::optional<double> value_in_scan(const learn::Target& target) const;
  // What the pipeline could learn.
  [[nodiscard]] std::vector<learn::Learnable> learnables() const;
  [[nodiscard]] QString obstacle() const override;
  // One of the obstacles: the detector has too few rows for an unknown, with any objective.
  [[nodiscard]] std::optional<Error> rows_obstacle() const;

  // One undoable step each.
  void change(const QString& step, const std::function<void(learn::Settings&)>& edit);
  void mark(const learn::Learnable& learnable);  // also inserts the node that it needs
  void unmark(const learn::Target& target);
  void choose(const learn::ObjectiveChoice& choice);

  void start() override;
  void cancel() override;  // stops the live session, which reports the end
  [[nodiscard]] bool has_best() const override { return !progress_.empty(); }
  void accept();           // one undo step: stores the values, and the run in the history; not while unacceptable()
  void reject() override;  // stores the run in the history only
  // Why the found values cannot be accepted, and what to do; empty if they can.
  [[nodiscard]] QString unacceptable() const;
  [[nodiscard]] const std::vector<learn::Progress>& progress() const { return progress_; }
  // After a run: the iterations of its first descent. The views show any of them without a change of the document,
  // initially and for nullopt the found values.
  [[nodiscard]] const std::vector<learn::Progress>& steps() const { return steps_; }
  void show_step(std::optional<std::size_t> step);
  [[nodiscard]] std::optional<std::size_t> shown_step() const { return shown_step_; }
  // The newest landscape of this run, or of these settings.
  [[nodiscard]] const std::optional<live::LandscapeEnd>& landscape() const { return landscape_; }
  [[nodiscard]] const std::optional<live::LearnEnd>& end() const { return end_; }
  [[nodiscard]] const std::vector<learn::RunRecord>& records() const { return records_; }

  // Plots the objective around the parameters' values in the document, or around the values just found if a run has
  // ended.
  void sweep_objective(std::size_t target, const Number& half_width, int64_t points);
  void map_objective(std::size_t first, std::size_t second, const std::array<Number, 2>& half_width, int64_t points);
  void check_gradients();
  void check_node(const QString& node);

 Q_SIGNALS:
  void records_changed();
  void step_shown();
  void landscape_ready(const tl::live::LandscapeEnd& end);
  void gradients_checked(const tl::live::GradientCheckEnd& end);
  void node_checked(const tl::live::NodeCheckEnd& end);

 private:
  void send(Command command) override;
  void read_document();
  [[nodiscard]] std::optional<learn::ScanTraits> traits_at(const std::string& node, const std::string& port);
  void take_traits(const live::PlainValue& value);
  [[nodiscard]] const NodeType* type_of(const std::string& node) const;
  [[nodiscard]] bool is_unchecked(const std::string& node) const;
  void take(const learn::Progress& progress);
  void take_end(const live::LearnEnd& end);
  void take_landscape(const live::LandscapeEnd& end);
  void request_landscape();
  void forget_run();
  [[nodiscard]] learn::KnownInfo known_info() const;
  [[nodiscard]] const ProjectionsInfo* scan_after(const std::string& node) const;  // nullptr: none is known
  void store(Graph& graph, learn::Decision decision) const;
  [[nodiscard]] learn::Settings settings_at_found_values() const;
  learn::Settings settings_;
  std::vector<learn::RunRecord> records_;
  std::optional<std::string> read_;  // the JSON in the document that settings_ and records_ were read from
  std::vector<learn::Progress> progress_;
  std::optional<live::LearnEnd> end_;
  std::vector<learn::Progress> steps_;
  std::optional<std::size_t> shown_step_;
  std::optional<live::LandscapeEnd> landscape_;
  bool objective_is_known_ = false;  // by the live session
  struct AskedTraits {
    bool is_answered = false;
    std::optional<learn::ScanTraits> found;  // nullopt also if they could not be found
  };
  // Traits requested since the pipeline changed, by node and port.
  std::map<std::pair<std::string, std::string>, AskedTraits> traits_;
};

}  // namespace tl::ui
