/// HTTP file upload (XEP-0363): the domain `upload.<host>` gives slots, and the host's HTTP takes
/// and serves the files.
///
/// A slot is not stored. Its URL for the upload has what was asked for, and a signature; its
/// identifier, which is in both URLs, cannot be guessed. What is stored is the file of a finished
/// upload: the row ([im.zonda.store.UploadStore]) and its content ([im.zonda.file.FileContents]).
/// `201` is answered when both are durable. The content comes first, so a row always has one; a
/// content without a row is removed after [FileRetention#GRACE].
///
/// A file that users have sent may be anything. It is served with the type that its owner has
/// given, but never as a document that a browser runs: only pictures, sound and video are shown
/// ([MediaTypes]), everything else is saved to a file, and scripts are forbidden.
@NullMarked
package im.zonda.module.upload;

import org.jspecify.annotations.NullMarked;
