// SpecialTools: shows the buttons that open dialogs for a node's special parameters.
#include "widgets/inspector/special_tools.h"

#include <QPushButton>

#include "core/net/script/trusted_programs.h"
#include "widgets/inspector/trust_button.h"
#include "widgets/inspector/values/special_params.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

void bring_up(QDialog& dialog, QWidget& focused) {
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
  focused.setFocus();
}

// Empty: it is not set.
std::string text_param_of(const GraphNode& node, const std::string& param) {
  const auto set = node.params.find(param);
  const auto* text = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
  return text == nullptr ? std::string() : *text;
}

// The parameter that names another file for this role; empty: there is none.
std::string other_file_of(io::DatasetRole role) {
  const bool may_be_elsewhere = role == io::DatasetRole::flats || role == io::DatasetRole::darks;
  return may_be_elsewhere ? std::string(io::parameter_of(role)) + "_file" : std::string();
}

}  // namespace

SpecialTools::SpecialTools(LiveSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      overlay_(new QPushButton(tr("0°/180° overlay…"), this)),
      sweep_(new QPushButton(tr("Sweep…"), this)),
      region_(new QPushButton(tr("Draw on the image…"), this)),
      spectrum_(new QPushButton(tr("Spectrum…"), this)),
      datasets_(new QPushButton(tr("Datasets in the file…"), this)),
      trust_(new TrustButton(session, this)) {
  auto* row = spaced(new FlowLayout(this), 2);
  for (QPushButton* button :
       std::initializer_list<QPushButton*>{overlay_, sweep_, region_, spectrum_, datasets_, trust_})
    row->addWidget(button);
  overlay_->setToolTip(tr("Overlay of opposite views: drag until they agree."));
  sweep_->setToolTip(tr("The same slice about nine positions of the axis, with scores."));
  region_->setToolTip(tr("Draw the region that is kept."));
  spectrum_->setToolTip(tr("Draw the weights over the energies, or load them from a text file."));
  datasets_->setToolTip(tr("Shows the contents of an HDF5 file, to choose frames, flats, darks and angles."));
  connect(datasets_, &QPushButton::clicked, this, [this] { open_datasets(); });
  connect(overlay_, &QPushButton::clicked, this, [this] { open_axis(AxisDialog::Page::overlay); });
  connect(sweep_, &QPushButton::clicked, this, [this] { open_axis(AxisDialog::Page::sweep); });
  connect(region_, &QPushButton::clicked, this, [this] { open_region(); });
  connect(spectrum_, &QPushButton::clicked, this, [this] { open_spectrum(); });
}

void SpecialTools::show_node(const QString& node, const NodeType& type) {
  node_ = node;
  const SpecialParams special = special_params(type);
  overlay_->setVisible(special.has_axis());
  sweep_->setVisible(special.has_axis());
  region_->setVisible(special.has_box());
  spectrum_->setVisible(special.has_spectrum());
  datasets_->setVisible(!special.file_of_datasets.empty());
  program_ = special.program;
  has_dialogs_ = special.has_axis() || special.has_box() || special.has_spectrum() || !special.file_of_datasets.empty();
  show_error({});
}

void SpecialTools::show_error(const std::optional<Error>& error) {
  const bool untrusted = !program_.empty() && error && error->what == net::not_trusted;
  const auto& nodes = session_.document().graph().nodes;
  if (const auto shown = nodes.find(node_.toStdString()); untrusted && shown != nodes.end())
    trust_->set_program(QString::fromStdString(text_param_of(shown->second, program_)));
  trust_->setVisible(untrusted);
  setVisible(has_dialogs_ || untrusted);
}

// Returns the dialog of this node; closes the dialog of another node.
template <class T>
T& SpecialTools::dialog_in(QPointer<T>& place) {
  if (place != nullptr && place->objectName() != node_) place->close();
  if (place == nullptr || place->objectName() != node_) {
    place = new T(session_, node_, window());
    place->setObjectName(node_);
  }
  return *place;
}

AxisDialog& SpecialTools::open_axis(AxisDialog::Page page) {
  AxisDialog& dialog = dialog_in(axis_dialog_);
  dialog.open_page(page);
  return dialog;
}

RegionDialog& SpecialTools::open_region() {
  RegionDialog& dialog = dialog_in(region_dialog_);
  bring_up(dialog, dialog.view());
  return dialog;
}

DatasetsDialog* SpecialTools::open_datasets() {
  const Graph& graph = session_.document().graph();
  const auto found = graph.nodes.find(node_.toStdString());
  if (found == graph.nodes.end()) return nullptr;
  const NodeType* type = session_.document().registry().find(found->second.type);
  const auto text_of = [&](const std::string& param) { return text_param_of(found->second, param); };
  const std::string file = type == nullptr ? std::string() : text_of(special_params(*type).file_of_datasets);
  if (file.empty()) return nullptr;
  if (datasets_dialog_ != nullptr) datasets_dialog_->close();
  datasets_dialog_ = new DatasetsDialog(QString::fromStdString(file), window());
  io::DatasetChoice now;
  for (const io::DatasetRole role : io::dataset_roles) {
    const std::string elsewhere = text_of(other_file_of(role));
    if (elsewhere.empty())
      now[role] = text_of(std::string(io::parameter_of(role)));
    else
      datasets_dialog_->leave_to(role, QString::fromStdString(elsewhere));
  }
  datasets_dialog_->set_choice(now);
  connect(datasets_dialog_, &DatasetsDialog::chosen, this,
          [this, node = node_](const io::DatasetChoice& choice, const QString& layout) {
            set_datasets(node, choice);
            Q_EMIT datasets_chosen(choice, layout);
          });
  connect(&session_.document(), &Document::was_reset, datasets_dialog_, &QDialog::close);
  datasets_dialog_->read();
  bring_up(*datasets_dialog_, datasets_dialog_->tree_view());
  return datasets_dialog_;
}

// One undo step: the pipeline may have changed while the dialog was open.
void SpecialTools::set_datasets(const QString& node, const io::DatasetChoice& choice) {
  const std::string id = node.toStdString();
  if (!session_.document().graph().nodes.contains(id)) return;
  session_.document().edit(tr("Choose the datasets"), [&](Graph& g) {
    for (const io::DatasetRole role : io::dataset_roles) {
      const std::string param(io::parameter_of(role)), other_file = other_file_of(role);
      GraphNode& of = g.nodes[id];
      if (!choice[role].empty()) {
        of.params[param] = choice[role];
        of.params.erase(other_file);
      } else if (text_param_of(of, other_file).empty()) {
        of.params.erase(param);
      }
    }
    // Angles are given by exactly one parameter: the other ones are cleared.
    if (choice[io::DatasetRole::angles].empty()) return;
    for (const char* other : {"angles_file", "first_angle", "angle_step"}) g.nodes[id].params.erase(other);
  });
}

SpectrumDialog& SpecialTools::open_spectrum() {
  SpectrumDialog& dialog = dialog_in(spectrum_dialog_);
  bring_up(dialog, dialog.view());
  return dialog;
}

}  // namespace tl::ui
