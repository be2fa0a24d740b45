// A network that is a program in the studio: the node offers to trust it where it is not, asks first, and is computed
// once it is.
#include <QPushButton>

#include "core/net/script/trusted_programs.h"
#include "tests/support/gui/studio.h"
#include "tests/support/script_maker.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/inspector/trust_button.h"
#include "widgets/theme/theme.h"

namespace tl::ui::trust_program_test {
namespace {

constexpr const char* wanted = "Trust this program…";

struct WithProgram : test::Studio {
  std::string program = folder.filePath(QStringLiteral("unet.pt")).toStdString();

  bool begin() {
    test::use_data_folder(folder.filePath(QStringLiteral("data")).toStdString());
    test::save_script(program, "def forward(self, x):\n    return torch.cat([x, -x], 1)\n");
    Graph g;
    g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", int64_t{32}}, {"height", int64_t{12}}}};
    g.nodes["script"] = {"segment.script", 1, {{"program", program}}};
    g.links = {{"phantom", "volume", "script", "volume"}};
    document.reset(g);
    if (!open()) return false;
    window.show_main_page();
    selection.set_one(QStringLiteral("script"));
    auto* inspector = window.findChild<Inspector*>();
    return QTest::qWaitFor([&] { return inspector->form() != nullptr && button() != nullptr; }, test::patience_ms);
  }
  // While it is offered.
  [[nodiscard]] TrustButton* button() {
    auto* found = window.findChild<TrustButton*>();
    return found != nullptr && found->isVisible() ? found : nullptr;
  }
  [[nodiscard]] std::optional<Error> error() const { return session.status(QStringLiteral("script")).error; }
};

}  // namespace

class TrustProgramTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void it_asks_and_computes();
  void enter_and_escape_trust_nothing();
  void untrusted_programs_are_reported();
  void other_nodes_do_not_offer_it();
};

void TrustProgramTest::it_asks_and_computes() {
  WithProgram studio;
  QVERIFY(studio.begin());
  QVERIFY(studio.error() && studio.error()->what == net::not_trusted);
  for (const char* theme : {"light", "dark"}) {
    Theme::instance().set(QLatin1String(theme));
    test::keep_picture(studio.window, QStringLiteral("trust-node-") + QLatin1String(theme));
  }
  bool asked = false;
  QTimer::singleShot(0, qApp, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    asked = box->text().contains(QStringLiteral("unet.pt")) &&
            box->informativeText().contains(QStringLiteral("whatever you may do")) &&
            box->informativeText().contains(QString::fromStdString(studio.program)) &&
            box->defaultButton() == box->button(QMessageBox::Cancel) &&
            box->focusWidget() == box->button(QMessageBox::Cancel);
    for (const char* theme : {"light", "dark"}) {
      Theme::instance().set(QLatin1String(theme));
      test::keep_picture(*box, QStringLiteral("trust-question-") + QLatin1String(theme), 100);
    }
    test::answer(QStringLiteral("Trust"));
  });
  QVERIFY(studio.press(QString::fromUtf8(wanted)));
  QVERIFY(asked);
  QTRY_VERIFY_WITH_TIMEOUT(studio.button() == nullptr && !studio.error(), test::patience_ms);
  QVERIFY(net::check_trusted(studio.program).ok());
  // The views compute it now.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session.thumbnail(QStringLiteral("script")).isNull(), test::patience_ms);
  QVERIFY(studio.document.undo_stack().isClean());  // nothing of it is in the pipeline
}

void TrustProgramTest::enter_and_escape_trust_nothing() {
  WithProgram studio;
  QVERIFY(studio.begin());
  for (const int key : {Qt::Key_Return, Qt::Key_Escape}) {
    QTimer::singleShot(0, qApp, [&] {
      if (QWidget* box = QApplication::activeModalWidget())
        QTest::keyClick(box->focusWidget(), static_cast<Qt::Key>(key));
    });
    QVERIFY(studio.press(QString::fromUtf8(wanted)));
    QTest::qWait(50);
    QVERIFY(studio.button() != nullptr && !net::check_trusted(studio.program).ok());
  }
}

void TrustProgramTest::untrusted_programs_are_reported() {
  WithProgram studio;
  QVERIFY(studio.begin());
  QFile::remove(QString::fromStdString(studio.program));
  test::answer(QStringLiteral("Trust"));
  bool said = false;
  QTimer watch;  // the warning waits for an answer
  connect(&watch, &QTimer::timeout, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || !box->text().contains(QStringLiteral("cannot be read"))) return;
    said = true;
    box->accept();
  });
  watch.start(20);
  QVERIFY(studio.press(QString::fromUtf8(wanted)));
  QTRY_VERIFY_WITH_TIMEOUT(said, test::patience_ms);
}

void TrustProgramTest::other_nodes_do_not_offer_it() {
  WithProgram studio;
  QVERIFY(studio.begin());
  studio.selection.set_one(QStringLiteral("phantom"));
  QTRY_VERIFY(studio.button() == nullptr);
  studio.selection.set_one(QStringLiteral("script"));
  QTRY_VERIFY(studio.button() != nullptr);
}

TL_TEST_CASE(TrustProgramTest)

}  // namespace tl::ui::trust_program_test

#include "trust_program.moc"
