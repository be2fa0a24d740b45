// Writes the state of a row as text.
#include "widgets/queue/queue_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "core/base/measured.h"
#include "widgets/language/translated.h"
#include "widgets/text/amounts.h"
#include "widgets/text/forecast_text.h"
#include "widgets/text/typeset.h"

namespace tl::ui {
namespace {

QString queue_words(const char* text) { return QCoreApplication::translate("tl::ui::Queue", text); }
QString text_of(const std::string& text) { return QString::fromStdString(text); }

// "SIRT · 12 of 40"
QString doing_text(const jobs::QueueJob::Progress& p) {
  const QString node = translated(p.doing);
  return p.steps > 1 ? queue_words("%1 · %2 of %3").arg(node).arg(p.step).arg(p.steps) : node;
}

// A done row has a value that was not resolved, or a warning of the run.
bool needs_a_look(const QueueSession& queue, const tl::ScanRow& row) {
  const auto values = found_values_of(row);
  return std::any_of(values.begin(), values.end(), [](const FoundValue& v) { return v.color == Token::warning; }) ||
         !all_notes(queue, row).isEmpty();
}

}  // namespace

RowText scan_text(const QueueSession& queue, const tl::ScanRow& row) {
  const jobs::RowForecast* known = queue.forecast(row.name);
  RowText text{text_of(row.scan.filename().string()), {}};
  if (known != nullptr) text.second = text_of(known->scan).replace(QStringLiteral(" x "), QStringLiteral("×"));
  if (row.name != row.scan.stem().string()) text.first += QStringLiteral(" → ") + text_of(row.name);
  return text;
}

// Copies of pipelines are named NAME-DIGEST.json: the digest is for the table.
RowText pipeline_text(const tl::ScanRow& row) {
  if (row.pipeline.empty()) return {queue_words("none"), {}, Token::warning};
  QString name = QFileInfo(text_of(row.pipeline)).completeBaseName();
  constexpr int digest = 8;
  if (row.pipeline.starts_with("pipelines/") && name.size() > digest + 1) name.chop(digest + 1);
  return {name, {}};
}

RowText changed_text(const tl::ScanRow& row) {
  if (row.settings.empty()) return {queue_words("as the pipeline"), {}, Token::text_second};
  RowText text;
  for (const std::string& setting : row.settings) {
    const auto [parameter, value] = split_setting(setting);
    const QString line = text_of(parameter) + QLatin1Char(' ') + text_of(value);
    if (text.first.isEmpty())
      text.first = line;
    else
      text.second += (text.second.isEmpty() ? QString() : QStringLiteral(", ")) + line;
  }
  text.second_color = Token::text;
  return text;
}

QString changes_to_edit(const tl::ScanRow& row) {
  QStringList all;
  for (const std::string& setting : row.settings) all << text_of(setting);
  return all.join(QStringLiteral("; "));
}

RowText row_state_text(const QueueSession& queue, const tl::ScanRow& row) {
  if (queue.is_running(row)) {
    const bool pauses = queue.state() == JobState::paused || queue.state() == JobState::pausing;
    if (pauses) return {queue_words("❙❙ paused"), doing_text(queue.progress()), Token::text_second};
    const QString percent = QStringLiteral("%1 %").arg(static_cast<int>(100 * queue.progress().scan_done));
    return {queue_words("◐ running %1").arg(percent), doing_text(queue.progress()), Token::busy};
  }
  const RowJob* job = queue.cluster().job(row.name);
  switch (row.state) {
    case ScanState::sent: {
      const bool runs = job != nullptr && job->status.state == TaskState::running;
      const QString id = job == nullptr ? queue_words("Slurm") : queue_words("Slurm job %1").arg(text_of(job->id));
      return {runs ? queue_words("◐ running") : queue_words("◷ sent"), id, runs ? Token::busy : Token::text_second};
    }
    case ScanState::done:
      if (needs_a_look(queue, row)) return {queue_words("▲ done, check"), {}, Token::warning};
      return {queue_words("✓ done"), {}, Token::good};
    case ScanState::failed: return {queue_words("✕ failed"), {}, Token::error};
    case ScanState::paused: return {queue_words("❙❙ paused"), {}, Token::text_second};
    case ScanState::waiting:
    case ScanState::running: break;
  }
  const jobs::RowForecast* known = queue.forecast(row.name);
  if (known != nullptr && !known->error.empty()) return {queue_words("▲ cannot run"), {}, Token::warning};
  return {queue_words("◷ waiting"), {}, Token::text_second};
}

RowText time_text(const QueueSession& queue, const tl::ScanRow& row) {
  if (queue.is_running(row)) {
    const double left = queue.progress().scan_seconds_left;
    return left < 0 ? RowText{} : RowText{queue_words("%1 left").arg(duration_text(left)), {}};
  }
  if (row.state == ScanState::done) return {queue_words("took %1").arg(duration_text(row.seconds)), {}};
  const jobs::RowForecast* known = queue.forecast(row.name);
  if (row.state == ScanState::failed || known == nullptr || known->seconds < 0) return {};
  return {about_duration(known->seconds), {}, Token::text_second};
}

QStringList all_notes(const QueueSession& queue, const tl::ScanRow& row) {
  QStringList notes;
  const auto& of_run = queue.progress().notes;
  if (const auto warned = of_run.find(row.name); warned != of_run.end())
    for (const std::string& note : warned->second) notes << translated(note);
  if (const jobs::RowForecast* known = queue.forecast(row.name); known != nullptr) {
    if (row.state != ScanState::failed && !known->error.empty()) notes << translated(known->error);
    for (const std::string& note : known->notes) notes << translated(note);
  }
  return notes;
}

RowText notes_text(const QueueSession& queue, const tl::ScanRow& row) {
  if (row.state == ScanState::failed) return {translated(row.error), queue_words("R tries again"), Token::error};
  const jobs::RowForecast* known = queue.forecast(row.name);
  const bool is_forecast = row.state != ScanState::done && known != nullptr && known->peak > 0;
  const QString memory = is_forecast ? queue_words("%1 memory").arg(bytes_text(known->peak)) : QString(),
                disk = is_forecast ? queue_words("%1 on disk").arg(bytes_text(known->disk)) : QString();
  const QStringList notes = all_notes(queue, row);
  if (!notes.isEmpty()) {
    QStringList more;
    if (notes.size() > 1) more << queue_words("and %1 more").arg(notes.size() - 1);
    if (is_forecast) more << memory << disk;
    return {notes.first(), more.join(QStringLiteral(" · ")), Token::warning};
  }
  if (row.state == ScanState::done) return {queue_words("no warnings"), {}, Token::text_second};
  return {memory, disk, Token::text_second};
}

std::vector<FoundValue> found_values_of(const tl::ScanRow& row) {
  std::vector<FoundValue> values;
  for (const auto& [column, number] : row.found) {
    if (column.ends_with(" verdict") || column.find(" sigma") != std::string::npos) continue;
    const std::size_t bracket = column.find(" [");
    const std::string name = column.substr(0, bracket);
    const std::string unit = bracket == std::string::npos ? std::string() : column.substr(bracket);
    const auto sigma = row.found.find(name + " sigma" + unit);
    const auto verdict = row.found.find(name + " verdict");
    FoundValue value{text_of(name), {}, {}};
    const double spread = sigma == row.found.end() ? 0 : std::strtod(sigma->second.c_str(), nullptr);
    value.text = text_of(measured_text(std::strtod(number.c_str(), nullptr), spread));
    if (unit.size() > 3) value.text += QLatin1Char(' ') + text_of(unit.substr(2, unit.size() - 3));
    if (verdict != row.found.end()) {
      const bool is_resolved = verdict->second == to_string(Verdict::resolved);
      value.verdict =
          is_resolved ? queue_words("✓ resolved") : queue_words("▲ not resolved: %1").arg(translated(verdict->second));
      value.color = is_resolved ? Token::good : Token::warning;
    }
    values.push_back(std::move(value));
  }
  return values;
}

RowText found_value_text(const tl::ScanRow& row) {
  const std::vector<FoundValue> values = found_values_of(row);
  if (values.empty()) {
    if (row.state == ScanState::done || row.state == ScanState::failed) return {};
    return {queue_words("not yet"), {}, Token::text_second};
  }
  const auto axis = std::find_if(values.begin(), values.end(), [](const FoundValue& v) {
    return v.name.endsWith(QStringLiteral(".axis")) && !v.verdict.isEmpty();
  });
  const auto judged =
      std::find_if(values.begin(), values.end(), [](const FoundValue& v) { return !v.verdict.isEmpty(); });
  const FoundValue& shown = axis != values.end() ? *axis : judged != values.end() ? *judged : values.front();
  // In the column Axis, the name of any other value is shown.
  const bool is_axis = shown.name.endsWith(QStringLiteral(".axis"));
  return {typeset(is_axis ? shown.text : shown.name + QLatin1Char(' ') + shown.text), shown.verdict, Token::text,
          shown.color};
}

}  // namespace tl::ui
