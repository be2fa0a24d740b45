// SweepView: the same slice for nine values of one parameter, or three values of each of two, with scores; a click
// chooses one.
#pragma once

#include <QImage>
#include <QWidget>
#include <array>
#include <memory>
#include <optional>

#include "widgets/session/live_session.h"

namespace tl::ui {

// The swept parameter: a number, or, if `param` is empty, the rotation axis that the node sets or finds.
struct SweepTarget {
  std::string node, param;
  Unit unit = Unit::px;
  [[nodiscard]] bool is_axis() const { return param.empty(); }
};
// The pipeline up to the node's own volume or one downstream, copied once per value; the copies share all nodes before
// the swept one. Candidate i is output `port` of node ids[i]. Errors: no volume downstream, no node sets the axis, a
// value out of range.
struct SweepGraph {
  Graph graph;
  std::vector<std::string> ids;
  std::string port;
};
Result<SweepGraph> sweep_graph(const Graph& graph, const Registry& registry, const SweepTarget& target,
                               const std::vector<double>& values);
// Like above for several parameters: a point has a value of each.
struct SweepSetting {
  SweepTarget target;
  double value = 0;
};
using SweepPoint = std::vector<SweepSetting>;
Result<SweepGraph> sweep_graph(const Graph& graph, const Registry& registry, const std::vector<SweepPoint>& points);

// Values about a centre.
struct SweepRange {
  SweepTarget target;
  double centre = 0, step = 1;
};

// GUI thread only. Computes in its own session: pipeline and cache of the document stay unaffected.
class SweepView final : public QWidget {
  Q_OBJECT
 public:
  static constexpr int tiles = 9;
  explicit SweepView(LiveSession& session, QWidget* parent = nullptr);
  ~SweepView() override;

  // Values centre - 4 step ... centre + 4 step, in the target's unit.
  void sweep(const SweepTarget& target, double centre, double step);
  // Columns are three values of the first parameter, rows three of the second: centre - step, centre, centre + step.
  void sweep(const SweepRange& across, const SweepRange& down);
  void stop();
  [[nodiscard]] double value(int tile) const;                  // of the first parameter
  [[nodiscard]] std::optional<double> second(int tile) const;  // of the second one
  [[nodiscard]] std::optional<double> score(int tile) const;   // nullopt while not computed
  [[nodiscard]] int best() const;                              // index of the lowest score; -1: incomplete, or none
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] QSize sizeHint() const override { return {720, 420}; }

 Q_SIGNALS:
  void chosen(double value);  // of the first parameter
  void tile_chosen(int tile);
  void scores_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Tile {
    QImage picture;
    std::optional<double> score;
    double edges = 0;
  };
  void begin();
  [[nodiscard]] QString words_of(int tile) const;
  void take(const QString& view, const live::Picture& picture);
  [[nodiscard]] QRect tile_rect(int tile) const;
  void paint_tile(QPainter& painter, int tile) const;
  void choose(int tile);
  LiveSession& session_;
  std::unique_ptr<Document> document_;
  std::unique_ptr<LiveSession> own_;
  SweepTarget target_;
  double centre_ = 0, step_ = 1;
  std::optional<SweepRange> down_;
  std::array<Tile, tiles> tiles_;
  int current_ = tiles / 2;
  QString problem_;
};

}  // namespace tl::ui
