// LearningSession: learns in the studio: connects the document, which stores the settings, with the live session, which
// runs it.
#include "widgets/session/learning_session.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/learn/learnability.h"
#include "core/learn/learning.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

bool is_there(const Graph& graph, const Registry& registry, const learn::Target& target) {
  const NodeType* type = find_node_type(graph, registry, target.node);
  const ParamDecl* decl = type == nullptr ? nullptr : type->param(target.name);
  return decl != nullptr && decl->learnable;
}

bool same_parameter(const learn::Target& a, const learn::Target& b) { return a.node == b.node && a.name == b.name; }

// The settings of a graph, without targets and objectives that are no longer in it.
learn::Settings present_settings(const Graph& graph, const Registry& registry) {
  Result<learn::Settings> read = learn::settings_of(graph);
  learn::Settings settings = read.ok() ? std::move(read).value() : learn::Settings{};
  std::erase_if(settings.targets, [&](const learn::Target& t) { return !is_there(graph, registry, t); });
  const std::vector<learn::ObjectivePort> all = learn::objectives(graph, registry);
  if (std::find(all.begin(), all.end(), settings.objective) == all.end())
    settings.objective = all.size() == 1 ? all.front() : learn::ObjectivePort{};
  return settings;
}

}  // namespace

LearningSession::LearningSession(LiveSession& session, QObject* parent) : JobSession(session, parent) {
  connect(&session_.document(), &Document::graph_changed, this, [this] {
    if (!is_busy()) traits_.clear();
    read_document();
  });
  connect(&session_, &LiveSession::value_ready, this, &LearningSession::take_traits);
  connect(&session_.document(), &Document::layout_changed, this, &LearningSession::read_document);
  connect(&session_.document(), &Document::was_reset, this, [this] {
    if (is_busy()) session_.stop();
    forget_run();
    set_state(JobState::idle);
  });
  // Other objectives may fit now. During a run infos change with every iteration; only the first change concerning a
  // newly added objective matters.
  connect(&session_, &LiveSession::infos_changed, this, [this] {
    const learn::ObjectivePort& port = settings_.objective;
    const bool is_known =
        session_.info(QString::fromStdString(port.node), QString::fromStdString(port.port)) != nullptr;
    const bool is_new = std::exchange(objective_is_known_, is_known) != is_known;
    if (!is_busy() || is_new) Q_EMIT settings_changed();
  });
  connect(&session_, &LiveSession::learning, this, &LearningSession::take);
  connect(&session_, &LiveSession::learning_paused, this, [this] {
    if (state() == JobState::pausing) set_state(JobState::paused);
  });
  connect(&session_, &LiveSession::learned, this, &LearningSession::take_end);
  connect(&session_, &LiveSession::landscape_ready, this, &LearningSession::take_landscape);
  connect(&session_, &LiveSession::gradients_checked, this, &LearningSession::gradients_checked);
  connect(&session_, &LiveSession::node_checked, this, &LearningSession::node_checked);
  read_document();
}

void LearningSession::read_document() {
  const Document& document = session_.document();
  settings_ = present_settings(document.graph(), document.registry());
  const auto of_targets = [this](const learn::Settings& of_run) {
    return std::equal(of_run.targets.begin(), of_run.targets.end(), settings_.targets.begin(), settings_.targets.end(),
                      same_parameter);
  };
  if (landscape_ && !of_targets(landscape_->request.settings)) landscape_.reset();
  if (read_ != document.graph().learning) {
    read_ = document.graph().learning;
    records_ = learn::records_of(document.graph());
    Q_EMIT records_changed();
  }
  Q_EMIT settings_changed();
}

const NodeType* LearningSession::type_of(const std::string& node) const {
  const Document& document = session_.document();
  const auto found = document.graph().nodes.find(node);
  return found == document.graph().nodes.end() ? nullptr : document.registry().find(found->second.type);
}
const ParamDecl* LearningSession::declaration(const std::string& node, const std::string& parameter) const {
  const NodeType* type = type_of(node);
  return type == nullptr ? nullptr : type->param(parameter);
}
QString LearningSession::title_of(const std::string& node) const {
  const NodeType* type = type_of(node);
  if (type == nullptr) return QString::fromStdString(node);
  const QString title = translated(type->title);
  const auto& nodes = session_.document().graph().nodes;
  const auto same = std::count_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.second.type == type->id; });
  return same > 1 ? QStringLiteral("%1 (%2)").arg(title, QString::fromStdString(node)) : title;
}
QString LearningSession::title_of(const std::string& node, const std::string& parameter) const {
  const ParamDecl* decl = declaration(node, parameter);
  return decl == nullptr ? QString::fromStdString(parameter) : translated(decl->title);
}

