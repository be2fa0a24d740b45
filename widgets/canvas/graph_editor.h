// GraphEditor: all edits of the pipeline as named undo steps of the document. Shared by canvas, outline and menus, so
// that mouse and keyboard have the same effect.
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

// One end of a link that is being made: an output, or an input.
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
  [[nodiscard]] Layout layout() const;  // a layout in which every node has a position
  [[nodiscard]] QString title(const QString& node) const;

  // Adds a node, selects it, and returns its id ("" if refused). The card goes to `at`; nullopt: near the current
  // node, where no card is. `end`: links the new node to that end. `between`: inserts it into that link.
  QString add(const QString& type, const std::optional<QPointF>& at, const std::optional<LinkEnd>& end = {},
              const std::optional<Link>& between = {});
  // Adds a node after another one, selects it, and returns its id: into all links of an output if it fits there, and
  // later cards make room; otherwise as a branch, or, if no output fits, without a link, which refused() reports.
  QString add_after(const QString& type, const QString& node);
  // Emits refused() and returns false if the link cannot be made. `instead`: a picked-up link, which is removed.
  bool link(const Link& link, const std::optional<Link>& instead = {});
  void unlink(const Link& link);
  bool insert(const QString& node, const Link& link);
  void move(const QMap<QString, QPointF>& places);  // upper left corners
  // Moves a card and inserts its node into a link as one step; downstream nodes make room.
  bool move_and_insert(const QMap<QString, QPointF>& places, const QString& node, const Link& link);
  void set_parameter(const QString& node, const QString& param, const ParamValue& value);
  void rename(const QString& node, const QString& title);

  // The following act on the selected nodes.
  void remove(edit::Gap gap);            // Gap::reconnect also moves later cards into the gap
  [[nodiscard]] QString copied() const;  // as pipeline JSON; "" if nothing is selected
  void copy() const;                     // to the clipboard
  void cut();
  bool paste(edit::Incoming incoming, const std::optional<QPointF>& at);
  bool duplicate();
  bool toggle(NodeUse use);
  void collapse();
  void align(Alignment alignment);
  void arrange();  // all cards
  // Puts a frame around the selected cards; returns its index.
  std::size_t add_frame();
  void remove_frame(std::size_t frame);
  void set_comment(std::size_t frame, const QString& comment);
  void move_frame(std::size_t frame, const QRectF& area, const QMap<QString, QPointF>& places);

 Q_SIGNALS:
  void refused(const QString& why);  // an edit was not possible, or a node was added without a link

 private:
  void unselect_lost_nodes();
  // Edits graph and layout as one step. On an error both stay unchanged, refused() is emitted, and false is returned.
  bool edit(const QString& name, const std::function<Result<void>(Graph&, Layout&)>& change,
            const MergeKey& merge = {});
  bool paste_text(const QString& name, const QString& text, edit::Incoming incoming, const std::optional<QPointF>& at);
  [[nodiscard]] edit::Ids selected() const;
  [[nodiscard]] QString selected_words() const;  // "FBP", "3 nodes"
  Document& document_;
  Selection& selection_;
};

}  // namespace tl::ui
