// MovieWriter: PNG frames, MP4 through a pipe to ffmpeg.
#include "widgets/views/volume/movie_writer.h"

#include <QBuffer>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include "core/io/output/output_file.h"
#include "core/io/output/stack_folder.h"

namespace tl::ui {
namespace {

std::span<const std::byte> byte_span(const QByteArray& data) {
  return std::as_bytes(std::span(data.constData(), static_cast<std::size_t>(data.size())));
}
QByteArray encoded(const QImage& frame, const char* format) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  frame.save(&buffer, format);
  return bytes;
}

class FrameFolder final : public MovieWriter {
 public:
  FrameFolder(io::OutputFile folder, const QString& path, int frames)
      : folder_(std::move(folder)), stack_(QFileInfo(path).fileName().toStdString()), frames_(frames) {}
  Result<void> add(const QImage& frame) override {
    const QByteArray png = encoded(frame, "PNG");
    return folder_.add_member(io::frame_name(stack_, next_++, frames_), byte_span(png));
  }
  Result<void> finish() override { return folder_.commit(); }

 private:
  io::OutputFile folder_;
  std::string stack_;
  int frames_, next_ = 0;
};

class FfmpegFile final : public MovieWriter {
 public:
  FfmpegFile(io::OutputFile file, const MovieShape& shape) : file_(std::move(file)) {
    program_.setProcessChannelMode(QProcess::MergedChannels);
    program_.start(ffmpeg_program(), {QStringLiteral("-y"),
                                      QStringLiteral("-loglevel"),
                                      QStringLiteral("error"),
                                      QStringLiteral("-f"),
                                      QStringLiteral("image2pipe"),
                                      QStringLiteral("-framerate"),
                                      QString::number(shape.frames_per_second),
                                      QStringLiteral("-c:v"),
                                      QStringLiteral("bmp"),
                                      QStringLiteral("-i"),
                                      QStringLiteral("-"),
                                      QStringLiteral("-c:v"),
                                      QStringLiteral("libx264"),
                                      QStringLiteral("-pix_fmt"),
                                      QStringLiteral("yuv420p"),
                                      QStringLiteral("-movflags"),
                                      QStringLiteral("+faststart"),
                                      QStringLiteral("-f"),
                                      QStringLiteral("mp4"),
                                      QString::fromStdString(file_.part_path().string())});
  }
  ~FfmpegFile() override {
    if (program_.state() == QProcess::NotRunning) return;
    program_.kill();
    program_.waitForFinished(patience_ms);
  }
  Result<void> add(const QImage& frame) override {
    if (program_.state() == QProcess::NotRunning && !program_.waitForStarted(patience_ms)) return failed();
    program_.write(encoded(frame, "BMP"));
    while (program_.bytesToWrite() > 0)
      if (!program_.waitForBytesWritten(patience_ms)) return failed();
    return ok();
  }
  Result<void> finish() override {
    program_.closeWriteChannel();
    if (!program_.waitForFinished(patience_ms) || program_.exitStatus() != QProcess::NormalExit ||
        program_.exitCode() != 0)
      return failed();
    return file_.commit();
  }

 private:
  static constexpr int patience_ms = 60000;
  [[nodiscard]] Error failed() {
    const QString said = QString::fromUtf8(program_.readAll()).trimmed().section(QLatin1Char('\n'), -1);
    return io_error("ffmpeg did not write the movie: " + (said.isEmpty() ? program_.errorString() : said).toStdString(),
                    file_.name().string(), "Save PNG frames instead");
  }
  io::OutputFile file_;
  QProcess program_;
};

}  // namespace

QString ffmpeg_program() { return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")); }

Result<std::unique_ptr<MovieWriter>> MovieWriter::create(const MovieShape& shape, const QString& path,
                                                         const io::OutputRules& rules) {
  if (shape.format == MovieFormat::frames) {
    TL_TRY(io::OutputFile folder, io::OutputFile::create_folder(path.toStdString(), rules));
    return std::unique_ptr<MovieWriter>(std::make_unique<FrameFolder>(std::move(folder), path, shape.frames));
  }
  if (ffmpeg_program().isEmpty())
    return unavailable("MP4 is written by the program ffmpeg, which is not installed", {},
                       "Install ffmpeg, or save PNG frames");
  TL_TRY(io::OutputFile file, io::OutputFile::create(path.toStdString(), rules));
  return std::unique_ptr<MovieWriter>(std::make_unique<FfmpegFile>(std::move(file), shape));
}

}  // namespace tl::ui