learn::KnownInfo LearningSession::known_info() const {
  return [this](const std::string& node, const std::string& port) {
    return session_.info(QString::fromStdString(node), QString::fromStdString(port));
  };
}

std::vector<learn::ObjectiveChoice> LearningSession::objective_choices() {
  const Document& document = session_.document();
  return learn::objective_choices(
      document.graph(), document.registry(), known_info(), settings_.targets,
      [this](const std::string& node, const std::string& port) { return traits_at(node, port); });
}

std::optional<learn::ScanTraits> LearningSession::traits_at(const std::string& node, const std::string& port) {
  const Info* info = session_.info(QString::fromStdString(node), QString::fromStdString(port));
  if (info == nullptr || !std::holds_alternative<ProjectionsInfo>(*info)) return {};
  const auto [found, is_new] = traits_.try_emplace({node, port});
  if (is_new) session_.ask(QString::fromStdString(node), QString::fromStdString(port), live::Effort::compute);
  return found->second.found;
}

void LearningSession::take_traits(const live::PlainValue& value) {
  const auto asked = traits_.find({value.node, value.port});
  const bool is_cancelled = value.error && value.error->kind == ErrorKind::cancelled;
  if (asked == traits_.end() || asked->second.is_answered || is_cancelled) return;
  asked->second = {true, value.traits ? std::optional(*value.traits) : std::nullopt};
  if (!is_busy()) Q_EMIT settings_changed();
}

// Whether the compute thread has not reported yet on a node that is new in the pipeline.
bool LearningSession::is_unchecked(const std::string& node) const {
  const QString id = QString::fromStdString(node);
  const live::NodeStatus status = session_.status(id);
  if (status.state != live::State::ready || status.error) return false;
  const NodeType* type = type_of(node);
  return type != nullptr && !type->outputs.empty() &&
         std::none_of(type->outputs.begin(), type->outputs.end(), [&](const PortDecl& port) {
           return session_.info(id, QString::fromStdString(port.name)) != nullptr;
         });
}
void LearningSession::forget_questions() {
  std::erase_if(traits_, [](const auto& asked) { return !asked.second.is_answered; });
}
bool LearningSession::is_looking() const {
  return std::any_of(traits_.begin(), traits_.end(), [](const auto& asked) { return !asked.second.is_answered; }) ||
         std::any_of(settings_.targets.begin(), settings_.targets.end(),
                     [this](const learn::Target& target) { return is_unchecked(target.node); });
}

QString LearningSession::obstacle() const {
  const auto text = [](const Error& error) { return translated(error); };
  if (settings_.targets.empty())
    return tr("no parameter is marked. Click the nabla next to a parameter in the inspector");
  if (settings_.objective.node.empty()) return tr("there is no objective. Choose one");
  const Document& document = session_.document();
  const Result<void> sound = learn::check(settings_, document.graph(), document.registry());
  if (!sound.ok()) return text(sound.error());
  const std::optional<Error> rows = rows_obstacle();
  return rows ? text(*rows) : QString();
}

const ProjectionsInfo* LearningSession::scan_after(const std::string& node) const {
  const NodeType* type = type_of(node);
  if (type == nullptr) return nullptr;
  for (const PortDecl& port : type->outputs) {
    const Info* info = session_.info(QString::fromStdString(node), QString::fromStdString(port.name));
    if (const auto* scan = info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info)) return scan;
  }
  return nullptr;
}

std::optional<double> LearningSession::value_in_scan(const learn::Target& target) const {
  const ParamDecl* decl = declaration(target);
  const ProjectionsInfo* scan = scan_after(target.node);
  return decl == nullptr || scan == nullptr ? std::nullopt : learn::value_in_geometry(scan->geometry, *decl);
}

