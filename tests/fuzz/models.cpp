// Damaged model files: thousands of them are read and made classifiers of; each gives one that can be applied, or an
// error that says what and where.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/nodes/segment/classifier_model.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/test_case.h"

namespace tl::models_fuzz {

namespace fs = std::filesystem;

namespace {

std::string sound_model() {
  PixelClassifier c;
  c.features.sigmas = {0.7, 1.6};
  c.classes = {{1, "air", "#112233"}, {2, "bone", ""}};
  const int64_t count = ops::feature_count(c.features), samples = 60;
  const at::Tensor x = at::arange(count * samples, at::kFloat).mul(0.7).sin().view({count, samples});
  ops::ForestSpec spec;
  spec.trees = 5;
  c.forest = ops::grow_forest(x, x[0].gt(0).to(at::kInt), 2, spec).or_throw();
  return io::to_safetensors(model_of(c));
}

// Without its checksum, which would keep every change from what comes behind it.
std::string without_checksum(std::string bytes) {
  const std::size_t at = bytes.find("\"checksum\"");
  if (at != std::string::npos) bytes[at + 1] = 'C';
  return bytes;
}

std::string read_and_apply(const fs::path& file) {
  const auto model = io::read_model(file);
  if (!model.ok()) return fuzz::complaint_about(model.error());
  const auto classifier = classifier_of(model.value(), file.string());
  if (!classifier.ok()) return fuzz::complaint_about(classifier.error());
  const ops::Forest& f = classifier.value().forest;
  const auto shares = ops::forest_probabilities(f, at::ones({f.features, 40}));
  if (!shares.ok()) return fuzz::complaint_about(shares.error());
  return at::isfinite(shares.value()).all().item<bool>() ? "" : "a probability is not a number";
}

}  // namespace

class ModelsFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }  // children of a process with threads would wait for them

  void damaged_files_give_classifiers_or_errors() {
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "m.safetensors";
    const std::string good = sound_model(), open = without_checksum(good);
    for (const std::string& sound : {good, open}) {
      std::ofstream(file, std::ios::binary) << sound;
      QCOMPARE(read_and_apply(file), std::string());
    }
    fuzz::keep_sound(good, "model.safetensors");
    const std::size_t header = open.find("\"edges\"") + 3000;
    const auto failures = fuzz::run_trials(fuzz::trials(3000), [&](int64_t trial) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      std::string bad;
      if (trial % 3 == 0) {
        bad = fuzz::damaged_bytes(trial % 2 == 0 ? good : open, random);
      } else if (trial % 3 == 1) {  // the header alone, of the same length where that is possible
        const std::size_t length = static_cast<unsigned char>(open[0]) + 256U * static_cast<unsigned char>(open[1]);
        std::string text = fuzz::damaged_text(open.substr(8, length), random);
        text.resize(std::max(text.size(), length), ' ');
        std::string size(8, '\0');
        for (std::size_t i = 0; i < 8; ++i) size[i] = static_cast<char>(text.size() >> (8 * i));
        bad = size + text + open.substr(8 + length);
      } else {  // the arrays alone
        const std::size_t at = std::min(header, open.size() / 2);
        bad = open.substr(0, at);
        std::string rest = fuzz::damaged_bytes(open.substr(at), random);
        rest.resize(open.size() - at, '\0');
        bad += rest;
      }
      std::ofstream(file, std::ios::binary) << bad;
      const std::string complaint =
          fuzz::complaint_within_limits([&] { return read_and_apply(file); }, static_cast<int64_t>(bad.size()));
      if (!complaint.empty()) fuzz::keep(bad, std::to_string(trial) + ".safetensors");
      return complaint;
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(ModelsFuzz)

}  // namespace tl::models_fuzz

#include "models.moc"
