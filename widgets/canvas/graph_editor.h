// GraphEditor: everything that can be done to the pipeline by hand, as named steps of the document. The canvas, the
// outline and menus share it, so that mouse and keyboard do the same things.
#pragma once

#include <QObject>
#include <QPointF>
#include <functional>
#include <optional>

#include "core/graph/edit.h"
#include "widgets/session/document.h"
#include "widgets/session/layout.h"
#include "widgets/session/selection.h"

namespace tl::ui {

// One end of a link that is being made: an output, or an input that waits for one.
struct LinkEnd {
  enum class Side { output, input } side = Side::output;
  QString node, port;
};

enum class Alignment { left, centre, right, top, middle, bottom, across, down };

class GraphEditor final : public QObject {
  Q_OBJECT
 public:
  GraphEditor(Document& document, Selection& selection, QObject* parent = nullptr);

  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] Selection& selection() { return selection_; }
  [[nodiscard]] Layout layout() const;  // every node has a place
  [[nodiscard]] QString title(const QString& node) const;

  // Adds a node with its card at a point of the canvas (nullopt: a free place near the current node), selects it, and
  // gives its id ("" when it was refused). `end`: it is linked to that end. `between`: it goes onto that link.
  QString add(const QString& type, const std::optional<QPointF>& at, const std::optional<LinkEnd>& end = {},
              const std::optional<Link>& between = {});
  // False, with refused(), when the link cannot be made. `instead` is a link that was picked up: it goes.
  bool link(const Link& link, const std::optional<Link>& instead = {});
  void unlink(const Link& link);
  bool insert(const QString& node, const Link& link);
  void move(const QMap<QString, QPointF>& places);  // upper left corners
  // Moves a card onto a link in one step; what follows makes room.
  bool move_and_insert(const QMap<QString, QPointF>& places, const QString& node, const Link& link);
  void set_parameter(const QString& node, const QString& param, const ParamValue& value);
  void rename(const QString& node, const QString& title);

  // All of these act on the selected nodes.
  void remove(edit::Gap gap);
  [[nodiscard]] QString copied() const;  // pipeline text, "" when nothing is selected
  void copy() const;                     // to the clipboard
  void cut();
  bool paste(edit::Incoming incoming, const std::optional<QPointF>& at);
  bool duplicate();
  bool toggle(NodeUse use);
  void collapse();
  void align(Alignment alignment);
  void arrange();  // all cards
  // A frame around the selected cards; gives its index.
  std::size_t add_frame();
  void remove_frame(std::size_t frame);
  void set_comment(std::size_t frame, const QString& comment);
  void move_frame(std::size_t frame, const QRectF& area, const QMap<QString, QPointF>& places);

 Q_SIGNALS:
  void refused(const QString& why);  // something that was asked for cannot be done

 private:
  // One step on graph and layout together; an error leaves both as they were and is told.
  bool edit(const QString& name, const std::function<Result<void>(Graph&, Layout&)>& change,
            const MergeKey& merge = {});
  bool paste_text(const QString& name, const QString& text, edit::Incoming incoming, const std::optional<QPointF>& at);
  [[nodiscard]] edit::Ids selected() const;
  [[nodiscard]] QString selected_words() const;  // "FBP", "3 nodes"
  Document& document_;
  Selection& selection_;
};

}  // namespace tl::ui
