// EarlierPictures: pictures by the graph that they show, for the graphs that undo leads back to.
#include "widgets/views/earlier_pictures.h"

#include <algorithm>

namespace tl::ui {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::size_t always_kept = 2;  // however large

std::size_t bytes_of(const live::Picture& picture) { return picture.image->pixels.size() * sizeof(float); }

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
  });
}

// Called before or after the live pane has taken the picture.
void EarlierPictures::take(const QString& view, const live::Picture& picture) {
  const SlicePane* live = live_();
  if (live == nullptr || view != live->view() || !picture.image || picture.graph != source_.graph_number()) return;
  const bool learned = picture.values == live::PictureValues::learned;
  if (!learned && picture.final && picture.request.node == live->output().node.toStdString()) keep(picture, *live);
  if (std::exchange(shows_learned_, learned) != learned) choose();
}

void EarlierPictures::keep(const live::Picture& picture, const SlicePane& live) {
  const VolumeGrid* grid = live.grid();
  if (grid == nullptr) return;
  const Graph& graph = source_.graph();
  std::erase_if(kept_,
                [&](const Kept& k) { return k.is_of(graph) && same_output(k.what.picture.request, picture.request); });
  kept_.push_front({graph.nodes, graph.links, {picture, live.orientation(), *grid, {}}});
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    bytes += bytes_of(kept_[i].what.picture);
    if (i < always_kept || bytes <= most_bytes) continue;
    kept_.resize(i);
    return;
  }
}

void EarlierPictures::drop_unreachable() {
  const std::vector<EarlierGraph> earlier = source_.earlier_graphs();
  std::erase_if(kept_, [&](const Kept& k) {
    return !k.is_of(source_.graph()) &&
           std::none_of(earlier.begin(), earlier.end(), [&](const EarlierGraph& e) { return k.is_of(*e.graph); });
  });
}

// The same output if it is known, else the one that was looked at last.
const EarlierPicture* EarlierPictures::find(const Graph& graph) const {
  const SlicePane* live = live_();
  const Output now = live == nullptr ? Output{} : live->output();
  const EarlierPicture* found = nullptr;
  for (const Kept& k : kept_) {
    if (!k.is_of(graph)) continue;
    const live::PictureRequest& request = k.what.picture.request;
    if (request.node == now.node.toStdString() && request.port == now.port.toStdString()) return &k.what;
    if (found == nullptr) found = &k.what;
  }
  return found;
}

void EarlierPictures::choose() {
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
  Q_EMIT changed();
}

}  // namespace tl::ui
