// SessionSource: supplies images of a live session, and forwards its signals.
#include "widgets/views/session_source.h"

namespace tl::ui {

SessionSource::SessionSource(LiveSession& session, QObject* parent) : PictureSource(parent), session_(session) {
  connect(&session, &LiveSession::picture_ready, this, &PictureSource::picture_ready);
  connect(&session, &LiveSession::value_ready, this, &PictureSource::value_ready);
  connect(&session, &LiveSession::infos_changed, this, &PictureSource::infos_changed);
  connect(&session, &LiveSession::status_changed, this, &PictureSource::status_changed);
  connect(&session.document(), &Document::graph_changed, this, &PictureSource::graph_changed);
  connect(&session.document(), &Document::layout_changed, this, &PictureSource::ui_changed);
}

}  // namespace tl::ui
