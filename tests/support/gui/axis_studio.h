// AxisStudio: a studio with a scan of discs and a pipeline in which a node sets or finds the rotation axis.
#pragma once

#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/special_tools.h"

namespace tl::test {

// Scan -> flat field -> crop -> geometry or axis finder -> FBP.
inline Graph axis_pipeline(const QString& file, const char* axis_node) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", file.toStdString()}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["crop"] = {"correct.crop_bin", 1, {}};
  g.nodes["axis"] = {axis_node, 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "crop", "projections"},
             {"crop", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  return g;
}

struct AxisStudio : Studio {
  explicit AxisStudio(const char* axis_node = "geometry.set") : axis(axis_node) {}
  bool begin() {
    const QString scan = folder.filePath("scan.nx");
    write_disc_scan(scan.toStdString(), discs);
    document.reset(axis_pipeline(scan, axis));
    if (!open()) return false;
    window.show_main_page();
    return true;
  }
  ui::SpecialTools& tools() { return *window.inspector().findChild<ui::SpecialTools*>(); }
  bool keep() { return document.save(folder.filePath("kept.json")).ok(); }
  const char* axis;
  DiscScan discs;
};

}  // namespace tl::test
