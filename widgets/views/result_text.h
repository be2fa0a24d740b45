// What is shown, in words: the node that a result comes from, and the value of a parameter.
#pragma once

#include "widgets/views/picture_source.h"

namespace tl::ui {

// As in the node list, with its name in the pipeline where others have the same title: "FBP", "FBP (fbp_2)".
QString node_name(const PictureSource& source, const QString& id);
// `param`: a node and the name of its parameter. "0.2 Nyquist"; of what the node decides, what it found:
// "auto: -23.7 px". Empty: there is no such parameter.
QString value_in(const PictureSource& source, const Output& param);
// "Cutoff 0.2 Nyquist", with the node's name where it is not the node of `shown`.
QString setting_text(const PictureSource& source, const Output& shown, const Output& param);

}  // namespace tl::ui
