// MovieWriter: PNG frames, AVI with Motion JPEG, MP4 through a pipe to ffmpeg.
#include "widgets/views/volume/movie_writer.h"

#include <unistd.h>

#include <QBuffer>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QtEndian>
#include <cerrno>
#include <vector>

#include "core/io/output/output_file.h"
#include "core/io/output/stack_folder.h"

namespace tl::ui {
namespace {

constexpr int jpeg_quality = 92;

std::span<const std::byte> bytes_of(const QByteArray& data) {
  return std::as_bytes(std::span(data.constData(), static_cast<std::size_t>(data.size())));
}
QByteArray encoded(const QImage& frame, const char* format, int quality) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  frame.save(&buffer, format, quality);
  return bytes;
}

class FrameFolder final : public MovieWriter {
 public:
  FrameFolder(io::OutputFile folder, const QString& path, int frames)
      : folder_(std::move(folder)), stack_(QFileInfo(path).fileName().toStdString()), frames_(frames) {}
  Result<void> add(const QImage& frame) override {
    const QByteArray png = encoded(frame, "PNG", -1);
    return folder_.add_member(io::frame_name(stack_, next_++, frames_), bytes_of(png));
  }
  Result<void> finish() override { return folder_.commit(); }

 private:
  io::OutputFile folder_;
  std::string stack_;
  int frames_, next_ = 0;
};

// RIFF AVI with one stream of JPEG pictures and an index; all numbers are little-endian.
class AviFile final : public MovieWriter {
 public:
  AviFile(io::OutputFile file, const MovieShape& shape) : file_(std::move(file)), shape_(shape) {}

  Result<void> add(const QImage& frame) override {
    if (index_.empty()) TL_TRY(io::write_all(file_.handle(), bytes_of(header()), file_.part_path()));
    const QByteArray jpeg = encoded(frame.convertToFormat(QImage::Format_RGB32), "JPG", jpeg_quality);
    if (jpeg.isEmpty()) return unavailable("Qt cannot write JPEG pictures here", {}, "Save PNG frames instead");
    if (length_ + jpeg.size() > longest)
      return invalid("the movie would be longer than 2 GB", file_.name().string(),
                     "Choose fewer frames or a smaller picture");
    QByteArray chunk = "00dc";
    put32(chunk, static_cast<quint32>(jpeg.size()));
    chunk += jpeg;
    if (jpeg.size() % 2 != 0) chunk += '\0';
    index_.push_back({static_cast<quint32>(length_), static_cast<quint32>(jpeg.size())});
    length_ += chunk.size();
    return io::write_all(file_.handle(), bytes_of(chunk), file_.part_path());
  }

  Result<void> finish() override {
    QByteArray index = "idx1";
    put32(index, static_cast<quint32>(16 * index_.size()));
    for (const auto& [at, size] : index_) {
      constexpr quint32 key_frame = 0x10;
      index += "00dc";
      put32(index, key_frame);
      put32(index, at);
      put32(index, size);
    }
    TL_TRY(io::write_all(file_.handle(), bytes_of(index), file_.part_path()));
    index_size_ = index.size();
    if (lseek(file_.handle(), 0, SEEK_SET) != 0)
      return io::system_error("the output cannot be written", file_.part_path(), errno);
    TL_TRY(io::write_all(file_.handle(), bytes_of(header()), file_.part_path()));
    return file_.commit();
  }

 private:
  static constexpr qint64 longest = qint64{2000} << 20;  // many players read signed 32-bit lengths

  static void put32(QByteArray& to, quint32 value) {
    value = qToLittleEndian(value);
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  static QByteArray chunk(const char* id, const QByteArray& body) {
    QByteArray out = id;
    put32(out, static_cast<quint32>(body.size()));
    return out + body;
  }

  // Lengths are right once all frames are written.
  [[nodiscard]] QByteArray header() const {
    const auto width = static_cast<quint32>(shape_.size.width()), height = static_cast<quint32>(shape_.size.height());
    const auto rate = static_cast<quint32>(shape_.frames_per_second), count = static_cast<quint32>(index_.size());
    constexpr quint32 has_index = 0x10, micro = 1000000;
    QByteArray main, stream, format;
    for (const quint32 v : {micro / rate, 0U, 0U, has_index, count, 0U, 1U, 0U, width, height, 0U, 0U, 0U, 0U})
      put32(main, v);
    stream += "vidsMJPG";
    for (const quint32 v : {0U, 0U, 0U, 1U, rate, 0U, count, 0U, 0xffffffffU, 0U, 0U}) put32(stream, v);
    put32(stream, width | height << 16);  // right and bottom of the rectangle shown, as 16-bit numbers
    constexpr quint32 format_size = 40, planes_and_bits = 1U | 24U << 16;
    for (const quint32 v : {format_size, width, height, planes_and_bits}) put32(format, v);
    format += "MJPG";
    for (const quint32 v : {3 * width * height, 0U, 0U, 0U, 0U}) put32(format, v);
    const QByteArray list = chunk(
        "LIST", "hdrl" + chunk("avih", main) + chunk("LIST", "strl" + chunk("strh", stream) + chunk("strf", format)));
    QByteArray out = "RIFF";
    constexpr quint32 list_head = 8;
    put32(out, static_cast<quint32>(4 + list.size() + list_head + length_ + index_size_));
    out += "AVI " + list + "LIST";
    put32(out, static_cast<quint32>(length_));
    return out + "movi";
  }

  struct Entry {
    quint32 at, size;  // from the word "movi"; without padding
  };
  io::OutputFile file_;
  MovieShape shape_;
  std::vector<Entry> index_;
  qint64 length_ = 4, index_size_ = 0;  // of the list of frames with its word "movi"; of the index
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
    program_.write(encoded(frame, "BMP", -1));
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
                    file_.name().string(), "Save PNG frames or an AVI instead");
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
  if (shape.format == MovieFormat::mp4 && ffmpeg_program().isEmpty())
    return unavailable("MP4 is written by the program ffmpeg, which is not installed", {},
                       "Install ffmpeg, or save PNG frames or an AVI");
  TL_TRY(io::OutputFile file, io::OutputFile::create(path.toStdString(), rules));
  if (shape.format == MovieFormat::avi)
    return std::unique_ptr<MovieWriter>(std::make_unique<AviFile>(std::move(file), shape));
  return std::unique_ptr<MovieWriter>(std::make_unique<FfmpegFile>(std::move(file), shape));
}

}  // namespace tl::ui
