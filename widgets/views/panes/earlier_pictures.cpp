// EarlierPictures: stores images by their graph, for the graphs that undo can restore.
#include "widgets/views/panes/earlier_pictures.h"

#include <algorithm>

#include "core/live/notification.h"

namespace tl::ui {
namespace {

constexpr std::size_t max_bytes = std::size_t{256} << 20;
constexpr std::size_t always_kept = 2;  // however large

std::size_t picture_bytes(const EarlierPicture& earlier) {
  const std::size_t labels = earlier.labels ? earlier.labels->image->pixels.size() : 0;
  return (earlier.picture.image->pixels.size() + labels) * sizeof(float);
}

bool same_output(const live::PictureRequest& a, const live::PictureRequest& b) {
  return a.node == b.node && a.port == b.port;
}

}  // namespace

EarlierPictures::EarlierPictures(PictureSource& source, std::function<const SlicePane*()> live, QObject* parent)
    : QObject(parent), source_(source), live_(std::move(live)) {
  connect(&source_, &PictureSource::picture_ready, this, &EarlierPictures::take);
  connect(&source_, &PictureSource::graph_changed, this, [this] {
    shows_learned_ = false;
    drop_unreachable();
    choose();
    Q_EMIT changed();
  });
}

// Called before or after the live pane has received the image.
void EarlierPictures::take(const QString& view, const live::Picture& picture) {
  const SlicePane* live = live_();
  if (live == nullptr || !picture.image || picture.graph != source_.graph_number()) return;
  if (view == live->labels_view()) {
    if (picture.final) labels_ = picture;
    const auto& below = live->live_picture();
    if (live->is_sharp() && live->is_current() && below->values != live::PictureValues::learned)
      keep_labels(*below, *live);
    return;
  }
  if (view != live->view()) return;
  const bool learned = picture.values == live::PictureValues::learned;
  if (!learned && picture.final && picture.request.node == live->output().node.toStdString()) {
    keep(picture, *live);
    keep_labels(picture, *live);
  }
  if (std::exchange(shows_learned_, learned) == learned) return;
  choose();
  Q_EMIT changed();
}

void EarlierPictures::keep(const live::Picture& picture, const SlicePane& live) {
  const VolumeGrid* grid = live.grid();
  if (grid == nullptr) return;
  const Graph& graph = source_.graph();
  EarlierPicture fresh{picture, live.orientation(), *grid};
  auto mine = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.is_of(graph); });
  if (mine == kept_.end()) {
    kept_.push_front({graph.nodes, graph.links, {}});
  } else {
    std::erase_if(mine->pictures, [&](const EarlierPicture& p) {
      if (!same_output(p.picture.request, picture.request) || p.picture.request.region != picture.request.region)
        return false;
      fresh.labels = p.labels;  // they may have come first
      fresh.label_table = p.label_table;
      return true;
    });
    std::rotate(kept_.begin(), mine, std::next(mine));
  }
  kept_.front().pictures.push_front(std::move(fresh));
  drop_beyond_memory();
}

// Labels become sharp before their slice or after it. A step that changes only labels does not change the slice below:
// it is stored with them.
void EarlierPictures::keep_labels(const live::Picture& below, const SlicePane& live) {
  const Output shown = live.labels_output();
  if (!labels_ || labels_->graph != source_.graph_number() || labels_->request.node != shown.node.toStdString() ||
      below.request.region != labels_->request.region)
    return;
  keep(below, live);
  EarlierPicture& mine = kept_.front().pictures.front();
  mine.labels = labels_;
  const Info* info = source_.info(shown);
  if (const auto* known = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info)) mine.label_table = known->table;
}

// Drops first images viewed earlier in a graph, beginning with old graphs, so that every step keeps an image as long as
// possible; then whole graphs.
void EarlierPictures::drop_beyond_memory() {
  std::size_t bytes = 0;
  for (const Kept& k : kept_)
    for (const EarlierPicture& p : k.pictures) bytes += picture_bytes(p);
  for (auto k = kept_.rbegin(); k != kept_.rend(); ++k)
    while (bytes > max_bytes && k->pictures.size() > 1) {
      bytes -= picture_bytes(k->pictures.back());
      k->pictures.pop_back();
    }
  while (bytes > max_bytes && kept_.size() > always_kept) {
    bytes -= picture_bytes(kept_.back().pictures.front());
    kept_.pop_back();
  }
}

void EarlierPictures::drop_unreachable() {
  const std::vector<EarlierGraph> earlier = source_.earlier_graphs();
  std::erase_if(kept_, [&](const Kept& k) {
    return !k.is_of(source_.graph()) &&
           std::none_of(earlier.begin(), earlier.end(), [&](const EarlierGraph& e) { return k.is_of(*e.graph); });
  });
}

// The slice shown in the live pane if it is stored, else the last viewed one of the same output, else of any
// output.
const EarlierPicture* EarlierPictures::find(const Graph& graph) const {
  const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.is_of(graph); });
  if (kept == kept_.end()) return nullptr;
  const SlicePane* live = live_();
  const auto plane = live == nullptr ? std::nullopt : live->plane();
  const Output now = live == nullptr ? Output{} : live->output();
  const EarlierPicture* same = nullptr;
  for (const EarlierPicture& p : kept->pictures) {
    const live::PictureRequest& request = p.picture.request;
    if (request.node != now.node.toStdString() || request.port != now.port.toStdString()) continue;
    if (plane && request.region == Region(plane->region)) return &p;
    if (same == nullptr) same = &p;
  }
  return same != nullptr ? same : &kept->pictures.front();
}

void EarlierPictures::follow_slice() {
  const auto before = shown_ ? shown_->picture.image : nullptr;
  choose();
  if ((shown_ ? shown_->picture.image : nullptr) != before) Q_EMIT changed();
}

bool EarlierPictures::pin() {
  const SlicePane* live = live_();
  if (live == nullptr || !live->is_sharp() || live->grid() == nullptr) return false;
  const live::Picture& picture = *live->live_picture();
  pinned_ = EarlierPicture{picture, live->orientation(), *live->grid(), tr("window %1").arg(picture.window.index + 1)};
  choose();
  Q_EMIT changed();
  return true;
}

void EarlierPictures::unpin() {
  if (!pinned_) return;
  pinned_.reset();
  choose();
  Q_EMIT changed();
}

void EarlierPictures::choose() {
  if (pinned_) {
    shown_ = pinned_;
    return;
  }
  shown_.reset();
  if (shows_learned_) {
    if (const EarlierPicture* now = find(source_.graph())) shown_ = *now;
  } else {
    for (const EarlierGraph& earlier : source_.earlier_graphs()) {
      const EarlierPicture* known = find(*earlier.graph);
      if (known == nullptr) continue;
      shown_ = *known;
      shown_->step = earlier.step;
      break;
    }
  }
}

}  // namespace tl::ui
