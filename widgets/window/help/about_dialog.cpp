// AboutDialog: a mark, a few lines and a plain list of versions.
#include "widgets/window/help/about_dialog.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/run/record/versions.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int mark_pixels = 48;

void add_fact(QGridLayout& grid, const QString& name, const QString& value) {
  const int row = grid.rowCount();
  auto* left = new QLabel(name);
  left->setProperty("role", "second");
  auto* right = new QLabel(value);
  right->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid.addWidget(left, row, 0);
  grid.addWidget(right, row, 1);
}

}  // namespace

AboutDialog::AboutDialog(const QString& device, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("About Tomoloom"));
  auto* mark = new QLabel(this);
  mark->setPixmap(glyph_icon(Glyph::mark, Token::accent).pixmap(mark_pixels, mark_pixels));
  auto* name = new QLabel(tr("Tomoloom %1").arg(QString::fromStdString(version())), this);
  QFont large = Theme::text_font();
  large.setPixelSize(22);
  large.setWeight(QFont::DemiBold);
  name->setFont(large);
  auto* what = new QLabel(tr("Weave X-ray CT pipelines and see every slice live."), this);
  what->setProperty("role", "second");
  auto* texts = new QVBoxLayout;
  texts->addWidget(name);
  texts->addWidget(what);
  auto* head = new QHBoxLayout;
  head->setSpacing(Theme::space(4));
  head->addWidget(mark);
  head->addLayout(texts, 1);
  auto* facts = new QGridLayout;
  facts->setHorizontalSpacing(Theme::space(6));
  facts->setColumnStretch(1, 1);
  add_fact(*facts, tr("Computes on"), device);
  const auto versions = nlohmann::json::parse(versions_json(), nullptr, false);
  if (versions.is_object())
    for (const auto& [library, number] : versions.items())
      if (library != "tomoloom")
        add_fact(*facts, library == "commit" ? tr("commit") : QString::fromStdString(library),
                 QString::fromStdString(number.is_string() ? number.get<std::string>() : number.dump()));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = spaced(new QVBoxLayout(this), 5, {6, 5, 6, 4});
  column->addLayout(head);
  column->addLayout(facts);
  column->addWidget(buttons);
}

}  // namespace tl::ui
