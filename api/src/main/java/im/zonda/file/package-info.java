/// Contents of files that users have uploaded (XEP-0363), by their hash. Contracts only: a store
/// may be a folder or an object store. Who has uploaded what is in [im.zonda.store.UploadStore].
@NullMarked
package im.zonda.file;

import org.jspecify.annotations.NullMarked;
