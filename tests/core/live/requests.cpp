// Order of jobs for the compute thread: images that are read straight from a file do not wait.
#include "core/live/requests.h"

#include "tests/support/live_record.h"
#include "tests/support/test_case.h"

namespace tl::requests_test {

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

// Requests whose graph the compute thread has taken.
struct RequestsOfScan : Requests {
  RequestsOfScan() {
    set_graph(scan_graph());
    (void)next(-1);
  }
};

}  // namespace

class LiveRequestsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // scan -> fbp: the slice is called off for the view of the scan, and made after it.
  void a_view_of_the_file_comes_first() {
    RequestsOfScan requests;
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

  // Before: the coarse box, which needs the whole scan, came before the sharp slices.
  void slices_become_sharp_before_the_box() {
    RequestsOfScan requests;
    live::PictureRequest box = picture_of("fbp"), slice = picture_of("fbp");
    box.region = VolumeGrid::cubic(8, 8, 8, 1);
    slice.region = VolumeGrid::cubic(1, 8, 8, 1);
    QVERIFY(live::shape_of(box) == live::Shape::box && live::shape_of(slice) == live::Shape::plane);
    requests.request("3d", box);
    requests.request("slice", slice);
    const Job first = requests.next(-1);
    QCOMPARE(view_of(first), std::string("slice"));
    requests.refine(std::get<PictureJob>(first));
    const Job second = requests.next(-1);
    QVERIFY(view_of(second) == "slice" && std::get<PictureJob>(second).stage == live::Stage::sharp);
    QCOMPARE(view_of(requests.next(-1)), std::string("3d"));
    QVERIFY(!requests.anything());
  }

  // The image and the value under way are cancelled for a run, and made after it or between its blocks.
  void a_run_comes_first() {
    RequestsOfScan requests;
    requests.request("slice", picture_of("fbp"));
    {
      const Requests::Guard slice(requests, requests.next(-1));
      requests.request("another slice", picture_of("fbp"));
      requests.free_cache();
      requests.run({});
      QVERIFY(slice.token().cancelled() && slice.superseded());
    }
    QVERIFY(std::holds_alternative<live::KeepJob>(requests.next(-1)));  // it was asked for before the run
    const Job run = requests.next(-1);
    QVERIFY(std::holds_alternative<live::RunJob>(run));
    {
      const Requests::Guard running(requests, run);
      const std::optional<Job> between = requests.urgent();
      QCOMPARE(between ? view_of(*between) : std::string(), std::string("another slice"));
      const Requests::Guard another(requests, *between);
      QTRY_VERIFY(another.token().cancelled() && another.superseded());  // it does not hold up the run for long
      const std::optional<Job> next = requests.urgent();
      QCOMPARE(next ? view_of(*next) : std::string(), std::string("slice"));
      requests.postpone(std::get<PictureJob>(*next));
      QVERIFY(!requests.urgent());
      QVERIFY(!running.token().cancelled());
    }
    QCOMPARE(view_of(requests.next(-1)), std::string("another slice"));
    QCOMPARE(view_of(requests.next(-1)), std::string("slice"));
    QVERIFY(!requests.anything());
  }

  // Both end for the run, and neither is begun again between the blocks of the other.
  void images_between_blocks_of_images_give_way_to_a_run() {
    RequestsOfScan requests;
    requests.request("slice", picture_of("fbp"));
    {
      const Requests::Guard slice(requests, requests.next(-1));
      requests.request("another slice", picture_of("fbp"));
      {
        const Requests::Guard another(requests, *requests.urgent());
        requests.run({});
        QVERIFY(slice.token().cancelled() && another.token().cancelled());
      }
      QVERIFY(!requests.urgent());
    }
    QVERIFY(std::holds_alternative<live::RunJob>(requests.next(-1)));
  }

  void a_value_under_way_gives_way_to_a_run() {
    RequestsOfScan requests;
    requests.ask("scan", "projections", live::Effort::compute);
    const Requests::Guard value(requests, requests.next(-1));
    requests.run({});
    QVERIFY(value.token().cancelled() && value.superseded());
  }

  // Learning and another run are not interrupted, nor the images between their steps.
  void a_run_waits_for_learning_and_for_another_run() {
    RequestsOfScan requests;
    requests.learn({});
    {
      const Requests::Guard learning(requests, requests.next(-1));
      requests.request("slice", picture_of("fbp"));
      const Requests::Guard slice(requests, *requests.urgent());
      requests.run({});
      QVERIFY(!learning.token().cancelled() && !slice.token().cancelled());
    }
    const Requests::Guard first(requests, requests.next(-1));
    requests.run({});
    QVERIFY(!first.token().cancelled());
  }

  // Stopping a run keeps what waits for its end; stopping images drops them.
  void stopping_a_run_keeps_the_pictures_that_wait() {
    RequestsOfScan requests;
    requests.run({});
    {
      const Requests::Guard run(requests, requests.next(-1));
      requests.request("slice", picture_of("fbp"));
      requests.stop();
      QVERIFY(run.token().cancelled());
    }
    QVERIFY(requests.anything());
    requests.stop();
    QVERIFY(!requests.anything());
  }

  // A slice that its own view does not want any more is not started again.
  void what_was_replaced_does_not_come_back() {
    RequestsOfScan requests;
    requests.request("pane", picture_of("fbp"));
    {
      const Requests::Guard slice(requests, requests.next(-1));
      requests.request("pane", picture_of("scan"));
    }
    QCOMPARE(view_of(requests.next(-1)), std::string("pane"));
    QVERIFY(!requests.anything());
  }
};

TL_TEST_CASE(LiveRequestsTest)

}  // namespace tl::requests_test

#include "requests.moc"
