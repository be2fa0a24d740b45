// HistoryKeeper: rows are entered when work begins and completed by reports of the sessions.
#include "widgets/history/history_keeper.h"

#include <QElapsedTimer>
#include <utility>

#include "core/history/entry_texts.h"
#include "core/learn/learning_types.h"
#include "core/live/learning_news.h"
#include "widgets/session/learning_session.h"
#include "widgets/text/error_text.h"

namespace tl::ui {
namespace {

// Only numbers: arrays are in the record of the learning run.
std::vector<history::Value> values_of(const LearningSession& learning) {
  std::vector<history::Value> values;
  if (!learning.end() || learning.end()->error) return values;
  for (const learn::Found& found : learning.end()->learned.found) {
    if (found.value.size() != 1) continue;
    history::Value value{found.node,
                         found.name,
                         QString::number(from_stored(found.value[0], found.unit), 'g', 12).toStdString(),
                         std::string(symbol(found.unit)),
                         {},
                         std::string(to_string(found.trust))};
    if (found.uncertainty.size() == 1) value.uncertainty = from_stored(found.uncertainty[0], found.unit);
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

// Accessed only on the disk thread.
struct HistoryKeeper::Row {
  history::Entry entry;
  QElapsedTimer clock;
};

HistoryKeeper::HistoryKeeper(LiveSession& session, history::Store store, QObject* parent)
    : QObject(parent),
      session_(session),
      recorder_(std::move(store), "window", session.document().registry(), [this](const Error& error) {
        const QString text = tr("This is not in the history: %1").arg(error_text(error));
        QMetaObject::invokeMethod(
            this, [this, text] { Q_EMIT failed(text); }, Qt::QueuedConnection);
      }) {
  disk_.setMaxThreadCount(1);  // rows end after they began
  connect(&session, &LiveSession::run_finished, this, [this](const live::RunEnd& end) {
    const std::shared_ptr<Row> row = std::exchange(run_, nullptr);
    if (row == nullptr) return;
    // This end is a question to the user, who may run it again.
    if (!end.existing.empty()) {
      disk_.start([this, row] { recorder_.drop(row->entry); });
    } else {
      this->end(row, {end.files, end.seconds, end.error});
    }
  });
}

HistoryKeeper::~HistoryKeeper() { wait(); }

void HistoryKeeper::wait() { disk_.waitForDone(); }

std::shared_ptr<HistoryKeeper::Row> HistoryKeeper::begin(history::Kind kind, const Graph& graph) {
  auto row = std::make_shared<Row>();
  row->clock.start();
  disk_.start([this, row, kind, graph, title = session_.document().title()] {
    row->entry = history::entry_of(kind, graph, session_.document().registry());
    if (row->entry.title.empty()) row->entry.title = title.toStdString();
    recorder_.begin(row->entry);
  });
  return row;
}

void HistoryKeeper::end(const std::shared_ptr<Row>& row, history::Outcome outcome, std::vector<history::Value> values) {
  disk_.start([this, row, outcome = std::move(outcome), values = std::move(values)] {
    row->entry.values = values;
    recorder_.end(row->entry, outcome);
  });
}

void HistoryKeeper::enter(history::Entry entry, history::Outcome outcome) {
  if (recorder_.store().is_off()) return;
  disk_.start([this, entry = std::move(entry), outcome = std::move(outcome)]() mutable {
    recorder_.begin(entry);
    recorder_.end(entry, outcome);
  });
}

void HistoryKeeper::begin_run(history::Kind kind) { begin_run(kind, session_.document().graph()); }
void HistoryKeeper::begin_run(history::Kind kind, const Graph& graph) {
  if (!recorder_.store().is_off()) run_ = begin(kind, graph);
}

void HistoryKeeper::follow(JobSession& job, history::Kind kind, const Values& values) {
  if (recorder_.store().is_off()) return;
  connect(&job, &JobSession::state_changed, this, [this, &job, kind, values, row = std::shared_ptr<Row>()]() mutable {
    if (job.is_busy() && row == nullptr) row = begin(kind, session_.document().graph());
    if (job.is_busy() || row == nullptr) return;
    history::Outcome outcome;
    outcome.seconds = static_cast<double>(row->clock.elapsed()) / 1000;
    if (job.state() != JobState::ended)
      outcome.error = job.failure().isEmpty() ? cancelled() : invalid(job.failure().toStdString());
    end(std::exchange(row, nullptr), outcome, values());
  });
}

void HistoryKeeper::follow(JobSession& job, history::Kind kind) {
  follow(job, kind, [] { return std::vector<history::Value>(); });
}

void HistoryKeeper::follow(LearningSession& learning) {
  follow(learning, history::Kind::learning, [&learning] { return values_of(learning); });
}

}  // namespace tl::ui
