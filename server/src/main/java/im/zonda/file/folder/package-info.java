/// Contents of uploaded files in a folder, which nodes of a cluster may share:
///
/// - `ab/ab12…`: the content with that SHA-256, in a folder of its first two digits;
/// - `incoming/`: contents that are being written;
/// - `removed/`: contents that will be deleted.
@NullMarked
package im.zonda.file.folder;

import org.jspecify.annotations.NullMarked;
