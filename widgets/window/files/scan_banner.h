// ScanBanner: a line over the page while a pipeline made from a template has no scan: its purpose, and a button that
// chooses a scan.
#pragma once

#include <QFrame>
#include <string>

class QLabel;
class QPushButton;

namespace tl::ui {

class Document;
class StreamSession;

// Visible while input_to_choose() returns a node that gets no frames from a stream. GUI thread only.
class ScanBanner final : public QFrame {
  Q_OBJECT
 public:
  // Document and stream must outlive it.
  ScanBanner(Document& document, const StreamSession& stream, QWidget* parent = nullptr);
  [[nodiscard]] QString text() const;

 private:
  void follow();
  void choose();
  Document& document_;
  const StreamSession& stream_;
  QLabel *picture_, *text_;
  QPushButton* choose_;
  std::string node_;
};

}  // namespace tl::ui
