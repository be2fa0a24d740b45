// QueueSession: changes the rows of the queue, and keeps its display up to date.
#include "widgets/queue/queue_session.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/live/engine.h"
#include "core/live/jobs/queue_rates.h"
#include "core/run/common/memory.h"
#include "core/run/many/scan_table.h"
#include "widgets/language/translated.h"
#include "widgets/session/exports.h"

namespace tl::ui {
namespace {

constexpr int look_at_foreign_ms = 1000;

std::filesystem::path path_of(const QString& file) { return QFile::encodeName(file).toStdString(); }
QString text_of_path(const std::filesystem::path& file) { return QFile::decodeName(file.c_str()); }

}  // namespace

QueueSession::QueueSession(LiveSession& session, QObject* parent)
    : JobSessionOf(session, parent),
      rates_(std::make_shared<jobs::QueueRates>()),
      forecasts_(new QueueForecast(session.document().registry(), this)),
      watch_(new QueueWatch(this)),
      cluster_(new QueueCluster(this)) {
  connect(cluster_, &QueueCluster::refused, this, &QueueSession::refuse);
  connect(cluster_, &QueueCluster::changed, this, [this] {
    const std::vector<tl::ScanRow> before = rows_;
    read_rows();
    if (rows_ != before) look_again();  // for the thumbnails of results
    Q_EMIT forecasts_changed();
  });
  connect_watch();
  foreign_timer_.setInterval(look_at_foreign_ms);
  connect(&foreign_timer_, &QTimer::timeout, this, &QueueSession::follow_foreign);
  connect(forecasts_, &QueueForecast::changed, this, &QueueSession::forecasts_changed);
  // The rows show the results: there is nothing to accept.
  connect(this, &JobSession::state_changed, this, [this] {
    read_rows();
    if (state() == JobState::ended)
      QMetaObject::invokeMethod(
          this, [this] { reject(); }, Qt::QueuedConnection);
    if (!is_busy()) look_again();
  });
}

QueueSession::~QueueSession() { end_jobs(); }

void QueueSession::refuse(const Error& error) {
  if (error.kind != ErrorKind::cancelled) Q_EMIT refused(translated(error));
}

bool QueueSession::take(const Result<void>& done) {
  if (!done.ok()) refuse(done.error());
  read_rows();
  look_again();
  return done.ok();
}

bool QueueSession::take_over(const QString& folder) {
  Result<std::unique_ptr<ScanQueue>> opened = ScanQueue::open(session_.document().registry(), path_of(folder));
  if (!opened.ok()) {
    const std::filesystem::path table = path_of(folder) / scan_table_name();
    // A queue used by another program is shown; with any other error it is refused.
    const bool is_used = opened.error().kind == ErrorKind::io && read_scan_table(table).ok();
    if (!is_used) return refuse(opened.error()), false;
    foreign_ = translated(opened.error().what);
    queue_.reset();
    foreign_timer_.start();
  } else {
    queue_ = std::move(opened).value();
    foreign_.clear();
    foreign_timer_.stop();
  }
  folder_ = folder;
  cluster_->follow(queue_);
  return true;
}

bool QueueSession::open(const QString& folder) {
  if (folder == folder_ && foreign_.isEmpty()) return true;
  if (is_busy()) {
    Q_EMIT refused(tr("The queue runs: stop it before another one is opened"));
    return false;
  }
  if (!take_over(folder)) return false;
  forecasts_->forget();
  Q_EMIT folder_changed();
  read_rows();
  look_again();
  return true;
}

void QueueSession::follow_foreign() {
  if (!take_over(folder_)) {
    foreign_timer_.stop();  // said once
  } else if (foreign_.isEmpty()) {
    Q_EMIT folder_changed();
    look_again();
  }
  read_rows();
}

void QueueSession::read_rows() {
  std::vector<tl::ScanRow> now;
  if (queue_ != nullptr) {
    now = queue_->rows();
  } else if (!folder_.isEmpty()) {
    Result<std::vector<tl::ScanRow>> read = read_scan_table(path_of(folder_) / scan_table_name());
    now = read.ok() ? std::move(read).value() : rows_;
  }
  if (now == rows_) return;
  rows_ = std::move(now);
  Q_EMIT rows_changed();
}

void QueueSession::look_again() {
  if (queue_ == nullptr) return;
  jobs::QueueForecastJob::Settings settings;
  fill(settings);
  settings.queue = queue_;
  settings.rates = rates_;
  settings.measures = !is_busy();
  forecasts_->look(std::move(settings));
}

bool QueueSession::is_running(const tl::ScanRow& row) const {
  return foreign_.isEmpty() ? is_busy() && progress().running == row.name : row.state == ScanState::running;
}

bool QueueSession::is_waiting(const tl::ScanRow& row) const {
  return !is_running(row) && (row.state == ScanState::waiting || row.state == ScanState::running);
}

const jobs::RowForecast* QueueSession::forecast(const std::string& name) const {
  const auto known = forecasts_->rows().find(name);
  return known == forecasts_->rows().end() ? nullptr : &known->second;
}

QImage QueueSession::thumbnail(const std::string& name) const {
  const jobs::RowForecast* known = forecast(name);
  if (known == nullptr || known->thumbnail == nullptr) return {};
  const picture::Image& image = *known->thumbnail;
  const std::vector<uint8_t> grey = live::auto_contrast_8bit(image);
  return QImage(grey.data(), static_cast<int>(image.cols), static_cast<int>(image.rows), image.cols,
                QImage::Format_Grayscale8)
      .copy();
}

QueueSession::Whole QueueSession::whole() const {
  Whole all;
  bool is_known = true;
  all.seconds = 0;
  for (const tl::ScanRow& row : rows_) {
    if (is_running(row)) {
      ++all.scans;
      is_known = is_known && progress().scan_seconds_left >= 0;
      all.seconds += progress().scan_seconds_left;
    }
    const jobs::RowForecast* known = forecast(row.name);
    if (is_waiting(row)) {
      ++all.scans;
      if (known != nullptr && !known->error.empty()) continue;  // it ends at once
      is_known = is_known && known != nullptr && known->seconds >= 0;
      if (known != nullptr) all.seconds += known->seconds;
    }
    if (known == nullptr || (!is_waiting(row) && !is_running(row))) continue;
    all.disk += known->disk;
    if (known->peak <= all.peak) continue;
    all.peak = known->peak;
    all.largest = row.name;
  }
  if (!is_known) all.seconds = -1;
  all.memory = session_.options().memory > 0 ? session_.options().memory : available_memory() * 8 / 10;
  std::error_code failed;
  const auto space = std::filesystem::space(path_of(folder_), failed);
  if (!failed) all.free_disk = static_cast<int64_t>(space.available);
  return all;
}

QString QueueSession::result_of(const tl::ScanRow& row) const {
  for (const std::string& file : row.files) {
    const QString path = text_of_path(path_of(folder_) / file);
    if (!path.endsWith(QStringLiteral(".json")) && QFileInfo::exists(path)) return path;
  }
  return {};
}

// The results folder set by the user, else the folder of the scan.
QString QueueSession::folder_for(const QString& scan) const {
  const std::filesystem::path results = session_.options().output_dir;
  const QDir base = results.empty() ? QFileInfo(scan).absoluteDir() : QDir(text_of_path(results));
  return base.absoluteFilePath(QStringLiteral("queue"));
}

Result<std::string> QueueSession::kept_pipeline() {
  const Graph& graph = session_.document().graph();
  if (graph.nodes.empty() && without_pipeline_ == WithoutPipeline::as_last_row && !rows_.empty())
    return rows_.back().pipeline;
  if (graph.nodes.empty())
    return invalid("no pipeline is open", {}, "Open the pipeline that the scans are to run through, and add them then");
  return queue_->keep_pipeline(graph, session_.document().title().toStdString());
}

bool QueueSession::add(const QStringList& paths) {
  if (paths.isEmpty()) return false;
  if (folder_.isEmpty() && !open(folder_for(paths.first()))) return false;
  if (queue_ == nullptr) {
    Q_EMIT refused(foreign_);
    return false;
  }
  std::vector<std::filesystem::path> inputs;
  for (const QString& path : paths) inputs.push_back(path_of(path));
  const auto added = [&]() -> Result<void> {
    TL_TRY(std::vector<ScanTask> tasks, scan_list(inputs));
    const bool is_needed =
        std::any_of(tasks.begin(), tasks.end(), [](const ScanTask& task) { return task.pipeline.empty(); });
    std::string pipeline;
    if (is_needed) {
      TL_TRY(pipeline, kept_pipeline());
    }
    TL_TRY(const std::vector<std::string> names, queue_->add(std::move(tasks), pipeline));
    return ok();
  };
  return take(added());
}

bool QueueSession::add_document() {
  const Graph& graph = session_.document().graph();
  const Registry& registry = session_.document().registry();
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || type->role != NodeRole::load_scan) continue;
    for (const ParamDecl& decl : type->params) {
      const auto set = node.params.find(decl.name);
      const auto* file = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
      if (decl.path != PathRole::input || file == nullptr || file->empty()) continue;
      const std::filesystem::path scan = session_.options().input_dir / *file;
      return add({text_of_path(std::filesystem::absolute(scan))});
    }
  }
  Q_EMIT refused(tr("The pipeline loads no scan: choose one first"));
  return false;
}

