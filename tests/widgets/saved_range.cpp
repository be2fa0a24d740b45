// The range of a volume saved as integers: the inspector says what of the middle slice would be clipped.
#include <QLabel>

#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/clipping_row.h"
#include "widgets/inspector/inspector.h"

namespace tl::ui::saved_range_test {

class SavedRangeTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void clipping_is_shown_while_the_range_is_chosen();
};

void SavedRangeTest::clipping_is_shown_while_the_range_is_chosen() {
  Document document;
  Selection selection;
  LiveSession session{document};
  Inspector inspector{session, selection};
  document.edit("Add", [](Graph& g) {
    g.nodes["scan"] = {"input.simulate_scan",
                       1,
                       {{"views", int64_t{40}}, {"rows", int64_t{3}}, {"cols", int64_t{32}}, {"flats", int64_t{2}}}};
    g.nodes["flat"] = {"correct.flat_field", 1, {}};
    g.nodes["recon"] = {"recon.fbp", 1, {}};
    g.nodes["save"] = {"output.save_volume", 1, {}};
    g.links = {{"scan", "projections", "flat", "projections"},
               {"flat", "projections", "recon", "projections"},
               {"recon", "volume", "save", "volume"}};
  });
  selection.set_one("save");
  inspector.resize(346, 900);
  QVERIFY(test::open_window(inspector));
  auto* row = inspector.findChild<ClippingRow*>();
  const auto* text = row->findChild<QLabel*>();
  QVERIFY(!row->isVisible());  // floats lose nothing

  const auto set = [&](double low, double high) {
    document.edit("Range", [&](Graph& g) {
      g.nodes["save"].params = {
          {"type", std::string("uint16")}, {"low", Number{low, Unit::none}}, {"high", Number{high, Unit::none}}};
    });
  };
  set(-1e6, 1e6);
  QTRY_COMPARE(text->text(), QString("Nothing is clipped in the middle slice."));
  QVERIFY(row->isVisible());
  set(0, 1e-3);
  QTRY_VERIFY2(text->text().contains("% of the voxels are outside of 0 to 0.001"), qPrintable(text->text()));
  QCOMPARE(text->property("tone").toString(), QString("warning"));
  // The image follows what comes before the node.
  document.edit("Mask", [](Graph& g) { g.nodes["scan"].params["phantom"] = std::string("disc"); });
  set(-1e6, 1e6);
  QTRY_COMPARE(text->text(), QString("Nothing is clipped in the middle slice."));
  document.edit("Floats", [](Graph& g) { g.nodes["save"].params.clear(); });
  QTRY_VERIFY(!row->isVisible());
}

TL_TEST_CASE(SavedRangeTest)

}  // namespace tl::ui::saved_range_test

#include "saved_range.moc"
