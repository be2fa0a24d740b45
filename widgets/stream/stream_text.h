// Stream text: a stream's state, counts, gaps and alarms as text.
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/session/stream_session.h"

namespace tl::ui {

QString stream_state_text(const StreamSession& session);  // "Receiving · 33.2 frames a second"
QString stream_tone(const StreamSession& session);        // tone of a label: "good", "warning", "second"
QString frames_text(const stream::IntakeCounts& counts);  // "1204 views, 10 flats, 10 darks"
// "12 of 1204: 33, 57–60, …", the newest ranges first; "none".
QString gaps_text(const stream::StreamStatus& status);
// Other errors of received frames: "2 twice · 1 broken"; empty: none.
QString faults_text(const stream::StreamStatus& status);
// Present problems, the most severe first.
QStringList alarm_texts(const StreamSession& session);
QString windows_text(const StreamSession& session);   // "12 shown, 3 passed over · 180 ms old (95 %: 240 ms)"
QString followed_text(const StreamSession& session);  // "axis −23.24 ± 0.04 px, resolved"; empty: nothing is followed
QString record_text(const StreamSession& session);    // "r.nx · 1204 frames", a line per scan; empty: none
QString scan_text(const StreamSession& session);      // "2: new darks"; empty: the first
QString planes_text(const StreamSession& session);    // "24 sent, 3.2 a second"; empty: there are no links

// If a larger fraction of the frames of the last window was lost, the images show it.
inline constexpr double notable_loss = 0.1;

}  // namespace tl::ui