void QueueSession::remove(const std::vector<std::string>& names) {
  if (queue_ != nullptr) take(queue_->remove(names));
}

void QueueSession::move(const std::vector<std::string>& names, std::size_t before) {
  if (queue_ == nullptr) return;
  if (const Result<void> moved = queue_->move(names, before); !moved.ok()) refuse(moved.error());
  read_rows();
}

bool QueueSession::set_changes(const std::string& name, const QString& text) {
  if (queue_ == nullptr) return false;
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
    const auto [parameter, value] = split_setting(part.trimmed().toStdString());
    const auto trimmed = [](const std::string& t) { return QString::fromStdString(t).trimmed().toStdString(); };
    if (value.empty())
      return take(invalid("write node.parameter=value", part.trimmed().toStdString(),
                          "For example fbp.cutoff=0.8; several with a semicolon between"));
    wanted.emplace_back(trimmed(parameter), trimmed(value));
  }
  const auto done = [&]() -> Result<void> {
    std::string row = name;
    const auto known = queue_->find(row);
    for (const std::string& setting : known ? known->settings : std::vector<std::string>()) {
      const std::string parameter = split_setting(setting).first;
      const auto is_kept = [&](const auto& one) { return one.first == parameter; };
      if (std::any_of(wanted.begin(), wanted.end(), is_kept)) continue;
      TL_TRY(row, queue_->set(row, parameter, {}));
    }
    for (const auto& [parameter, value] : wanted) {
      const auto now = queue_->find(row);
      const std::string setting = parameter + "=" + value;
      if (now && std::find(now->settings.begin(), now->settings.end(), setting) != now->settings.end()) continue;
      TL_TRY(row, queue_->set(row, parameter, value));
    }
    return ok();
  };
  return take(done());
}

