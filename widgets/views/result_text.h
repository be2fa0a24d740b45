// Result text: names of nodes and values of parameters as text.
#pragma once

#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// The title of the node's type, followed by its id if other nodes have the same type: "FBP", "FBP (fbp_2)".
QString node_name(const PictureSource& source, const QString& id);
// nullptr if there is no such parameter. `param`: a node and the name of its parameter.
const ParamDecl* declaration_of(const PictureSource& source, const Output& param);
// `param`: a node and the name of its parameter. "0.2 Nyquist"; for a value chosen automatically also the value found:
// "auto: -23.7 px". Empty if there is no such parameter.
QString value_in(const PictureSource& source, const Output& param);
// "Cutoff 0.2 Nyquist", with the node's name if it differs from the node of `shown`.
QString setting_text(const PictureSource& source, const Output& shown, const Output& param);

}  // namespace tl::ui
