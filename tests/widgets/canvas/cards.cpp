// Cards on the canvas: titles and verdicts that fit, and values that are chosen and typed in place.
#include <QFileDialog>
#include <QPaintEngine>

#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/items/card_painter.h"
#include "widgets/text/found_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui::canvas_cards_test {
namespace {

using test::CanvasWindow;

// Collects the sizes on the screen of all texts that are painted.
class TextSizes final : public QPaintDevice, public QPaintEngine {
 public:
  TextSizes() : QPaintEngine(AllFeatures) {}
  std::vector<double> sizes;

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState& now) override {
    if (now.state().testFlag(DirtyTransform)) zoom_ = now.transform().m11();
  }
  void drawTextItem(const QPointF&, const QTextItem& text) override {
    sizes.push_back(text.font().pixelSize() * zoom_);
  }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPath(const QPainterPath&) override {}
  using QPaintEngine::drawPolygon;
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  [[nodiscard]] Type type() const override { return User; }
  [[nodiscard]] QPaintEngine* paintEngine() const override { return const_cast<TextSizes*>(this); }

 protected:
  [[nodiscard]] int metric(PaintDeviceMetric what) const override {
    constexpr int side = 2000, dots_per_inch = 96;
    switch (what) {
      case PdmWidth:
      case PdmHeight: return side;
      case PdmDevicePixelRatio: return 1;
      case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
      case PdmDepth: return 32;
      default: return dots_per_inch;
    }
  }

 private:
  double zoom_ = 1;
};

QPoint row_at(CanvasWindow& w, const QString& node, const QString& param) {
  const NodeItem* item = w.canvas.scene().node(node);
  const auto& rows = item->card().rows;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const CardRow& r) { return r.param == param; });
  if (row == rows.end()) return {};
  return w.on_view(item->mapToScene(item->card().row_area(static_cast<std::size_t>(row - rows.begin())).center()));
}

}  // namespace

class CanvasCardsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void no_title_of_a_node_is_cut() {
    for (const NodeType& type : Registry::all().types()) {
      Graph g;
      const std::string id = edit::add_node(g, Registry::all(), type.id).or_throw();
      const Card card = plain_card(g, Registry::all(), id, {});
      // A line may end at a hyphen.
      QCOMPARE(card.title_lines.join(QString()).remove(QLatin1Char(' ')),
               QString::fromStdString(type.title).remove(QLatin1Char(' ')));
      QVERIFY(card.title_lines.size() <= 2);
      const auto parameters =
          std::count_if(card.rows.begin(), card.rows.end(), [](const CardRow& r) { return !r.param.isEmpty(); });
      QVERIFY2(parameters <= 2, type.id.c_str());
    }
    Graph g;
    (void)edit::add_node(g, Registry::all(), "recon.fbp");
    const Layout::Card named{
        {}, false, QString("A title of one's own that has far more words than two lines of a card can hold")};
    const Card card = plain_card(g, Registry::all(), "fbp", named);
    QCOMPARE(card.title_lines.size(), 2);
    QVERIFY(card.title_lines.back().endsWith(QChar(0x2026)));
  }

  void no_text_is_too_small_to_be_read() {
    Graph g;
    const std::string id = edit::add_node(g, Registry::all(), "correct.stripe_automatic").or_throw();
    Card card = plain_card(g, Registry::all(), id, {});
    card.state_text = QStringLiteral("running");
    card.foot = QStringLiteral("181 × 2 × 640 · 12 ms");
    std::size_t most = 0;
    for (int percent = 10; percent <= 300; percent += 2) {
      const double zoom = 0.01 * percent;
      TextSizes device;
      QPainter painter(&device);
      painter.scale(zoom, zoom);
      const CardPainter paint(painter, card, zoom);
      paint.body(CardPainter::Edge::plain);
      painter.end();
      for (const double size : device.sizes)
        QVERIFY2(size >= 9 - 1e-6, qPrintable(QStringLiteral("%1 px at zoom %2").arg(size).arg(zoom)));
      if (percent < 40) QVERIFY(device.sizes.empty());
      most = std::max(most, device.sizes.size());
    }
    QVERIFY(most > 2);
  }

  void verdict_and_state_fit() {
    const QFontMetricsF words(Theme::text_font());
    QFont bold = Theme::number_font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF values(bold);
    constexpr double row = card_size::width - 2 * card_size::pad;
    for (const auto trust : {learn::Trust::resolved, learn::Trust::railed, learn::Trust::ambiguous, learn::Trust::flat,
                             learn::Trust::not_identifiable, learn::Trust::none})
      QVERIFY(words.horizontalAdvance("Verdict") + values.horizontalAdvance(trust_word(trust)) + 8 <= row);
    for (int i = 0; i <= static_cast<int>(live::State::unconfigured); ++i)
      QVERIFY(words.horizontalAdvance(Theme::state_word(static_cast<live::State>(i))) < row);
  }

  void choosing_a_file_takes_one_click() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    CanvasWindow w;
    w.document.reset(test::volume_chain());
    QVERIFY(w.open());
    bool asked = false;
    QTimer look;
    connect(&look, &QTimer::timeout, &w.canvas, [&asked] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      asked = true;
      dialog->reject();
    });
    look.start(20);
    QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, row_at(w, "load_scan", "file"));
    QTRY_VERIFY(asked);
    QVERIFY(w.document.graph().nodes.at("load_scan").params.empty());
    // A file that was chosen takes a double click, and is then typed.
    w.canvas.editor().set_parameter("load_scan", "file", std::string("scan.h5"));
    asked = false;
    QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, row_at(w, "load_scan", "file"));
    QVERIFY(!asked);
  }

  void a_decimal_comma_is_understood() {
    CanvasWindow w;
    w.document.edit("Add", [](Graph& g) { (void)edit::add_node(g, Registry::all(), "filter.gaussian"); });
    QVERIFY(w.open());
    QTest::mouseDClick(w.viewport(), Qt::LeftButton, {}, row_at(w, "gaussian", "sigma"));
    auto* editor = w.viewport()->findChild<InlineEditor*>();
    QVERIFY(editor->isVisible());
    QTest::keyClicks(editor, "2,5 keV");
    QTest::keyClick(editor, Qt::Key_Return);
    QVERIFY(editor->isVisible());
    QVERIFY2(!editor->toolTip().contains("eV,") && !editor->toolTip().contains("1/cm"), qPrintable(editor->toolTip()));
    editor->selectAll();
    QTest::keyClicks(editor, "2,5");
    QTest::keyClick(editor, Qt::Key_Return);
    QVERIFY(!editor->isVisible());
    QCOMPARE(std::get<Number>(w.document.graph().nodes.at("gaussian").params.at("sigma")).value, 2.5);
  }
};

TL_TEST_CASE(CanvasCardsTest)

}  // namespace tl::ui::canvas_cards_test

#include "cards.moc"
