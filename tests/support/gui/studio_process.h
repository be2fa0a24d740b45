// A studio in a separate process, for tests of interactions between two windows: this program again, which reads
// commands from standard input and repeats each line once it is done.
#pragma once

#include <unistd.h>
#include <QProcess>
#include <QSocketNotifier>
#include <cstdio>

#include "tests/support/gui/studio.h"
#include "widgets/theme/theme.h"

namespace tl::test {

inline constexpr const char* studio_process_variable = "TL_STUDIO_PROCESS";

// In the other process: "open PATH", "title TEXT" (a change), "save" (Ctrl+S). Ends at the end of standard input.
[[noreturn]] inline void obey_as_studio() {
  Studio studio;
  if (!studio.open()) std::_Exit(1);
  QByteArray heard;
  bool is_over = false;
  const auto obey = [&](const QString& line) {
    const QString what = line.section(' ', 0, 0), of = line.section(' ', 1);
    if (what == QLatin1String("open")) {
      studio.window.files().open(of);
      (void)QTest::qWaitFor([&] { return studio.document.path() == of; }, patience_ms);
    } else if (what == QLatin1String("title")) {
      studio.document.edit(QStringLiteral("Title"), [&](Graph& g) { g.title = of.toStdString(); });
      studio.window.findChild<ui::Autosave*>()->save_now();
    } else if (what == QLatin1String("save")) {
      (void)open_window(studio.window);  // the other window may be the active one
      QTest::keyClick(&studio.window, Qt::Key_S, Qt::ControlModifier);
    }
    std::printf("%s\n", qPrintable(line));
    std::fflush(stdout);
  };
  QSocketNotifier notifier(STDIN_FILENO, QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, &notifier, [&] {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) is_over = true;
    if (count > 0) heard.append(bytes.data(), count);
    for (qsizetype end = heard.indexOf('\n'); end >= 0; end = heard.indexOf('\n')) {
      const QString line = QString::fromUtf8(heard.first(end));
      heard.remove(0, end + 1);
      obey(line);
    }
  });
  (void)QTest::qWaitFor([&] { return is_over; }, patience_ms);
  std::_Exit(0);
}

class StudioProcess {
 public:
  // `test`: the name of the test file, whose initTestCase() calls obey_as_studio() if the variable is set.
  explicit StudioProcess(const QString& test) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(studio_process_variable), QStringLiteral("1"));
    // On its own virtual screen: without a window manager, the keyboard of a shared screen belongs to the window
    // activated last.
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process_.setProcessEnvironment(environment);
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process_.start(QCoreApplication::applicationFilePath(), {test});
  }
  ~StudioProcess() { kill(); }
  // Sends a command to the program; returns whether it answered that it was done.
  [[nodiscard]] bool execute(const QString& line) {
    process_.write(line.toUtf8() + '\n');
    return QTest::qWaitFor(
               [&] {
                 said_ += process_.readAllStandardOutput();
                 return said_.contains(line.toUtf8() + '\n') || process_.state() == QProcess::NotRunning;
               },
               patience_ms) &&
           process_.state() == QProcess::Running;
  }
  void kill() {
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();  // SIGKILL: it removes nothing
    process_.waitForFinished(patience_ms);
  }
  [[nodiscard]] qint64 number() const { return process_.processId(); }

 private:
  QProcess process_;
  QByteArray said_;
};

// Answers the next question: saves its text and an image in the current theme, then presses the button or the
// key.
class Answer final : public QObject {
 public:
  explicit Answer(QString button, QString picture = {}) : button_(std::move(button)), picture_(std::move(picture)) {
    begin();
  }
  explicit Answer(Qt::Key key, QString picture = {}) : key_(key), picture_(std::move(picture)) { begin(); }
  QString words;    // text of the question
  QString details;  // that can be unfolded
  QString by_default;

 private:
  void begin() {
    timer_.start(30);
    connect(&timer_, &QTimer::timeout, this, [this] { answer(); });
  }
  void answer() {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || !box->isVisible() || !words.isEmpty()) return;
    words = box->text() + QLatin1Char('\n') + box->informativeText();
    details = box->detailedText();
    by_default = box->defaultButton() == nullptr ? QString() : box->defaultButton()->text().remove('&');
    if (!picture_.isEmpty()) keep_picture(*box, picture_ + QLatin1Char('-') + ui::Theme::instance().name(), 100);
    if (button_.isEmpty()) return QTest::keyClick(box, key_);
    for (QAbstractButton* b : box->buttons())
      if (b->text().remove('&') == button_) return QTest::mouseClick(b, Qt::LeftButton);
    QTest::qFail(qPrintable(QStringLiteral("no button %1 in: %2").arg(button_, words)), __FILE__, __LINE__);
    box->reject();
  }
  QString button_;
  Qt::Key key_ = Qt::Key_unknown;
  QString picture_;
  QTimer timer_;
};

}  // namespace tl::test
