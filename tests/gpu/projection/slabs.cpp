// Back-projection by slabs: the same volume as in one piece, plans within memory limits, schedules without hazards.
#include "gpu/projection/slabs/slabs.h"

#include <map>
#include <set>

#include "core/base/units.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::slabs_test {

namespace {

BackProjectorSpec spec_of(const verify::ScanCase& scan) { return {scan.geometry, scan.grid}; }

// Small enough for several slabs and chunks of these cases.
std::vector<SlabDevice> small_devices(std::size_t count) {
  return std::vector<SlabDevice>(count, SlabDevice{"cpu", 8000});
}

}  // namespace

class SlabsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equals_the_whole() {
    for (const verify::ScanCase& scan : verify::scan_cases())
      for (const std::size_t count : {1, 2, 3}) {
        const BackProjectorSpec spec = spec_of(scan);
        const OperatorPtr op = make_back_projector(spec).or_throw();
        const at::Tensor x = verify::gaussian(op->domain(), 1, 1).to(at::kFloat), wanted = op->apply(x);
        const at::Tensor found = back_project_slabs(spec, x, small_devices(count)).or_throw();
        const double range = (wanted.max() - wanted.min()).item<double>();
        QVERIFY2((found - wanted).abs().max().item<double>() <= 1e-5 * range, scan.name.c_str());
      }
  }

  void plans_keep_their_promises() {
    for (const verify::ScanCase& scan : verify::scan_cases())
      for (const std::size_t count : {1, 2, 3})
        for (const int64_t memory : {8000, 20000, 10000000}) {
          const BackProjectorSpec spec = spec_of(scan);
          const SlabPlan plan = plan_slabs(spec, std::vector<SlabDevice>(count, {"cpu", memory})).or_throw();
          for (std::size_t d = 0; d < count; ++d) QVERIFY(slab_memory(plan, spec, d) <= memory);
          int64_t slice = 0, view = 0;
          for (const Slab& slab : plan.slabs) {
            QCOMPARE(slab.slices.begin, slice);
            QVERIFY(!slab.slices.empty() && !slab.rows.empty() && slab.device < count);
            slice = slab.slices.end;
          }
          for (const Range& chunk : plan.chunks) {
            QCOMPARE(chunk.begin, view);
            view = chunk.end;
          }
          QCOMPARE(slice, scan.grid.nz);
          QCOMPARE(view, scan.geometry.views());
        }
    // A plain parallel scan needs few rows for few slices.
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(9, pi), {64, 20, 1, 1}).or_throw();
    const SlabPlan plan = plan_slabs({g, VolumeGrid::cubic(64, 8, 8, 1)}, small_devices(1)).or_throw();
    QVERIFY(plan.slabs.size() > 4);
    for (const Slab& slab : plan.slabs) QVERIFY(slab.rows.size() <= slab.slices.size() + 4);
  }

  // Replays the schedule on pretended buffers: every read sees what it wants, nothing is overwritten before it is read,
  // waiting for the steps that it names is enough, and uploads run ahead.
  void schedules_have_no_hazards() {
    for (const std::size_t count : {1, 2, 3}) {
      BackProjectorSpec spec = spec_of(verify::scan_cases()[3]);
      spec.grid = VolumeGrid::cubic(24, 11, 11, 0.4);
      const SlabPlan plan = plan_slabs(spec, small_devices(count)).or_throw();
      QVERIFY(plan.slabs.size() > count && plan.chunks.size() > 1);
      const std::vector<SlabStep> steps = slab_schedule(plan);
      std::map<std::pair<std::size_t, std::size_t>, std::size_t> content, reader;  // (device, buffer) -> step
      std::set<std::pair<std::size_t, std::size_t>> done;                          // (slab, chunk)
      std::set<std::size_t> downloaded;
      for (std::size_t n = 0; n < steps.size(); ++n) {
        const SlabStep& step = steps[n];
        const auto place = std::make_pair(plan.slabs[step.slab].device, step.buffer);
        if (step.kind == SlabStep::Kind::upload) {
          const auto last = reader.find(place);
          QCOMPARE(step.after, last == reader.end() ? SlabStep::nothing : last->second);
          QVERIFY2(content.count(place) == 0, "overwritten before it was read");
          content[place] = n;
        } else if (step.kind == SlabStep::Kind::compute) {
          const SlabStep& upload = steps[content.at(place)];
          QVERIFY(upload.slab == step.slab && upload.chunk == step.chunk && step.after == content.at(place));
          QVERIFY(done.insert({step.slab, step.chunk}).second);
          // Chunks of a slab come in their order, so that the sum has one order.
          QVERIFY(step.chunk == 0 || done.count({step.slab, step.chunk - 1}) == 1);
          reader[place] = n;
          content.erase(place);
        } else {
          QCOMPARE(step.chunk, plan.chunks.size() - 1);
          QVERIFY(done.count({step.slab, step.chunk}) == 1 && downloaded.insert(step.slab).second);
        }
      }
      QCOMPARE(done.size(), plan.slabs.size() * plan.chunks.size());
      QCOMPARE(downloaded.size(), plan.slabs.size());
      // Double buffering: the next upload of a device stands before the computation of this chunk.
      QVERIFY(steps[count].kind == SlabStep::Kind::upload && steps[count + 1].kind == SlabStep::Kind::compute);
      if (count > 1) QVERIFY(plan.slabs[steps[0].slab].device != plan.slabs[steps[1].slab].device);
    }
  }

  void refuses_what_does_not_fit() {
    const BackProjectorSpec spec = spec_of(verify::scan_cases().front());
    QVERIFY(!plan_slabs(spec, {}).ok());
    const auto refused = plan_slabs(spec, {{"cpu", 100}});
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::unavailable);
    QVERIFY(refused.error().what.find("100 bytes") != std::string::npos);
    const at::Tensor x = at::zeros(make_back_projector(spec).or_throw()->domain());
    QVERIFY(!back_project_slabs(spec, x, {{"cuda:77", 8000}}).ok());
    QVERIFY(!back_project_slabs(spec, x.to(at::kDouble), small_devices(1)).ok());
  }

  void cancels() {
    BackProjectorSpec spec = spec_of(verify::scan_cases().front());
    const at::Tensor x = at::zeros(make_back_projector(spec).or_throw()->domain());
    spec.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)back_project_slabs(spec, x, small_devices(1)));
  }

  void lists_devices_with_their_memory() {
    const std::vector<SlabDevice> all = slab_devices();
    QVERIFY(!all.empty() && all.front().memory > 0);
  }
};

TL_TEST_CASE(SlabsTest)

}  // namespace tl::slabs_test

#include "slabs.moc"