// Whether the detector itself has too few rows for an unknown; the rows that the objective uses are checked at the
// start of the run.
std::optional<Error> LearningSession::rows_obstacle() const {
  for (const learn::Target& target : settings_.targets) {
    const ParamDecl* decl = declaration(target);
    const ProjectionsInfo* scan = scan_after(target.node);
    if (decl == nullptr || scan == nullptr) continue;
    const DetectorShape& detector = scan->geometry.detector();
    if (auto few = learn::too_few_rows(target, *decl, detector.rows, detector.cols)) return few;
  }
  return std::nullopt;
}

void LearningSession::change(const QString& step, const std::function<void(learn::Settings&)>& edit) {
  learn::Settings wanted = settings_;
  edit(wanted);
  if (wanted == settings_) return;
  session_.document().edit(step, [&](Graph& g) { g = learn::with_settings(std::move(g), wanted); });
}

void LearningSession::mark(const learn::Learnable& learnable) {
  Document& document = session_.document();
  Result<learn::WithTarget> made = learn::with_target(document.graph(), document.registry(), learnable);
  if (!made.ok()) return;
  const NodeType* type = document.registry().find(learnable.type);
  const ParamDecl* decl = type == nullptr ? nullptr : type->param(learnable.name);
  document.edit(tr("Learn %1").arg(decl == nullptr ? QString::fromStdString(learnable.name) : translated(decl->title)),
                [&](Graph& g) { g = std::move(made.value().graph); });
}

void LearningSession::unmark(const learn::Target& target) {
  change(tr("Do not learn %1").arg(title_of(target)), [&](learn::Settings& s) {
    std::erase_if(s.targets, [&](const learn::Target& t) { return same_parameter(t, target); });
  });
}

void LearningSession::choose(const learn::ObjectiveChoice& choice) {
  Document& document = session_.document();
  Result<learn::WithObjective> made = learn::with_objective(document.graph(), document.registry(), choice);
  if (!made.ok()) return;
  learn::Settings wanted = settings_;
  wanted.objective = made.value().objective;
  wanted.fallback_objectives.clear();  // the user has chosen, so there are no alternatives
  const NodeType* type = document.registry().find(choice.type);
  document.edit(tr("Choose the objective %1")
                    .arg(type == nullptr ? QString::fromStdString(choice.type) : translated(type->title)),
                [&](Graph& g) { g = learn::with_settings(std::move(made.value().graph), wanted); });
}

void LearningSession::start() {
  if (is_busy() || !obstacle().isEmpty()) return;
  // A run neither accepted nor rejected is entered in the history for comparison.
  if (state() == JobState::ended) reject();
  forget_run();
  session_.learn(settings_);
  set_state(JobState::running);
  Q_EMIT progressed();
}
void LearningSession::send(Command command) {
  if (command == Command::pause) session_.command(learn::LearnCommand::pause);
  if (command == Command::go_on) session_.command(learn::LearnCommand::go_on);
  if (command == Command::take_best) session_.command(learn::LearnCommand::finish);
}
void LearningSession::cancel() {
  if (is_busy()) session_.stop();
  forget_questions();
}

void LearningSession::take(const learn::Progress& progress) {
  if (!is_busy()) return;
  progress_.push_back(progress);
  Q_EMIT progressed();
}

void LearningSession::take_end(const live::LearnEnd& end) {
  if (!is_busy()) return;
  if (end.error) set_failure(*end.error);
  if (end.error || end.learned.found.empty()) {
    set_state(JobState::idle);
    Q_EMIT progressed();
    return;
  }
  end_ = end;
  for (const learn::Progress& p : progress_)
    if (p.phase == learn::Progress::Phase::descent && p.descent == 0) steps_.push_back(p);
  set_state(JobState::ended);
  Q_EMIT progressed();
  request_landscape();
}

void LearningSession::forget_run() {
  progress_.clear();
  steps_.clear();
  shown_step_.reset();
  landscape_.reset();
  end_.reset();
  clear_failure();
}

