// Which nodes the reference shows an image of.
#include "core/run/automatic/node_picture.h"

#include <string>

#include "core/node/registry.h"
#include "tests/support/test_case.h"

namespace tl::node_picture_test {

class NodePictureTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A score shows nothing of what it compares; a correction that also outputs its loss is not a score.
  void scores_have_none() {
    int scores = 0;
    for (const NodeType& type : Registry::all().types())
      if (type.id.starts_with("objective.")) {
        ++scores;
        QVERIFY2(!has_picture(type), type.id.c_str());
      }
    QVERIFY(scores > 10);
    for (const char* id : {"correct.spectral", "recon.fbp", "segment.soft_otsu"})
      QVERIFY2(has_picture(*Registry::all().find(id)), id);
    QVERIFY(!has_picture(*Registry::all().find("output.save_volume")));
  }
};

TL_TEST_CASE(NodePictureTest)

}  // namespace tl::node_picture_test

#include "node_picture.moc"
