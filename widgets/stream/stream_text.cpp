// Writes the texts of a stream's dock.
#include "widgets/stream/stream_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <utility>
#include <vector>

#include "widgets/text/amounts.h"
#include "widgets/text/found_text.h"

namespace tl::ui {
namespace {

constexpr double percent = 100;

QString words(const char* text) { return QCoreApplication::translate("StreamText", text); }

// The newest ranges of consecutive numbers first.
QStringList newest_ranges(const std::vector<int64_t>& numbers, qsizetype most) {
  QStringList ranges;
  for (std::size_t end = numbers.size(); end > 0 && ranges.size() < most;) {
    std::size_t begin = end - 1;
    while (begin > 0 && numbers[begin - 1] + 1 == numbers[begin]) --begin;
    ranges << (begin + 1 == end ? QString::number(numbers[begin])
                                : QStringLiteral("%1–%2").arg(numbers[begin]).arg(numbers[end - 1]));
    end = begin;
  }
  return ranges;
}

}  // namespace

QString stream_state_text(const StreamSession& session) {
  switch (session.state()) {
    case StreamState::closed:
      return session.is_ending() ? words("Closing: the last frames are written") : words("Not connected");
    case StreamState::waiting:
      return session.choice().end == stream::SocketEnd::binds ? words("Waiting for a sender")
                                                              : words("Connected, waiting for frames");
    case StreamState::silent: return words("No frame for %1").arg(duration_text(session.status().age));
    case StreamState::ended: return words("The sender is done");
    case StreamState::receiving: break;
  }
  const auto& period = session.status().period;
  if (!period || *period <= 0) return words("Receiving");
  return words("Receiving · %1 frames a second").arg(1 / *period, 0, 'f', 1);
}

QString stream_tone(const StreamSession& session) {
  switch (session.state()) {
    case StreamState::receiving: return QStringLiteral("good");
    case StreamState::silent: return QStringLiteral("error");
    default: return QStringLiteral("second");
  }
}

QString frames_text(const stream::IntakeCounts& counts) {
  return words("%1 views, %2 flats, %3 darks").arg(counts.views).arg(counts.flats).arg(counts.darks);
}

QString gaps_text(const stream::StreamStatus& status) {
  if (status.missing.empty()) return words("none");
  constexpr qsizetype most = 4;
  QStringList ranges = newest_ranges(status.missing, most + 1);
  if (ranges.size() > most) ranges.back() = QStringLiteral("…");
  const auto lost = static_cast<qint64>(status.missing.size());
  return words("%1 of %2: %3").arg(lost).arg(status.counts.taken() + lost).arg(ranges.join(QStringLiteral(", ")));
}

QString faults_text(const stream::StreamStatus& status) {
  QStringList parts;
  const auto add = [&parts](int64_t count, const char* text) {
    if (count > 0) parts << words(text).arg(count);
  };
  add(status.counts.duplicates, "%1 twice");
  add(status.counts.late, "%1 late");
  add(status.received.broken, "%1 broken");
  add(status.counts.refused, "%1 left out");
  add(status.counts.no_beam, "%1 without beam");
  add(status.bad_lines, "%1 bad lines of the log");
  return parts.join(QStringLiteral(" · "));
}

QStringList alarm_texts(const StreamSession& session) {
  QStringList alarms;
  if (!session.failure().isEmpty()) alarms << session.failure();
  if (!session.is_open()) return alarms;
  const stream::StreamStatus& status = session.status();
  if (session.state() == StreamState::silent)
    alarms << words("The camera has stopped: no frame for %1. Receiving resumes when frames arrive again.")
                  .arg(duration_text(status.age));
  if (status.dark) alarms << words("There is no beam. Take new flats when it is back.");
  if (!session.disk_alarm().isEmpty()) alarms << session.disk_alarm();
  if (status.lost_share > notable_loss)
    alarms << words("%1 % of the last frames are lost.").arg(percent * status.lost_share, 0, 'f', 0);
  return alarms;
}

QString windows_text(const StreamSession& session) {
  if (!session.obstacle().isEmpty()) return session.obstacle();
  const stream::StreamStatus& status = session.status();
  if (status.waits_for_flats) return words("waiting for flats");
  if (status.windows == 0) return words("after %1 views").arg(session.windows().length);
  QString text = words("%1").arg(status.windows + status.skipped_windows);
  if (const qint64 skipped = session.skipped_windows(); skipped > 0)
    text += words(", of them %1 passed over").arg(skipped);
  if (const auto latency = session.latency())
    text += words(" · shown after %1 (95 %: %2)").arg(duration_text(latency->median), duration_text(latency->most));
  return text;
}

QString followed_text(const StreamSession& session) {
  if (!session.follows()) return {};
  if (!session.followed()) return words("waiting for a window");
  QStringList values;
  for (const learn::Found& found : session.followed()->found)
    values << QStringLiteral("%1 %2, %3")
                  .arg(QString::fromStdString(found.name), found_text(found), trust_word(found.trust));
  return values.join(QLatin1Char('\n'));
}

QString record_text(const StreamSession& session) {
  if (!session.is_recording() && !session.is_ending()) return {};
  if (session.records().isEmpty()) return {};
  QStringList lines;
  for (const QString& record : session.records()) lines << QFileInfo(record).fileName();
  QString& last = lines.back();
  if (session.is_ending()) {
    last = words("%1 · the last frames are written").arg(last);
  } else if (const QString trigger = session.awaited_trigger(); !trigger.isEmpty()) {
    last = words("%1 · waits for %2").arg(last, trigger);
  } else {
    last = words("%1 · %2 frames").arg(last).arg(session.recorded_frames());
  }
  return lines.join(QLatin1Char('\n'));
}

QString scan_text(const StreamSession& session) {
  if (session.scan_reason().isEmpty()) return {};
  return words("%1: %2").arg(session.status().scan).arg(session.scan_reason());
}

QString planes_text(const StreamSession& session) {
  const stream::PlaneLinks* links = session.links();
  if (links == nullptr) return {};
  QStringList parts;
  if (const auto sent = links->sent()) {
    parts << words("%1 sent").arg(sent->planes);
    if (sent->planes_per_second) parts.back() += words(", %1 a second").arg(*sent->planes_per_second, 0, 'f', 1);
  }
  if (const auto plugin = links->plugin())
    parts << words("plug-in: %1 sent, %2 back, %3 passed over")
                 .arg(plugin->sent)
                 .arg(plugin->returned)
                 .arg(plugin->skipped);
  return parts.join(QLatin1Char('\n'));
}

}  // namespace tl::ui
