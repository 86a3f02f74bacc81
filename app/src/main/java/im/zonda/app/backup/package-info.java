/// Backups of a whole server, and their restoration.
///
/// A backup is a folder `zonda-2026-11-28T0200Z` with the time at which it was begun, which looks
/// like a data folder:
///
/// - `zonda.db`: the database as one SQLite file, whatever kind of database it was;
/// - `uploads/`: the contents of the uploaded files that the database names;
/// - `secret`, `self-signed.*`, `acme/`: what else the server needs from its data folder;
/// - `config/`: the configuration file and `hosts.d`;
/// - `manifest.json`: the contents ([im.zonda.app.backup.Manifest]), with the SHA-256 of each file;
///   uploads are named by theirs. `manifest.sha256` has that of the manifest;
/// - `verified`: when it was last verified without a problem; not in every backup.
@NullMarked
package im.zonda.app.backup;

import org.jspecify.annotations.NullMarked;
