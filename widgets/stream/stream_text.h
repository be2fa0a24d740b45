// Stream text: a stream's state, counts, gaps and alarms as text.
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/session/stream_session.h"

namespace tl::ui {

QString stream_state_text(const StreamSession& session);  // "Receiving · 33.2 frames a second"
QString stream_tone(const StreamSession& session);        // of a label: "good", "warning", "second"
QString frames_text(const stream::IntakeCounts& counts);  // "1204 views, 10 flats, 10 darks"
// "12 of 1204: 33, 57–60, …", the newest ranges first; "none".
QString gaps_text(const stream::StreamStatus& status);
// What else came wrong: "2 twice · 1 broken"; empty: nothing.
QString faults_text(const stream::StreamStatus& status);
// What is wrong now, the worst first.
QStringList alarm_texts(const StreamSession& session);
QString windows_text(const StreamSession& session);   // "12 shown, 3 passed over · 180 ms old (95 %: 240 ms)"
QString followed_text(const StreamSession& session);  // "axis −23.24 ± 0.04 px, resolved"; empty: nothing is followed
QString record_text(const StreamSession& session);    // "r.nx · 1204 frames", a line per scan; empty: none
QString scan_text(const StreamSession& session);      // "2: new darks"; empty: the first
QString planes_text(const StreamSession& session);    // "24 sent, 3.2 a second"; empty: there are no links

// Above this share of lost frames in the last window the images say so.
inline constexpr double notable_loss = 0.1;

}  // namespace tl::ui
