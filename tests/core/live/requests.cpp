// Order of jobs for the compute thread: pictures that are read straight from a file do not wait.
#include "core/live/requests.h"

#include "tests/support/live_record.h"
#include "tests/support/test_main.h"

using namespace tl;
using namespace tl::test;
using live::Job;
using live::PictureJob;
using live::Requests;

namespace {

live::PictureRequest picture_of(const std::string& node) {
  live::PictureRequest r;
  r.node = node;
  return r;
}
std::string view_of(const Job& job) {
  const auto* picture = std::get_if<PictureJob>(&job);
  return picture == nullptr ? "" : picture->view;
}

}  // namespace

class LiveRequestsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // scan -> fbp: the slice is called off for the view of the scan, and made after it.
  void a_view_of_the_file_comes_first() {
    Requests requests;
    requests.set_graph(scan_graph());
    QVERIFY(std::holds_alternative<live::GraphJob>(requests.next(-1)));
    requests.request("slice", picture_of("fbp"));
    {
      const Requests::Guard slice(requests, requests.next(-1));
      requests.request("another slice", picture_of("fbp"));
      QVERIFY(!slice.token().cancelled());
      requests.request("view", picture_of("scan"));
      QVERIFY(slice.token().cancelled() && slice.superseded());
    }
    {
      const Job job = requests.next(-1);
      QCOMPARE(view_of(job), std::string("view"));
      const Requests::Guard view(requests, job);
      QVERIFY(!requests.urgent());  // nothing in between
      requests.request("another view", picture_of("scan"));
      QVERIFY(!view.token().cancelled());
    }
    QCOMPARE(view_of(requests.next(-1)), std::string("another view"));
    QCOMPARE(view_of(requests.next(-1)), std::string("another slice"));
    QCOMPARE(view_of(requests.next(-1)), std::string("slice"));
    QVERIFY(!requests.anything());
  }

  // A slice that its own view does not want any more is not begun anew.
  void what_was_replaced_does_not_come_back() {
    Requests requests;
    requests.set_graph(scan_graph());
    QVERIFY(std::holds_alternative<live::GraphJob>(requests.next(-1)));
    requests.request("pane", picture_of("fbp"));
    {
      const Requests::Guard slice(requests, requests.next(-1));
      requests.request("pane", picture_of("scan"));
    }
    QCOMPARE(view_of(requests.next(-1)), std::string("pane"));
    QVERIFY(!requests.anything());
  }
};

TL_TEST_MAIN(LiveRequestsTest)
#include "requests.moc"
