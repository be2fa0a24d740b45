// FakePictures: a source of images for tests of panes: it records the requests and answers from a function of space.
#pragma once

#include <cmath>
#include <deque>
#include <map>
#include <vector>

#include "widgets/views/pictures/picture_source.h"

namespace tl::test {

// Simulated scan -> flat field -> FBP; the volume is 6 x 8 x 10 voxels of 0.5 mm unless set to other values.
class FakePictures final : public ui::PictureSource {
 public:
  FakePictures() {
    graph_.nodes["scan"] = GraphNode{"input.simulate_scan", 1, {}};
    graph_.nodes["flat"] = GraphNode{"correct.flat_field", 1, {}};
    graph_.nodes["fbp"] = GraphNode{"recon.fbp", 1, {}};
    graph_.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "fbp", "projections"}};
    set_grid(VolumeGrid::cubic(6, 8, 10, 0.5));
    ProjectionsInfo scan;
    scan.geometry = ScanGeometry::parallel(equidistant_angles(12, pi), {6, 10, 0.5, 0.5}).value();
    infos["flat.projections"] = scan;
    scan.flats = 3;
    scan.darks = 2;
    infos["scan.projections"] = scan;
  }
  void set_grid(const VolumeGrid& grid) { infos["fbp.volume"] = VolumeInfo{grid, Unit::per_mm}; }
  [[nodiscard]] VolumeGrid grid() const { return std::get<VolumeInfo>(infos.at("fbp.volume")).grid; }

  [[nodiscard]] const Graph& graph() const override { return graph_; }
  [[nodiscard]] const Registry& registry() const override { return Registry::all(); }
  [[nodiscard]] const Info* info(const ui::Output& output) const override {
    const auto found = infos.find(output.key().toStdString());
    return found == infos.end() ? nullptr : &found->second;
  }
  [[nodiscard]] live::NodeStatus status(const QString&) const override { return node_status; }
  void edit_ui(const QString& step, const std::function<void(std::string& ui)>& change) override {
    change(graph_.ui);
    steps.push_back(step);
    Q_EMIT ui_changed();
  }
  void edit_graph(const QString& name, const std::function<void(Graph&)>& change, const ui::MergeKey&) override {
    steps.push_back(name);
    step(name, change);
  }
  void ask(const QString& node, const QString& port, live::Effort effort) override {
    const auto found = values.find((node + QLatin1Char('.') + port).toStdString());
    live::PlainValue answer_to;
    answer_to.node = node.toStdString();
    answer_to.port = port.toStdString();
    if (found != values.end() && (effort == live::Effort::compute || values_are_cached)) {
      answer_to.columns = found->second;
      answer_to.known = true;
    }
    Q_EMIT value_ready(answer_to);
  }
  // A change of the graph as one undoable step.
  void step(const QString& name, const std::function<void(Graph&)>& change) {
    earlier_.emplace_front(name, graph_);
    change(graph_);
    ++number_;
    Q_EMIT graph_changed();
  }
  [[nodiscard]] uint64_t graph_number() const override { return number_; }
  [[nodiscard]] std::vector<ui::EarlierGraph> earlier_graphs() const override {
    std::vector<ui::EarlierGraph> all;
    for (const auto& [name, graph] : earlier_) all.push_back({name, &graph});
    return all;
  }
  void request(const QString& view, const live::PictureRequest& request) override {
    asked[view].push_back(request);
    if (answers) Q_EMIT picture_ready(view, answer(request));
  }
  void forget(const QString& view) override { forgotten.push_back(view); }

  [[nodiscard]] live::Picture answer(const live::PictureRequest& request, int64_t level = 1) const {
    live::Picture picture;
    picture.request = request;
    picture.graph = number_;
    picture.level = level;
    picture.region = request.region;
    picture.final = level == 1;
    picture.seconds = 0.031;
    if (const auto* grid = std::get_if<VolumeGrid>(&request.region)) {
      picture.unit = "1/mm";
      const VolumeGrid g = coarser(*grid, level);
      const bool is_box = g.nz > 1 && g.ny > 1 && g.nx > 1;
      picture.image = is_box ? box(g) : slice(g);
      picture.slices = is_box ? g.nz : 1;
    } else {
      picture.image = frame(std::get<ScanRegion>(request.region));
    }
    return picture;
  }

  Graph graph_;
  std::map<std::string, Info> infos;
  std::map<QString, std::vector<live::PictureRequest>> asked;
  std::vector<QString> forgotten, steps;
  std::map<std::string, std::vector<live::PlainColumn>> values;  // "table.regions"
  bool values_are_cached = true;
  live::NodeStatus node_status;
  bool answers = true;
  // mm -> value
  std::function<float(Vec3)> value = [](Vec3 p) { return static_cast<float>(p.x + 10 * p.y + 100 * p.z); };

 private:
  std::deque<std::pair<QString, Graph>> earlier_;  // newest first
  uint64_t number_ = 0;

  // The region with fewer points.
  [[nodiscard]] static VolumeGrid coarser(VolumeGrid g, int64_t level) {
    const auto reduce = [level](int64_t& n, Vec3& step) {
      const int64_t fewer = (n + level - 1) / level;
      step = (static_cast<double>(n) / static_cast<double>(fewer)) * step;
      n = fewer;
    };
    reduce(g.nz, g.step_z);
    reduce(g.ny, g.step_y);
    reduce(g.nx, g.step_x);
    return g;
  }
  // Top row first: the largest y, or z if the plane is upright.
  [[nodiscard]] std::shared_ptr<const live::Image> slice(const VolumeGrid& g) const {
    live::Image image;
    const bool flat = g.nz == 1;
    image.rows = flat ? g.ny : g.nz;
    image.cols = g.nx == 1 ? (flat ? 1 : g.ny) : g.nx;
    for (int64_t r = image.rows - 1; r >= 0; --r)
      for (int64_t c = 0; c < image.cols; ++c) {
        const auto row = static_cast<double>(r), col = static_cast<double>(c);
        image.pixels.push_back(value(flat        ? g.position(0, row, col)
                                     : g.ny == 1 ? g.position(row, 0, col)
                                                 : g.position(row, col, 0)));
      }
    return std::make_shared<const live::Image>(std::move(image));
  }
  // The lowest slice first.
  [[nodiscard]] std::shared_ptr<const live::Image> box(const VolumeGrid& g) const {
    live::Image image{g.nz * g.ny, g.nx, {}};
    for (int64_t k = 0; k < g.nz; ++k) {
      const auto one = slice(g.slab({k, k + 1}));
      image.pixels.insert(image.pixels.end(), one->pixels.begin(), one->pixels.end());
    }
    return std::make_shared<const live::Image>(std::move(image));
  }
  [[nodiscard]] static std::shared_ptr<const live::Image> frame(const ScanRegion& region) {
    live::Image image;
    const bool sinogram = region.views.size() > 1;
    image.rows = sinogram ? region.views.size() : region.rows.size();
    image.cols = region.cols.size();
    for (int64_t r = 0; r < image.rows; ++r)
      for (int64_t c = 0; c < image.cols; ++c) {
        const int64_t view = sinogram ? region.views.begin + r : region.views.begin;
        const int64_t row = sinogram ? region.rows.begin : region.rows.begin + r;
        image.pixels.push_back(static_cast<float>(10000 * view + 100 * row + c));
      }
    return std::make_shared<const live::Image>(std::move(image));
  }
};

}  // namespace tl::test