// The landscape of a single number is cheap: about as many evaluations as the run had, fewer if each takes
// long.
void LearningSession::request_landscape() {
  constexpr double fewest = 11, most = 31;  // points
  constexpr double min_pixels = 2, max_pixels = 8, wanted_s = 6, distance_factor = 1.5;
  const learn::Learned& learned = end_->learned;
  if (learned.found.size() != 1 || learned.found[0].value.size() != 1 || !learned.found[0].shape.empty()) return;
  const double each = learned.evaluations > 0 ? learned.seconds / static_cast<double>(learned.evaluations) : 0;
  const auto points = static_cast<int64_t>(each > 0 ? std::clamp(wanted_s / each, fewest, most) : most);
  const learn::Found& found = learned.found[0];
  double half = distance_factor * std::abs(found.value[0] - found.start[0]);
  if (!found.uncertainty.empty()) half = std::max(half, 10 * found.uncertainty[0]);
  if (found.unit == Unit::px) half = std::clamp(half, min_pixels, max_pixels);
  if (!(half > 0)) half = found.value[0] != 0 ? 0.1 * std::abs(found.value[0]) : 1;
  const Number width{half, found.unit};
  session_.landscape(
      {settings_at_found_values(), {0, 0}, {width, width}, points, learn::LandscapeRequest::Slope::none});
}

void LearningSession::take_landscape(const live::LandscapeEnd& end) {
  if (!end.error) landscape_ = end;
  Q_EMIT landscape_ready(end);
}

void LearningSession::show_step(std::optional<std::size_t> step) {
  if (state() != JobState::ended || step == shown_step_ || (step && *step >= steps_.size())) return;
  shown_step_ = step;
  std::vector<learn::TargetValue> values;
  if (step) values = steps_[*step].values;
  if (!step)
    for (const learn::Found& f : end_->learned.found) values.push_back(learn::value_of(f));
  session_.show_values(values);
  Q_EMIT step_shown();
}

QString LearningSession::unacceptable() const {
  if (state() != JobState::ended) return tr("There is no result.");
  QStringList names;
  for (const learn::Found& f : end_->learned.found)
    if (!learn::is_determined(f.trust)) names << title_of(f.node, f.name);
  if (names.isEmpty()) return {};
  if (end_->learned.found.size() == 1)
    return tr("These data do not determine %1, so there is no value to accept.").arg(names.front());
  return tr("These data do not determine %1: the other values depend on it. Learn again without this parameter.")
      .arg(names.join(tr(" and ")));
}

QString LearningSession::objective_title() const {
  const bool of_run = state() == JobState::ended && end_;
  const learn::ObjectivePort& objective = of_run ? end_->learned.objective : settings_.objective;
  return objective.node.empty() ? QString() : title_of(objective.node);
}

std::vector<learn::Learnable> LearningSession::learnables() const {
  return learn::learnables(session_.document().graph(), session_.document().registry(), known_info());
}

void LearningSession::store(Graph& graph, learn::Decision decision) const {
  const std::string now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
  if (!learn::settings_of(graph).ok()) graph = learn::with_settings(std::move(graph), end_->settings);
  graph =
      learn::with_run(std::move(graph), learn::to_json(learn::record_of(end_->settings, end_->learned, decision, now)));
}

void LearningSession::accept() {
  if (!unacceptable().isEmpty()) return;
  QStringList names;
  for (const learn::Found& f : end_->learned.found) names << title_of(f.node, f.name);
  session_.document().edit(tr("Accept %1").arg(names.join(QStringLiteral(", "))), [&](Graph& g) {
    g = learn::accept(std::move(g), end_->learned);
    store(g, learn::Decision::accepted);
  });
  set_state(JobState::idle);
}

void LearningSession::reject() {
  if (state() != JobState::ended) return;
  session_.document().edit(tr("Reject the learned values"), [&](Graph& g) { store(g, learn::Decision::rejected); });
  session_.show_pipeline();
  set_state(JobState::idle);
}

learn::Settings LearningSession::settings_at_found_values() const {
  learn::Settings settings = settings_;
  if (state() != JobState::ended) return settings;
  for (learn::Target& target : settings.targets)
    for (const learn::Found& f : end_->learned.found)
      if (f.node == target.node && f.name == target.name && f.value.size() == 1)
        target.start = Number{f.value[0], f.unit};
  return settings;
}

void LearningSession::sweep_objective(std::size_t target, const Number& half_width, int64_t points) {
  session_.landscape({settings_at_found_values(), {target, target}, {half_width, half_width}, points});
}
void LearningSession::map_objective(std::size_t first, std::size_t second, const std::array<Number, 2>& half_width,
                                    int64_t points) {
  session_.landscape({settings_at_found_values(), {first, second}, half_width, points});
}
void LearningSession::check_gradients() { session_.check_gradients(settings_); }
void LearningSession::check_node(const QString& node) { session_.check_node(node); }

}  // namespace tl::ui
