// The form of a pruning: edits the plan of the next one.
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "widgets/jobs/job_form.h"
#include "widgets/language/translated.h"
#include "widgets/session/save_dialog.h"
#include "widgets/training/network_pages.h"

namespace tl::ui {
namespace {

constexpr int max_pruning_steps = 1000, max_epochs_between = 100'000, max_steps_of_epoch = 1'000'000;
constexpr double min_per_cent = 0.1, max_per_cent = 99;

class PruningForm final : public JobForm {
  Q_DECLARE_TR_FUNCTIONS(PruningForm)
 public:
  PruningForm(PruningSession& pruning, QWidget* parent)
      : JobForm(pruning, parent), pruning_(pruning), file_(new QLineEdit(this)), output_(new QLineEdit(this)) {
    add_network_fields();
    add_method_fields();
    add_training_fields();
    add_output_field();
    refresh();
  }

 private:
  using Plan = train::PruningPlan;
  static QString network_files() { return tr("Networks (*.safetensors *.onnx)"); }
  void change(const std::function<void(Plan&)>& edit) {
    Plan plan = pruning_.plan();
    edit(plan);
    pruning_.set_plan(plan);
  }
  QDoubleSpinBox* add_whole(const NumberRow& row, int64_t Plan::*member) {
    return add_number(
        row, [this, member] { return static_cast<double>(pruning_.plan().*member); },
        [this, member](double value) { change([&](Plan& p) { p.*member = static_cast<int64_t>(value); }); });
  }

  void add_network_fields() {
    add_list(
        tr("Prune"), tr("The network of the node Network that is selected, or any other one."),
        {{tr("the network of the node"), false}, {tr("a network file…"), true}},
        [this] { return !pruning_.plan().network.empty(); },
        [this](const QVariant& own) {
          if (own.toBool()) return choose_network();
          change([](Plan& p) { p.network.clear(); });
        });
    file_->setReadOnly(true);
    file_->setAccessibleName(tr("Network to prune"));
    file_->setPlaceholderText(tr("none"));
    disable_while_busy(
        add_file(tr("File"), file_, tr("Choose another network to prune"), [this] { choose_network(); }));
    at_refresh([this] {
      const QString file = pruning_.network_file();
      file_->setText(QFileInfo(file).fileName());
      file_->setToolTip(file);
    });
  }

  void add_method_fields() {
    std::vector<ListItem> methods;
    for (const net::PruneMethod m : net::prune_methods)
      methods.push_back(
          {translated(net::title_of(m)), QString::fromUtf8(net::to_string(m)), translated(net::criterion_of(m))});
    QComboBox* method = add_list(
        tr("Method"), {}, methods, [this] { return QString::fromUtf8(net::to_string(pruning_.plan().method)); },
        [this](const QVariant& m) {
          change([&](Plan& p) { p.method = *net::prune_method_of(m.toString().toStdString()); });
        });
    at_refresh([this, method] {
      method->setToolTip(tr("Keeps %1.").arg(translated(net::criterion_of(pruning_.plan().method))));
    });
    add_number(
        {tr("Keep"),
         tr("Share of the filters that is left at the end."),
         min_per_cent,
         max_per_cent,
         tr(" % of the filters"),
         {},
         1},
        [this] { return 100 * pruning_.plan().keep; },
        [this](double per_cent) { change([&](Plan& p) { p.keep = per_cent / 100; }); });
    add_whole({tr("Steps"), tr("Each step keeps the same share of the filters left by the previous step."), 1,
               max_pruning_steps},
              &Plan::steps);
  }

  void add_training_fields() {
    QDoubleSpinBox* epochs =
        add_whole({tr("Trained for"),
                   tr("Training of the remaining filters on the labels of the pipeline, after each step; 0: none. "
                      "Slices, patches, learning rate and validation are set in the tab Network."),
                   0, max_epochs_between, tr(" epochs"), tr("not at all")},
                  &Plan::epochs);
    QDoubleSpinBox* steps =
        add_whole({tr("Steps in each"), tr("Number of training steps in each epoch after a pruning step."), 1,
                   max_steps_of_epoch},
                  &Plan::epoch_steps);
    at_refresh([this, epochs, steps] {
      const bool has_labels = pruning_.has_labels();
      epochs->setEnabled(!pruning_.is_busy() && has_labels);
      if (!has_labels) {
        const QSignalBlocker quiet(epochs);
        epochs->setValue(0);
      }
      steps->setEnabled(epochs->isEnabled() && pruning_.plan().epochs > 0);
    });
  }

  void add_output_field() {
    output_->setAccessibleName(tr("Name of the pruned network"));
    add_file(tr("Save as"), output_, tr("Choose where the pruned network goes"), [this] { choose_output(); });
    connect(output_, &QLineEdit::editingFinished, this, [this] {
      if (output_->isModified()) pruning_.set_output(output_->text().trimmed());
      output_->setModified(false);
    });
    note_ = add_note();
    at_refresh([this] { show_output(); });
  }
  void show_output() {
    const PrunedOutput output = pruning_.output();
    output_->setText(QFileInfo(output.network).fileName());
    output_->setToolTip(output.network.isEmpty()
                            ? tr("Name of the pruned network (.safetensors, .onnx)")
                            : tr("%1\nThe report with norm and fate of every filter goes next to it: %2")
                                  .arg(output.network, QFileInfo(output.report).fileName()));
    output_->setEnabled(!output.network.isEmpty());
    note_->setVisible(!pruning_.trains());
    note_->setText(pruning_.has_labels()
                       ? tr("Nothing is trained after the steps: the filters that are left keep their weights, and the "
                            "network segments worse than it could.")
                       : tr("Nothing is labelled in this pipeline, so that nothing is trained after the steps: the "
                            "filters that are left keep their weights, and the network segments worse than it could."));
  }

  void choose_network() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Prune a network"), pruning_.network_file(),
                                                      network_files() + QStringLiteral(";;") + tr("All files (*)"));
    if (!file.isEmpty()) change([&](Plan& p) { p.network = file.toStdString(); });
    refresh();  // sets the list again if nothing was chosen
  }
  // The question about replacing a file is asked when it is saved.
  void choose_output() {
    const QString file = ask_for_file(
        this, {tr("Save the pruned network"), pruning_.output().network, network_files(), PruningSession::endings()},
        AskReplace::later);
    if (!file.isEmpty()) pruning_.set_output(file);
  }

  PruningSession& pruning_;
  QLineEdit *file_, *output_;
  QLabel* note_ = nullptr;
};

}  // namespace

QWidget* pruning_form(PruningSession& pruning, QWidget* parent) { return new PruningForm(pruning, parent); }

}  // namespace tl::ui
