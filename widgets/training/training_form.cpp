// The form of a training: edits the plan of the next one.
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <cmath>

#include "widgets/jobs/job_form.h"
#include "widgets/training/network_pages.h"

namespace tl::ui {
namespace {

constexpr int max_depth = 200, max_features = 256, max_batch = 64, max_patch = 4096, max_epochs = 1'000'000,
              max_gap = 10'000;

class TrainingForm final : public JobForm {
  Q_DECLARE_TR_FUNCTIONS(TrainingForm)
 public:
  TrainingForm(TrainingSession& training, QWidget* parent) : JobForm(training, parent), training_(training) {
    add_network_fields();
    add_sample_fields();
    fold(tr("How it is trained"));
    add_more_fields();
    refresh();
  }

 private:
  using Plan = train::TrainingPlan;
  void change(const std::function<void(Plan&)>& edit) {
    Plan plan = training_.plan();
    edit(plan);
    training_.set_plan(plan);
  }
  QWidget* add_whole(const NumberRow& row, int64_t Plan::*member) {
    return add_number(
        row, [this, member] { return static_cast<double>(training_.plan().*member); },
        [this, member](double value) { change([&](Plan& p) { p.*member = static_cast<int64_t>(value); }); });
  }

  void add_network_fields() {
    add_list(
        tr("Begin with"),
        tr("A network with random weights, or one that was trained before. Mixed-scale dense networks (MS-D) have few "
           "weights and learn from few labels; U-Nets (unet4: with batch norm) and FCN-ResNet50 have many, and take "
           "longer."),
        {{tr("a new MS-D"), "msd"},
         {tr("a new U-Net"), "unet4"},
         {tr("a new FCN-ResNet50"), "fcn_resnet50"},
         {tr("a network file…"), ""}},
        [this] {
          const Plan& plan = training_.plan();
          return plan.weights.empty() ? QString::fromStdString(plan.network) : QString("");
        },
        [this](const QVariant& chosen) {
          const std::string network = chosen.toString().toStdString();
          if (network.empty()) return choose_file();
          change([&](Plan& p) {
            p.weights.clear();
            p.network = network;
          });
        });
    QWidget* depth = add_whole(
        {tr("Depth"), tr("More layers have a larger receptive field and take longer: 30 are enough to begin with."), 1,
         max_depth, tr(" layers")},
        &Plan::depth);
    QWidget* features =
        add_whole({tr("Width"),
                   tr("Channels of the finest level; each coarser one has twice as many. The original U-Net has 64."),
                   1, max_features, tr(" channels")},
                  &Plan::features);
    auto* file = new QLineEdit(this);
    file->setReadOnly(true);
    file->setAccessibleName(tr("Network file"));
    QWidget* row = add_file(tr("File"), file, tr("Choose another network file"), [this] { choose_file(); });
    disable_while_busy(row);
    at_refresh([=, this] {
      const Plan& plan = training_.plan();
      const bool is_new = plan.weights.empty();
      file->setText(QString::fromStdString(plan.weights.filename().string()));
      file->setToolTip(QString::fromStdString(plan.weights.string()));
      show_row(depth, is_new && plan.network == "msd");
      show_row(features, is_new && plan.network == "unet4");
      show_row(row, !is_new);
    });
  }

  void add_sample_fields() {
    add_list(
        tr("Learns from"), tr("Planes of all directions are for networks that are to label oblique slices."),
        {{tr("slices across z"), static_cast<int>(train::Planes::slices)},
         {tr("planes of all directions"), static_cast<int>(train::Planes::omnidirectional)}},
        [this] { return static_cast<int>(training_.plan().planes); },
        [this](const QVariant& planes) {
          change([&](Plan& p) { p.planes = static_cast<train::Planes>(planes.toInt()); });
        });
    add_whole({tr("Patches of"), tr("Edge of the patches that the network is trained on; 0: whole slices."), 0,
               max_patch, tr(" voxels"), tr("whole slices")},
              &Plan::patch);
    add_whole({tr("Epochs"), tr("At most: it ends sooner when no better epoch comes."), 1, max_epochs}, &Plan::epochs);
    add_whole({tr("Steps in each"), tr("Patches that the network is trained on before it is validated again."), 1,
               max_epochs},
              &Plan::steps);
  }

  void add_more_fields() {
    constexpr double min_rate = 1e-4;
    add_number(
        {tr("Learning rate"), tr("Smaller is steadier and slower."), min_rate, 1, {}, {}, 4, min_rate},
        [this] { return training_.plan().rate; }, [this](double rate) { change([&](Plan& p) { p.rate = rate; }); });
    add_whole({tr("Patches in a step"),
               tr("More are steadier and take longer. Of whole slices there are several only where all are squares of "
                  "one size."),
               1, max_batch},
              &Plan::batch);
    add_whole({tr("Ends early after"), tr("Epochs without a lower validation loss; 0: never."), 0, max_epochs,
               tr(" epochs"), tr("never")},
              &Plan::patience);
    add_number(
        {tr("Validates with"),
         tr("Share of the labelled voxels for validation: the network is not trained on them, but scored by them."), 5,
         90, QStringLiteral(" %")},
        [this] { return std::round(100 * training_.plan().share); },
        [this](double per_cent) { change([&](Plan& p) { p.share = per_cent / 100; }); });
    add_whole({tr("Gap"), tr("Gap between training and validation block, since neighbouring slices are nearly equal."),
               0, max_gap, tr(" voxels")},
              &Plan::gap);
  }

  void choose_file() {
    const QString before = QString::fromStdString(training_.plan().weights.string());
    const QString file = QFileDialog::getOpenFileName(this, tr("Begin with a network"), before,
                                                      tr("Networks (*.safetensors *.onnx);;All files (*)"));
    if (!file.isEmpty()) change([&](Plan& p) { p.weights = file.toStdString(); });
    refresh();  // the list, where nothing was chosen
  }

  TrainingSession& training_;
};

}  // namespace

QWidget* training_form(TrainingSession& training, QWidget* parent) { return new TrainingForm(training, parent); }

}  // namespace tl::ui
