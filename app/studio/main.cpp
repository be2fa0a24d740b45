// tomoloom-studio: the desktop application. Parses arguments, creates session and window.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QProcess>
#include <QTemporaryDir>
#include <clocale>
#include <cstdio>
#include <optional>

#include "core/base/memory_reserve.h"
#include "core/io/process/reader_service.h"
#include "core/run/record/provenance.h"
#include "gpu/device/device.h"
#include "gpu/device/threads.h"
#include "widgets/history/report_file.h"
#include "widgets/language/language.h"
#include "widgets/session/live_session.h"
#include "widgets/session/selection.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/screenshots.h"
#include "widgets/window/state/settings.h"

namespace {

using namespace tl::ui;

constexpr const char* scale_variable = "QT_SCALE_FACTOR";

// VTK renders volumes with GLX, which needs X11; therefore uses X11 if there is a display, also in a Wayland session.
void choose_platform() {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && qEnvironmentVariableIsSet("DISPLAY"))
    qputenv("QT_QPA_PLATFORM", "xcb");
}

// Qt reads the scale from the environment before the application object exists.
void choose_scale() {
  const int percent = Settings().scale_percent();
  if (percent != 100 && !qEnvironmentVariableIsSet(scale_variable))
    qputenv(scale_variable, QByteArray::number(percent / 100.0));
}

// If the environment variable is not set, scratch files go into the folder chosen in the preferences.
void choose_scratch_folder() {
  const QString folder = Settings().computing().scratch;
  if (!folder.isEmpty() && QDir(folder).exists() && !qEnvironmentVariableIsSet("TMPDIR"))
    qputenv("TMPDIR", folder.toLocal8Bit());
}

int write_all_screenshots(MainWindow& window, const ScreenshotRequest& request) {
  if (const tl::Result<void> written = write_screenshots(window, request); !written.ok()) {
    std::fprintf(stderr, "tomoloom-studio: %s\n", written.error().message().c_str());
    return 3;
  }
  if (qEnvironmentVariableIsSet(scale_variable)) return 0;
  // Images at scale 2 need a separate process.
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QString::fromLatin1(scale_variable), QStringLiteral("2"));
  QProcess twice;
  twice.setProcessEnvironment(environment);
  twice.setProcessChannelMode(QProcess::ForwardedChannels);
  QStringList arguments = {QStringLiteral("--screenshot"), request.folder, QStringLiteral("--size"),
                           QStringLiteral("%1x%2").arg(request.size.width()).arg(request.size.height())};
  if (!request.scan.isEmpty()) arguments << request.scan;
  twice.start(QApplication::applicationFilePath(), arguments);
  twice.waitForFinished(-1);
  return twice.exitCode();
}

// For the command line, which has no painter.
int write_pdf(const QString& page, const QString& pdf) {
  QFile in(page), out(pdf);
  if (!in.open(QIODevice::ReadOnly)) return std::fprintf(stderr, "cannot read %s\n", qPrintable(page)), 3;
  const QByteArray bytes = page_pdf(QString::fromUtf8(in.readAll()), QFileInfo(page).completeBaseName());
  if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.flush()) return 0;
  return std::fprintf(stderr, "cannot write %s\n", qPrintable(pdf)), 3;
}

int run_studio(QApplication& app) {
  QCommandLineParser arguments;
  arguments.setApplicationDescription(QStringLiteral("Weave X-ray CT pipelines and see every slice live."));
  arguments.addHelpOption();
  arguments.addVersionOption();
  const QCommandLineOption screenshot(
      QStringLiteral("screenshot"),
      QStringLiteral("Write images of every workspace, theme and step of the guide, then exit."),
      QStringLiteral("folder"));
  const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window in the images."),
                                QStringLiteral("WIDTHxHEIGHT"));
  const QCommandLineOption example(QStringLiteral("example"), QStringLiteral("Begin with the simulated example."));
  const QCommandLineOption pdf(QStringLiteral("pdf"),
                               QStringLiteral("Write a report, the page [file], as PDF, then exit."),
                               QStringLiteral("file"));
  arguments.addOptions({screenshot, size, example, pdf});
  arguments.addPositionalArgument(QStringLiteral("file"), QStringLiteral("A scan, a pipeline or a result."),
                                  QStringLiteral("[file]"));
  arguments.process(app);

  if (arguments.isSet(pdf)) return write_pdf(arguments.positionalArguments().value(0), arguments.value(pdf));
  ScreenshotRequest request{arguments.value(screenshot), arguments.positionalArguments().value(0)};
  if (arguments.isSet(size)) {
    const QStringList numbers = arguments.value(size).split(QLatin1Char('x'));
    request.size = QSize(numbers.value(0).toInt(), numbers.value(1).toInt());
    if (numbers.size() != 2 || request.size.isEmpty()) {
      std::fprintf(stderr, "tomoloom-studio: --size takes a width and a height, such as 1440x900\n");
      return 2;
    }
  }

  // Screenshots use default settings and do not change the user's.
  std::optional<QTemporaryDir> apart;
  if (arguments.isSet(screenshot)) apart.emplace();
  Settings settings(apart ? apart->filePath(QStringLiteral("settings.ini")) : QString());
  use_language(language_for(settings.language(), QLocale::system().uiLanguages()));
  Theme::instance().set(settings.theme());
  Document document;
  tl::live::EngineOptions options;
  options.output_dir = QDir::currentPath().toStdString();
  const Settings::Computing computing = settings.computing();
  constexpr int64_t gigabyte = 1'000'000'000;
  options.threads = computing.threads;
  tl::limit_threads(computing.threads);
  options.memory = computing.memory_gb * gigabyte;
  options.cache = computing.cache_gb * gigabyte;
  if (QDir(computing.results).exists() && !computing.results.isEmpty())
    options.output_dir = computing.results.toStdString();
  LiveSession session(document, options);
  Selection selection;
  MainWindow window(session, selection, settings);
  if (arguments.isSet(screenshot)) return write_all_screenshots(window, request);
  window.show();
  if (arguments.isSet(example)) window.files().open_template(QStringLiteral("example"));
  if (!arguments.positionalArguments().isEmpty()) window.files().open(arguments.positionalArguments().constFirst());
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  tl::keep_memory_reserve();
  tl::io::start_reader_service();
  tl::init_devices();
  choose_platform();
  QCoreApplication::setApplicationName(QStringLiteral("tomoloom-studio"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(tl::version()));
  choose_scale();
  choose_scratch_folder();
  QApplication app(argc, argv);
  QGuiApplication::setDesktopFileName(QStringLiteral("io.github.tomoloom.Tomoloom"));
  // Qt sets the user's locale; files and numbers always use the C locale.
  std::setlocale(LC_NUMERIC, "C");
  QLocale::setDefault(QLocale::c());
  return run_studio(app);
}
