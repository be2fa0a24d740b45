// Records notifications of a live engine, so that tests can wait for them; and small pipelines for these tests.
#pragma once

#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "core/live/engine.h"
#include "core/live/learning_news.h"
#include "core/run/executor.h"
#include "tests/support/patience.h"
#include "tests/support/phantom_source.h"

namespace tl::test {

using live::PictureRequest;
using live::State;

// The engine's reports, for a test to wait for.
class Record final : public live::Listener {
 public:
  void notify(live::Notification notification) override {
    if (on_picture && std::holds_alternative<live::PictureReady>(notification)) on_picture();
    if (const auto* metric = std::get_if<live::Metric>(&notification); metric != nullptr && on_metric)
      on_metric(*metric);
    if (const auto* news = std::get_if<std::shared_ptr<const live::LearningNews>>(&notification))
      if (const auto* p = std::get_if<learn::Progress>(&(*news)->what); p != nullptr && on_learning) on_learning(*p);
    {
      const std::lock_guard lock(mutex_);
      std::visit([this](auto& n) { add(std::move(n)); }, notification);
    }
    changed_.notify_all();
  }

  bool wait(const std::function<bool()>& done) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(patience_ms), done);
  }
  template <class F>
  auto look(F f) {
    const std::lock_guard lock(mutex_);
    return f();
  }
  // The final image for this ticket.
  std::optional<live::Picture> sharp(const std::string& view, uint64_t ticket) {
    std::optional<live::Picture> found;
    wait([&] {
      for (const live::Picture& p : pictures[view])
        if (p.request.ticket == ticket && (p.final || p.error)) found = p;
      return found.has_value();
    });
    return found;
  }
  bool reaches(const std::string& node, State state) {
    return wait([&] { return statuses.count(node) != 0 && statuses[node].state == state; });
  }

  std::map<std::string, live::NodeStatus> statuses;
  std::map<std::string, std::vector<State>> states;
  std::map<std::string, Infos> known;
  std::map<std::string, std::vector<live::Picture>> pictures;
  std::map<std::string, std::shared_ptr<const live::Image>> thumbnails;
  std::vector<live::PlainValue> values;
  std::vector<live::RunEnd> ends;
  std::vector<live::RunProgress> runs;
  std::vector<live::Forecast> forecasts;
  std::vector<ComputedWindow> windows;
  std::vector<live::FollowEnd> followed;
  live::CacheUse cached;
  int checks = 0;
  std::vector<learn::Progress> steps;
  std::vector<live::LearnEnd> learned_ends;
  std::vector<live::LandscapeEnd> landscapes;
  std::vector<live::GradientCheckEnd> gradient_checks;
  std::function<void()> on_picture;                         // on the compute thread
  std::function<void(const live::Metric&)> on_metric;       // the same
  std::function<void(const learn::Progress&)> on_learning;  // the same

 private:
  void add(live::StatusChange n) {
    states[n.node].push_back(n.status.state);
    statuses[n.node] = std::move(n.status);
  }
  void add(live::InfosChange n) {
    known = std::move(n.by_node);
    ++checks;
  }
  void add(live::PictureReady n) { pictures[n.view].push_back(std::move(n.picture)); }
  void add(live::ThumbnailReady n) { thumbnails[n.node] = std::move(n.image); }
  void add(live::PlainValue n) { values.push_back(std::move(n)); }
  void add(live::RunEnd n) { ends.push_back(std::move(n)); }
  void add(live::RunProgress n) { runs.push_back(std::move(n)); }
  void add(const std::shared_ptr<const live::LearningNews>& news) {
    std::visit([this](const auto& n) { add(n); }, news->what);
  }
  void add(learn::Progress n) { steps.push_back(std::move(n)); }
  void add(live::LearnEnd n) { learned_ends.push_back(std::move(n)); }
  void add(live::LandscapeEnd n) { landscapes.push_back(std::move(n)); }
  void add(live::GradientCheckEnd n) { gradient_checks.push_back(std::move(n)); }
  void add(live::FollowEnd n) { followed.push_back(std::move(n)); }
  void add(live::WindowShown n) { windows.push_back(std::move(n.window)); }
  void add(live::CacheUse n) { cached = std::move(n); }
  void add(live::Forecast n) { forecasts.push_back(std::move(n)); }
  template <class T>
  void add(T /*not recorded*/) {}

  std::mutex mutex_;
  std::condition_variable changed_;
};

inline Graph scan_graph() {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, {}};
  g.nodes["geometry"] = {"geometry.set", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "geometry", "projections"}, {"geometry", "projections", "fbp", "projections"}};
  return g;
}

inline Graph save_graph(const QTemporaryDir& folder, int64_t cols = 48) {
  Graph g = scan_graph();
  g.nodes["scan"].params["cols"] = cols;
  g.nodes["save"] = {"output.save_volume",
                     1,
                     {{"file", folder.filePath("v.tif").toStdString()}, {"format", std::string("imagej_tiff")}}};
  g.links.push_back({"fbp", "volume", "save", "volume"});
  return g;
}

inline live::EngineOptions options() {
  live::EngineOptions o;
  o.memory = int64_t{1} << 30;
  o.switches.thumbnails = false;
  return o;
}

inline RunOptions direct() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

inline PictureRequest slice_of(const std::string& node, const Region& region, uint64_t ticket, int64_t coarse = 4) {
  PictureRequest r;
  r.node = node;
  r.port = "volume";
  r.region = region;
  r.coarse = coarse;
  r.ticket = ticket;
  return r;
}

inline VolumeGrid grid_of(const Graph& g) {
  Executor e(test::registry(), direct());
  return std::get<VolumeInfo>(e.check(g).or_throw().at("fbp").at("volume")).grid;
}

inline at::Tensor tensor(const live::Picture& p) {
  return at::tensor(p.image->pixels).view({p.slices, p.image->rows / p.slices, p.image->cols});
}

}  // namespace tl::test
