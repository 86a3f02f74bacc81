/// `zonda doctor`: looks for what is wrong with the machine, the files, DNS and the configuration.
///
/// Facts are read by classes that end in `Facts` or `Reader`; checks are functions over facts,
/// without I/O. What cannot be read is null in the facts, and the check says that it is not known.
/// While a server runs, its process does all of it, so that limits, options and permissions are
/// those of the server.
@NullMarked
package im.zonda.app.doctor;

import org.jspecify.annotations.NullMarked;
