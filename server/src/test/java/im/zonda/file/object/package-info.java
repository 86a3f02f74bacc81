/// A store of uploaded files in an object store that is a model of S3's, to show that the contract
/// of [im.zonda.file.FileContents] asks for nothing else.
@NullMarked
package im.zonda.file.object;

import org.jspecify.annotations.NullMarked;