void QueueSession::hold(const std::vector<std::string>& names) {
  if (queue_ == nullptr) return;
  const bool waits = std::any_of(rows_.begin(), rows_.end(), [&](const tl::ScanRow& row) {
    return row.state == ScanState::waiting && std::find(names.begin(), names.end(), row.name) != names.end();
  });
  take(queue_->hold(names, waits ? ScanQueue::Hold::paused : ScanQueue::Hold::waiting));
}

void QueueSession::retry(const std::vector<std::string>& names) {
  if (queue_ != nullptr) take(queue_->retry(names));
}

void QueueSession::retry_failed() {
  std::vector<std::string> failed;
  for (const tl::ScanRow& row : rows_)
    if (row.state == ScanState::failed) failed.push_back(row.name);
  retry(failed);
}

void QueueSession::use_pipeline(const std::vector<std::string>& names) {
  if (queue_ == nullptr) return;
  const Result<std::string> pipeline = kept_pipeline();
  take(pipeline.ok() ? queue_->use_pipeline(names, pipeline.value()) : Result<void>(pipeline.error()));
}

// A table in another folder names pipelines by absolute paths.
bool QueueSession::write_table(const QString& file) {
  std::vector<tl::ScanRow> rows = rows_;
  for (tl::ScanRow& row : rows) row.pipeline = task_of(row, path_of(folder_)).pipeline;
  const Result<void> written = write_export(file, QByteArray::fromStdString(csv_of(rows)), no_pipeline());
  if (!written.ok()) refuse(written.error());
  return written.ok();
}

QString QueueSession::obstacle() const {
  if (!foreign_.isEmpty()) return foreign_;
  if (rows_.empty()) return tr("Add scans first");
  if (std::none_of(rows_.begin(), rows_.end(), [this](const tl::ScanRow& row) { return is_waiting(row); }))
    return tr("No scan waits");
  return {};
}

void QueueSession::start() {
  if (is_busy() || !obstacle().isEmpty()) return;
  jobs::QueueJob::Settings settings;
  fill(settings);
  settings.queue = queue_;
  settings.rates = rates_;
  begin(std::move(settings));
}

void QueueSession::toggle() {
  switch (state()) {
    case JobState::idle:
    case JobState::ended: return start();
    case JobState::paused:
    case JobState::pausing: return go_on();
    default: return pause();
  }
}

}  // namespace tl::ui
