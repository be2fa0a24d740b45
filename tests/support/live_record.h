// What a live engine reports, for tests to wait on, and the small pipelines that they run.
#pragma once

#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "core/live/engine.h"
#include "core/run/executor.h"
#include "tests/support/phantom_source.h"

namespace tl::test {

using live::PictureRequest;
using live::State;

inline constexpr int patience_ms = 60000;  // of a machine that does other things too

// What the engine reported, for a test to wait on.
class Record final : public live::Listener {
 public:
  void status(const std::string& node, const live::NodeStatus& s) override {
    note([&] {
      statuses[node] = s;
      states[node].push_back(s.state);
    });
  }
  void infos(const std::map<std::string, Infos>& by_node) override {
    note([&] {
      known = by_node;
      ++checks;
    });
  }
  void picture(const std::string& view, const live::Picture& p) override {
    if (on_picture) on_picture();
    note([&] { pictures[view].push_back(p); });
  }
  void thumbnail(const std::string& node, const std::shared_ptr<const live::Image>& image) override {
    note([&] { thumbnails[node] = image; });
  }
  void value(const live::PlainValue& v) override {
    note([&] { values.push_back(v); });
  }
  void finished(const live::RunEnd& end) override {
    note([&] { ends.push_back(end); });
  }
  void run(const live::RunState& state) override {
    note([&] { runs.push_back(state); });
  }
  void learning(const learn::Progress& p) override {
    if (on_learning) on_learning(p);
    note([&] { steps.push_back(p); });
  }
  void learned(const live::LearnEnd& end) override {
    note([&] { learned_ends.push_back(end); });
  }
  void landscape(const live::LandscapeEnd& end) override {
    note([&] { landscapes.push_back(end); });
  }
  void gradients_checked(const live::GradientCheckEnd& end) override {
    note([&] { gradient_checks.push_back(end); });
  }
  void cache(const live::CacheUse& use) override {
    note([&] { cached = use; });
  }
  void forecast(const live::Forecast& f) override {
    note([&] { forecasts.push_back(f); });
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
  // The final picture with this ticket.
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
  std::vector<live::RunState> runs;
  std::vector<live::Forecast> forecasts;
  live::CacheUse cached;
  int checks = 0;
  std::vector<learn::Progress> steps;
  std::vector<live::LearnEnd> learned_ends;
  std::vector<live::LandscapeEnd> landscapes;
  std::vector<live::GradientCheckEnd> gradient_checks;
  std::function<void()> on_picture;                         // on the compute thread
  std::function<void(const learn::Progress&)> on_learning;  // the same

 private:
  template <class F>
  void note(F f) {
    {
      const std::lock_guard lock(mutex_);
      f();
    }
    changed_.notify_all();
  }
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
  o.thumbnails = false;
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
