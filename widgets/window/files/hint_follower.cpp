// HintFollower: one step of undo with a message per node, while the pipeline is as it was chosen.
#include "widgets/window/files/hint_follower.h"

#include "core/run/automatic/automatic.h"
#include "widgets/canvas/making_room.h"
#include "widgets/canvas/placing.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {

HintFollower::HintFollower(LiveSession& session, MessageModel& messages, QObject* parent)
    : QObject(parent), session_(session), messages_(messages) {
  connect(&session.document(), &Document::was_reset, this, [this] { waits_ = false; });
  connect(&session, &LiveSession::hints_changed, this, &HintFollower::follow);
}

void HintFollower::wait_for_hints() { waits_ = true; }

// The pipeline is shown at once; the hints arrive when the first images are on screen. Then nodes are added that the
// automatic pipeline would contain if the pixels had been read first. After the user has changed or saved the pipeline,
// nothing is added automatically: it would change during editing. The hint bar then offers the node, as after undo.
void HintFollower::follow() {
  Document& document = session_.document();
  if (!std::exchange(waits_, false) || document.undo_stack().count() > 0 || !document.path().isEmpty()) return;
  Graph graph = document.graph();
  Layout layout = placed_layout(graph, document.registry());
  const std::vector<FollowedHint> followed = follow_hints(graph, document.registry(), session_.hints());
  if (followed.empty()) return;
  for (const FollowedHint& f : followed) make_room(layout, graph, document.registry(), f.node);
  graph.ui = layout.text();
  graph.ui = placed_layout(graph, document.registry()).text();
  document.edit(tr("Follow hints"), [&](Graph& g) { g = graph; });
  // It contains no work of the user: closing it does not ask about saving.
  document.undo_stack().setClean();
  for (const FollowedHint& f : followed) {
    const NodeType* type = document.registry().find(f.hint.node);
    messages_.add(
        LogLevel::info, QString::fromStdString(f.node),
        tr("%1. Therefore %2 was added; undo removes it.").arg(window_text(f.hint.evidence), translated(type->title)));
  }
}

}  // namespace tl::ui
