// Labelled: the images of a scan with segmentation after it, whose nodes name classes as the engine would report
// them.
#pragma once

#include <string>

#include "core/values/label_table_text.h"
#include "tests/support/gui/fake_pictures.h"
#include "widgets/views/state/view_state.h"

namespace tl::test {

inline const ui::Output shown_volume{QStringLiteral("fbp"), QStringLiteral("volume")};

// A threshold after the reconstruction of FakePictures, and a table of its objects. Labels: 1 where x > 0, else 0.
struct Labelled {
  Labelled() : state(source) {
    Graph& g = source.graph_;
    g.nodes["threshold"] = {"segment.threshold", 1, {}};
    g.nodes["cleaned"] = {"segment.remove_small", 1, {}};
    g.nodes["objects"] = {"segment.components", 1, {}};
    g.nodes["table"] = {"measure.regions", 1, {}};
    for (const Link& link :
         {Link{"fbp", "volume", "threshold", "volume"}, Link{"threshold", "labels", "cleaned", "labels"},
          Link{"cleaned", "labels", "objects", "labels"}, Link{"objects", "labels", "table", "labels"}})
      g.links.push_back(link);
    QObject::connect(&source, &ui::PictureSource::graph_changed, &source, [this] { follow_names(); });
    follow_names();
    source.value = [](Vec3 p) { return p.x > 0 ? 1.0F : 0.0F; };
  }
  // Sets the infos that the engine would report.
  void follow_names() {
    const auto& params = source.graph_.nodes.at("threshold").params;
    const auto text = params.find("class_names");
    const LabelTable table =
        text == params.end() ? LabelTable{} : label_table_from_text(std::get<std::string>(text->second)).or_throw();
    for (const char* key : {"threshold.labels", "cleaned.labels"})
      source.infos[key] = LabelsInfo{source.grid(), {table.classes, {}}};
    source.infos["objects.labels"] = LabelsInfo{source.grid(), {}};
    Q_EMIT source.infos_changed();
  }
  [[nodiscard]] std::string names() const {
    const auto& params = source.graph_.nodes.at("threshold").params;
    const auto text = params.find("class_names");
    return text == params.end() ? "" : std::get<std::string>(text->second);
  }
  FakePictures source;
  ui::ViewState state;
};

}  // namespace tl::test
