// MovieWriter: frames of a movie to a file or a folder, which appears when it is complete or not at all.
#pragma once

#include <QImage>
#include <QString>
#include <memory>

#include "core/io/output/output_rules.h"

namespace tl::ui {

// frames: a folder of numbered PNG files. mp4: H.264, by the program ffmpeg.
enum class MovieFormat { frames, mp4 };

struct MovieShape {
  MovieFormat format = MovieFormat::frames;
  QSize size;  // px, even
  int frames = 0, frames_per_second = 25;
};

// Used by one thread at a time. If destroyed without finish(), it leaves no file.
class MovieWriter {
 public:
  virtual ~MovieWriter() = default;
  // Errors: io; unavailable (mp4 without ffmpeg); invalid (`path` is an input of the pipeline).
  static Result<std::unique_ptr<MovieWriter>> create(const MovieShape& shape, const QString& path,
                                                     const io::OutputRules& rules);
  virtual Result<void> add(const QImage& frame) = 0;
  virtual Result<void> finish() = 0;
};

// The path of ffmpeg; empty if it is not installed.
QString ffmpeg_program();

}  // namespace tl::ui
