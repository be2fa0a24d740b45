// The form of a training: edits the plan of the next one.
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <cmath>

#include "widgets/jobs/job_form.h"
#include "widgets/language/translated.h"
#include "widgets/training/network_pages.h"

namespace tl::ui {
namespace {

constexpr int max_batch = 64, max_patch = 4096, max_epochs = 1'000'000, max_gap = 10'000;

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
    QString advice = tr("A network with random weights, or one that was trained before.");
    std::vector<ListItem> networks;
    for (const net::Architecture& a : net::architectures()) {
      if (!a.offer) continue;
      networks.push_back({tr("a new %1").arg(translated(a.offer->title)), QString::fromLatin1(a.name)});
      advice += QLatin1Char(' ') + translated(a.offer->advice);
    }
    networks.push_back({tr("a network file…"), QString("")});
    add_list(
        tr("Begin with"), advice, networks,
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
    for (const net::Architecture& a : net::architectures())
      for (const net::Setting& s : a.settings)
        if (a.offer && s.field) add_setting(a.name, s);
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
      show_row(row, !is_new);
    });
  }

  // Adds a setting of new networks of one architecture, shown while such a network is chosen.
  void add_setting(const std::string& network, const net::Setting& setting) {
    QWidget* field = add_number(
        {translated(setting.field->title), translated(setting.field->help), static_cast<double>(setting.low),
         static_cast<double>(setting.field->high), translated(setting.field->suffix)},
        [this, setting] { return static_cast<double>(train::chosen_setting(training_.plan(), setting)); },
        [this, name = std::string(setting.name)](double value) {
          change([&](Plan& p) { p.settings[name] = static_cast<int64_t>(value); });
        });
    at_refresh([this, field, network] {
      const Plan& plan = training_.plan();
      show_row(field, plan.weights.empty() && plan.network == network);
    });
  }

  void add_sample_fields() {
    std::vector<ListItem> planes;
    for (const auto& choice : train::choices_of<train::Planes>())
      planes.push_back({translated(choice.title), QString::fromStdString(choice.name)});
    add_list(
        tr("Learns from"), tr("Choose planes of all directions if the network is to label oblique slices."), planes,
        [this] { return QString::fromStdString(train::word_of(training_.plan().planes)); },
        [this](const QVariant& chosen) {
          change([&](Plan& p) {
            p.planes = choice_with_name(train::choices_of<train::Planes>(), chosen.toString().toStdString())->value;
          });
        });
    add_whole({tr("Patches of"), tr("Edge of the patches that the network is trained on; 0: whole slices."), 0,
               max_patch, tr(" voxels"), tr("whole slices")},
              &Plan::patch);
    add_whole({tr("Epochs"), tr("Largest number of epochs: the training ends earlier if no better epoch follows."), 1,
               max_epochs},
              &Plan::epochs);
    add_whole({tr("Steps in each"), tr("Number of patches used for training between two validations."), 1, max_epochs},
              &Plan::steps);
  }

  void add_more_fields() {
    constexpr double min_rate = 1e-4;
    add_number(
        {tr("Learning rate"), tr("Smaller is steadier and slower."), min_rate, 1, {}, {}, 4, min_rate},
        [this] { return training_.plan().rate; }, [this](double rate) { change([&](Plan& p) { p.rate = rate; }); });
    add_whole({tr("Patches in a step"),
               tr("More patches make training steadier and slower. Several whole slices are possible only if all are "
                  "squares of one size."),
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
    refresh();  // sets the list again if nothing was chosen
  }

  TrainingSession& training_;
};

}  // namespace

QWidget* training_form(TrainingSession& training, QWidget* parent) { return new TrainingForm(training, parent); }

}  // namespace tl::ui
